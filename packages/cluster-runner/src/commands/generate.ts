/** `stickslip generate`: problems of any size from a seed, written as FCLIB files. */
import { type GenerateOptions, generateNames, generate as generateProblem } from "@stickslip/core";
import type { Command, OptionSpec, Terminal } from "../command.js";
import { asNumber, type Given } from "../line/given.js";
import { entries } from "../line/help.js";
import { counted } from "../output/format.js";
import { checkFile } from "../output/targets.js";
import { pipeGenerated, saveGenerated } from "../save.js";

/** Options that go to the library as they are, in its names. */
const numbers: readonly (OptionSpec & { readonly key: keyof GenerateOptions })[] = [
	{ name: "contacts", key: "contacts", value: "N", what: "how many contacts, 1 to 10 million (default 1000)" },
	{ name: "bodies", key: "bodies", value: "N", what: "how many bodies instead" },
	{ name: "seed", key: "seed", value: "N", what: "the same seed gives the same file (default 1)" },
	{ name: "step", key: "step", value: "SECONDS", what: "length of the time step (default 0.005)" },
	{ name: "speed", key: "speed", value: "X", what: "greatest random velocity per axis in m/s (default 0.05)" },
	{ name: "load", key: "load", value: "X", what: "what rests on the topmost bodies, in weights of theirs (default 0)" },
	{ name: "heavy", key: "heavy", value: "X", what: "some bodies are X times as dense" },
	{ name: "heavy-share", key: "heavyShare", value: "X", what: "the probability of that, 0 to 1" },
	{ name: "layers", key: "layers", value: "N", what: "how many bodies deep; 0 for a heap" },
];

export const generate: Command = {
	name: "generate",
	usage: "NAME --output FILE [options]; without NAME: the list of names",
	what: "makes problems of any size from a seed, as FCLIB files",
	options: [
		...numbers,
		{ name: "mu", value: "X or X:Y", what: "friction coefficient, or the range it is drawn from (default 0.3:0.6)" },
		{ name: "form", value: "NAME", what: "global (default: M, H, f, w and the geometry) or local (W and q)" },
		{ name: "output", value: "FILE", what: "where to write it; - for standard output" },
		{ name: "json", what: "say what was written as a JSON object" },
	],
	notes: `
Piles of rigid bodies in the middle of a fall, with contact frames and arms; nothing is simulated.

Examples: stickslip generate
          stickslip generate spheres --contacts 100000 --seed 7 --output pile.hdf5
          stickslip generate planks --bodies 500 --mu 0.2:0.9 --form local --output planks.hdf5
`,
	async run(given, terminal) {
		const [name, ...more] = given.operands;
		if (more.length > 0) given.refuse(more[0] ?? "", "is one name too many", "generate one problem at a time");
		if (name === undefined) return list(given, terminal);
		const output = given.text("output") ?? given.refuse("--output", "is missing", "write --output FILE, or --output -");
		const form = given.choice("form", ["global", "local"]) ?? "global";
		const piped = output === "-";
		if (piped && process.stdout.isTTY)
			given.refuse("--output", "standard output is a terminal", "pipe it, or name a file");
		if (!piped) checkFile(given.command, "--output", output, []);
		const problem = generateProblem(name, generateOptions(given));
		if (piped) await pipeGenerated(process.stdout, problem, form);
		else await saveGenerated(output, problem, form);
		const { contacts, rigid } = problem;
		const bodies = rigid.inverseMass.length;
		const tell = piped ? terminal.err : terminal.out;
		if (given.flag("json")) tell(JSON.stringify({ file: output, name: problem.name, form, contacts, bodies }));
		else
			tell(`${output}: ${name}, ${counted(contacts, "contact")}, ${counted(bodies, "body", "bodies")}, ${form} form`);
		return 0;
	},
};

function list(given: Given, terminal: Terminal): 0 {
	const names = generateNames();
	if (given.flag("json")) terminal.out(JSON.stringify(names));
	else {
		terminal.out(entries(names.map(({ name, what }) => [name, what] as const)));
		terminal.out("\nMake one with: stickslip generate NAME --contacts N --output FILE");
	}
	return 0;
}

/** Words to numbers here, ranges in the library. */
function generateOptions(given: Given): GenerateOptions {
	const options: { -readonly [Key in keyof GenerateOptions]: GenerateOptions[Key] } = {};
	for (const { name, key } of numbers) {
		const text = given.text(name);
		if (text !== undefined) Object.assign(options, { [key]: numberOf(given, name, text) });
	}
	const mu = given.text("mu")?.split(":");
	if (mu === undefined) return options;
	const [from = 0, to = from, ...rest] = mu.map((text) => numberOf(given, "mu", text));
	if (rest.length > 0) given.refuse("--mu", "has more than two ends", "write --mu 0.5 or --mu 0.3:0.6");
	return { ...options, mu: [from, to] };
}

function numberOf(given: Given, name: string, text: string): number {
	return asNumber(text) ?? given.refuse(`--${name}`, `"${text}" is no number`, `write e.g. --${name} 100`);
}
