/**
 * Runs the main function of a program and exits with its exit code, or with that of the error that it threw, after printing the error as
 * one line.
 */
import { InputError } from "@stickslip/core";
import { describeFailure, guardProcess, untilDone } from "./base/last-resort.js";
import type { ExitCode, Terminal } from "./cli/command.js";
import { processTerminal } from "./cli/terminal.js";
import { LaunchError } from "./protocol/refusal.js";

export async function exitWith(work: (terminal: Terminal) => Promise<ExitCode>): Promise<void> {
	guardProcess();
	const terminal = processTerminal();
	await untilDone(async () => {
		process.exitCode = await exitCodeOf(() => work(terminal), terminal);
	});
}

/** What the work returns; where it throws, the error is printed and has a code of its own. */
export async function exitCodeOf(work: () => Promise<ExitCode>, terminal: Terminal): Promise<ExitCode> {
	try {
		return await work();
	} catch (error) {
		terminal.err(`stickslip: ${describeFailure(error)}`);
		return error instanceof InputError && !(error instanceof LaunchError) ? 2 : 3;
	}
}
