/** Parses a command line strictly: an unknown option is an error that names the nearest known one. */
import { parseArgs } from "node:util";
import { InputError } from "@stickslip/core";
import { Arguments } from "./arguments.js";
import type { Command, OptionSpec } from "./command.js";
import { nearest } from "./nearest.js";

const helpOption: OptionSpec = { name: "help", what: "print this help" };

/** All options of a command, with --help, which each command has. */
export function optionsOf(command: Pick<Command, "options">): readonly OptionSpec[] {
	return [...command.options, helpOption];
}

export function parse(command: Pick<Command, "name" | "options" | "isFront">, words: readonly string[]): Arguments {
	const specs = optionsOf(command);
	const end = command.isFront === true ? words.indexOf("--") : -1;
	const args = end < 0 ? [...words] : words.slice(0, end);
	const { tokens } = parseArgs({
		args,
		strict: false,
		tokens: true,
		options: {
			...Object.fromEntries(
				specs.map(({ name, value, short }) => {
					return [name, { type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short }) }];
				}),
			),
			help: { type: "boolean", short: "h" },
		},
	});
	const operands: string[] = [];
	const flags = new Set<string>();
	const texts = new Map<string, string[]>();
	const unknown = new Set<number>();
	let joined: string | undefined;
	for (const token of tokens) {
		if (token.kind === "positional") {
			const option = unknown.has(token.index - 1) ? (args[token.index - 1] ?? "") : "";
			if (option !== "" && !option.includes("="))
				joined ??= `${option}${option.startsWith("--") ? "=" : ""}${token.value}`;
			operands.push(token.value);
		}
		if (token.kind !== "option") continue;
		const spec = specs.find((candidate) => candidate.name === token.name);
		// "-phost" is one argument for another program, not "-p -h ...".
		const isGroup = /^-[^-]./.test(args[token.index] ?? "");
		if (command.isFront === true && (spec === undefined || isGroup)) {
			unknown.add(token.index);
			continue;
		}
		if (spec === undefined) throw unknownOption(command, token.rawName, specs);
		if (spec.value === undefined) {
			if (token.value !== undefined) throw misused(command, spec, "takes no value", `write --${spec.name} alone`);
			flags.add(spec.name);
			continue;
		}
		// The next word is taken as the value even where it is the next option: "--output --json" lacks a file name.
		const swallowed = token.inlineValue === false && /^--./.test(token.value ?? "");
		if (token.value === undefined || token.value === "" || swallowed) {
			throw misused(command, spec, "needs a value", `write --${spec.name} ${spec.value}`);
		}
		const before = texts.get(spec.name) ?? [];
		if (before.length > 0 && spec.repeatable !== true) {
			throw misused(command, spec, `is given twice, as ${before[0] ?? ""} and as ${token.value}`, "give it once");
		}
		texts.set(spec.name, [...before, token.value]);
	}
	const rest = {
		unknown: [...unknown].map((index) => args[index] ?? ""),
		line: end < 0 ? undefined : words.slice(end + 1),
		joined,
	};
	const values = new Map(specs.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])));
	return new Arguments(command.name, operands, flags, texts, rest, values);
}

/** The command of that name. */
export function findCommand<Named extends Pick<Command, "name">>(name: string, commands: readonly Named[]): Named {
	const found = commands.find((command) => command.name === name);
	if (found !== undefined) return found;
	const names = commands.map((command) => command.name);
	const meant = nearest(name, names);
	const remedy = meant === undefined ? `choose among ${names.join(", ")}` : `did you mean ${meant}?`;
	throw new InputError("command line", name, "unknown command", remedy);
}

function unknownOption(command: Pick<Command, "name">, raw: string, specs: readonly OptionSpec[]): InputError {
	const names = specs.map((spec) => spec.name);
	const meant = nearest(raw.replace(/^-+/, ""), names);
	const help = `stickslip ${command.name} --help lists all`;
	const remedy = meant === undefined ? help : `did you mean --${meant}? (${help})`;
	return new InputError(command.name, raw, "unknown option", remedy);
}

function misused(command: Pick<Command, "name">, spec: OptionSpec, problem: string, remedy: string): InputError {
	return new InputError(command.name, `--${spec.name}`, problem, remedy);
}
