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
		try {
			process.exitCode = await work(terminal);
		} catch (error) {
			terminal.err(`stickslip: ${describeFailure(error)}`);
			process.exitCode = error instanceof InputError && !(error instanceof LaunchError) ? 2 : 3;
		}
	});
}
