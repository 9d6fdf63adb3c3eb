/** The `stickslip` command: finds the command and runs it. */
import { version } from "@stickslip/core";
import type { Command, ExitCode, Terminal } from "./cli/command.js";
import { commandHelp, generalHelp, reportHelp } from "./cli/help.js";
import { findCommand, parse } from "./cli/parse.js";
import { exitWith } from "./exit.js";

/** In the order of the help. Each is loaded when it is asked for: a solve does not wait for what a launch needs. */
const commands: readonly { readonly name: string; readonly load: () => Promise<Command> }[] = [
	{ name: "solve", load: async () => (await import("./commands/solve.js")).solve },
	{ name: "info", load: async () => (await import("./commands/info.js")).info },
	{ name: "simulate", load: async () => (await import("./commands/simulate.js")).simulate },
	{ name: "picture", load: async () => (await import("./commands/picture.js")).picture },
	{ name: "generate", load: async () => (await import("./commands/generate.js")).generate },
	{ name: "study", load: async () => (await import("./commands/study.js")).study },
	{ name: "methods", load: async () => (await import("./commands/methods.js")).methods },
	{ name: "doctor", load: async () => (await import("./commands/doctor.js")).doctor },
	{ name: "runs", load: async () => (await import("./commands/runs.js")).runs },
	{ name: "status", load: async () => (await import("./commands/status.js")).status },
	{ name: "logs", load: async () => (await import("./commands/logs.js")).logs },
	{ name: "stop", load: async () => (await import("./commands/stop.js")).stop },
	{ name: "launch", load: async () => (await import("./commands/launch.js")).launch },
	{ name: "serve", load: async () => (await import("./commands/serve.js")).serve },
	{ name: "resume", load: async () => (await import("./commands/resume.js")).resume },
	{ name: "node", load: async () => (await import("./commands/node.js")).node },
];

const all = (): Promise<Command[]> => Promise.all(commands.map(({ load }) => load()));

async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
	const [name, ...rest] = words;
	if (name === undefined) {
		terminal.err(generalHelp(await all()).trimEnd());
		return 2;
	}
	if (name === "--version" || name === "-v" || name === "-V") {
		terminal.out(version);
		return 0;
	}
	if (name === "--help" || name === "-h" || name === "help") {
		terminal.out((await helpOf(rest[0])).trimEnd());
		return 0;
	}
	const command = await findCommand(name, commands).load();
	const args = parse(command, rest);
	if (args.flag("help")) {
		terminal.out(commandHelp(command).trimEnd());
		return 0;
	}
	return await command.run(args, terminal);
}

async function helpOf(about: string | undefined): Promise<string> {
	if (about === undefined) return generalHelp(await all());
	return about === "report" ? reportHelp() : commandHelp(await findCommand(about, commands).load());
}

await exitWith((terminal) => run(process.argv.slice(2), terminal));
