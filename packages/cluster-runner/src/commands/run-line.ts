/** Runs a command line: finds the command, parses its words and hands them over. */
import { version } from "@stickslip/core";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { commandHelp, generalHelp, reportHelp } from "../cli/help.js";
import { findCommand, parse } from "../cli/parse.js";

/** In the order of the help. Each is loaded when it is asked for: a solve does not wait for what a launch needs. */
const commands: readonly { readonly name: string; readonly load: () => Promise<Command> }[] = [
	{ name: "solve", load: async () => (await import("./solve.js")).solve },
	{ name: "info", load: async () => (await import("./info.js")).info },
	{ name: "simulate", load: async () => (await import("./simulate.js")).simulate },
	{ name: "picture", load: async () => (await import("./picture.js")).picture },
	{ name: "generate", load: async () => (await import("./generate.js")).generate },
	{ name: "study", load: async () => (await import("./study.js")).study },
	{ name: "methods", load: async () => (await import("./methods.js")).methods },
	{ name: "doctor", load: async () => (await import("./doctor.js")).doctor },
	{ name: "runs", load: async () => (await import("./runs.js")).runs },
	{ name: "status", load: async () => (await import("./status.js")).status },
	{ name: "logs", load: async () => (await import("./logs.js")).logs },
	{ name: "stop", load: async () => (await import("./stop.js")).stop },
	{ name: "launch", load: async () => (await import("./launch.js")).launch },
	{ name: "serve", load: async () => (await import("./serve.js")).serve },
	{ name: "resume", load: async () => (await import("./resume.js")).resume },
	{ name: "node", load: async () => (await import("./node.js")).node },
];

const all = (): Promise<Command[]> => Promise.all(commands.map(({ load }) => load()));

export async function runLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
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
