/** Help texts, formatted from the data of the commands. */
import { isReport } from "@stickslip/core/parallel";
import type { Check } from "@stickslip/core/schema";
import type { Command } from "./command.js";
import { optionsOf } from "./parse.js";

const columnsMax = 100;

export function generalHelp(commands: readonly Command[]): string {
	const rows = commands.map((command) => [command.name, command.what] as const);
	return `stickslip: frictional contact between many bodies, solved exactly.

Usage: stickslip COMMAND [arguments]

${entries(rows)}

stickslip COMMAND --help describes a command; stickslip --version (-V) prints the version.

Exit codes: 0 solved, 1 not solved (the report says why), 2 usage error or bad input (a message on standard
error says what and where), 3 a rank or the solver failed, 75 stopped on request with a checkpoint, from
which stickslip resume continues. Results are printed on standard output, messages on standard error.

Start with:  stickslip generate spheres --contacts 1000 --output pile.hdf5
             stickslip solve pile.hdf5
`;
}

export function commandHelp(command: Command): string {
	const rows = optionsOf(command).map(({ name, short, value, what }) => {
		const dashed = short === undefined ? `--${name}` : `-${short}, --${name}`;
		return [value === undefined ? dashed : `${dashed} ${value}`, what] as const;
	});
	return `stickslip ${command.name}: ${command.what}

Usage: stickslip ${command.name} ${command.usage}

${entries(rows)}

${command.notes.trim()}
`;
}

/** The fields of a report, and of the records in it. */
export function reportHelp(): string {
	return `stickslip help report: the fields of the object that solve --json prints

${entries(fieldsOf(isReport))}

In JSON a number that is not finite is null.
`;
}

function fieldsOf({ shape = {} }: Check<unknown>, before = ""): (readonly [string, string])[] {
	return Object.entries(shape).flatMap(([name, check]) => {
		const { help = "", item } = check;
		const whole = item === undefined ? `${before}${name}` : `${before}${name}[]`;
		const { shape: inside, wanted = "" } = item ?? check;
		return [[whole, inside === undefined ? `${help} (${wanted})` : help], ...fieldsOf(item ?? check, `${whole}.`)];
	});
}

/** Two columns, the second wrapped under itself. */
export function entries(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length)) + 4;
	return rows
		.map(([left, right]) => {
			const [first = "", ...rest] = wrap(right, columnsMax - width);
			return [`  ${left.padEnd(width - 2)}${first}`, ...rest.map((line) => " ".repeat(width) + line)].join("\n");
		})
		.join("\n");
}

/** Breaks a text at spaces; a word that is too long stays whole. */
export function wrap(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		if (line !== "" && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === "" ? word : `${line} ${word}`;
	}
	return [...lines, line];
}
