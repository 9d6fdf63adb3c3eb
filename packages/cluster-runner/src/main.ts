/** The `stickslip` command: finds the command, runs it, and turns what it ends in into an exit code. */
import { InputError, version } from "@stickslip/core";
import type { Command, ExitCode, Terminal } from "./command.js";
import { doctor } from "./commands/doctor.js";
import { generate } from "./commands/generate.js";
import { info } from "./commands/info.js";
import { launch } from "./commands/launch.js";
import { logs } from "./commands/logs.js";
import { methods } from "./commands/methods.js";
import { node } from "./commands/node.js";
import { resume } from "./commands/resume.js";
import { runs } from "./commands/runs.js";
import { solve } from "./commands/solve.js";
import { status } from "./commands/status.js";
import { stop } from "./commands/stop.js";
import { describeFailure, guardProcess, untilDone } from "./last-resort.js";
import { commandHelp, generalHelp } from "./line/help.js";
import { findCommand, parse } from "./line/parse.js";
import { LaunchError } from "./ranks/refusal.js";
import { processTerminal } from "./terminal.js";

const commands: readonly Command[] = [
	solve,
	info,
	generate,
	methods,
	doctor,
	runs,
	status,
	logs,
	stop,
	launch,
	resume,
	node,
];

async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
	const [name, ...rest] = words;
	if (name === undefined) {
		terminal.err(generalHelp(commands).trimEnd());
		return 2;
	}
	if (name === "--version" || name === "-v" || name === "-V") {
		terminal.out(version);
		return 0;
	}
	if (name === "--help" || name === "-h" || name === "help") {
		const [about] = rest;
		const text = about === undefined ? generalHelp(commands) : commandHelp(findCommand(about, commands));
		terminal.out(text.trimEnd());
		return 0;
	}
	const command = findCommand(name, commands);
	const given = parse(command, rest);
	if (given.flag("help")) {
		terminal.out(commandHelp(command).trimEnd());
		return 0;
	}
	return await command.run(given, terminal);
}

guardProcess();
const terminal = processTerminal();
await untilDone(async () => {
	try {
		process.exitCode = await run(process.argv.slice(2), terminal);
	} catch (error) {
		terminal.err(`stickslip: ${describeFailure(error)}`);
		process.exitCode = error instanceof InputError && !(error instanceof LaunchError) ? 2 : 3;
	}
});
