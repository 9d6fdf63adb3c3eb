/** `stickslip generate`: generates problems of any size from a seed, as FCLIB files. */
import {
	countContacts,
	type GeneratedProblem,
	type GenerateOptions,
	generateNames,
	generate as generateProblem,
	generateRolling,
	InputError,
	type Problem,
} from "@stickslip/core";
import { counted } from "../base/format.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import type { Command, OptionSpec, Terminal } from "../cli/command.js";
import { entries } from "../cli/help.js";
import { pipeGenerated, saveGenerated } from "../files/save.js";
import { checkFile, tryFile } from "../output/targets.js";

/** Options that are passed to the library under its own names. */
const numbers: readonly (OptionSpec & { readonly key: keyof GenerateOptions })[] = [
	{
		name: "contacts",
		key: "contacts",
		value: "N",
		what: "number of contacts, 1 to 10 million (default 1000)",
		example: "1000",
	},
	{
		name: "bodies",
		key: "bodies",
		value: "N",
		what: "number of bodies, instead of --contacts, 1 to 10 million",
		example: "500",
	},
	{ name: "seed", key: "seed", value: "N", what: "seed of the random numbers (default 1)", example: "7" },
	{ name: "step", key: "step", value: "SECONDS", what: "length of the time step (default 0.005)", example: "0.005" },
	{
		name: "speed",
		key: "speed",
		value: "X",
		what: "greatest random velocity per axis in m/s (default 0.05)",
		example: "0.05",
	},
	{
		name: "load",
		key: "load",
		value: "X",
		what: "load on the topmost bodies, in multiples of their weight (default 0)",
		example: "10",
	},
	{
		name: "heavy",
		key: "heavy",
		value: "X",
		what: "density of heavy bodies, relative to the others, with --heavy-share (default 1; spheres-heavy 8)",
		example: "8",
	},
	{
		name: "heavy-share",
		key: "heavyShare",
		value: "X",
		what: "probability that a body is heavy, 0 to 1 (default 0; spheres-heavy 0.25)",
		example: "0.25",
	},
	{
		name: "layers",
		key: "layers",
		value: "N",
		what: "number of layers of bodies, up to 1000; 0 for a heap (default 0; spheres-layers 4)",
		example: "4",
	},
];

export const generate: Command = {
	name: "generate",
	usage: "[NAME --output FILE [options]]",
	what: "generates problems of any size from a seed, as FCLIB files",
	options: [
		...numbers,
		{ name: "mu", value: "X or X:Y", what: "friction coefficient, or the range of random ones (default 0.3:0.6)" },
		{
			name: "law",
			value: "NAME[:PARAMETER=X,...]",
			what: "law of the contacts (default coulomb); several joined by +: each contact has one of them at random",
		},
		{ name: "form", value: "NAME", what: "global (default: M, H, f, w and the geometry) or local (W and q)" },
		{ name: "output", value: "FILE", what: "output file; - for standard output" },
		{ name: "json", what: "print a JSON object about the file" },
	],
	notes: `
Without NAME the names are listed. The problems are piles of falling rigid bodies at one time step,
with contact frames and lever arms; nothing is simulated. The same NAME, options and seed give the
same numbers on every machine; the bytes of the files differ, because HDF5 stores the time in them.

Examples: stickslip generate
          stickslip generate spheres --contacts 10000 --seed 7 --output pile.hdf5
          stickslip generate planks --bodies 500 --mu 0.2:0.9 --form local --output planks.hdf5
          stickslip generate spheres --law coulomb+cohesive:cohesion=1e-4 --output glued.hdf5
          stickslip generate spheres --law rolling:mu_r=1e-3 --output rolling.hdf5
`,
	async run(args, terminal) {
		const [name, ...more] = args.operands;
		if (more.length > 0) args.refuse(more[0] ?? "", "unknown argument", "generate one problem at a time");
		if (name === undefined) return list(args, terminal);
		const output = args.text("output") ?? args.refuse("--output", "is missing", "write --output FILE, or --output -");
		const form = args.choice("form", ["global", "local"]) ?? "global";
		const piped = output === "-";
		if (piped && process.stdout.isTTY)
			args.refuse("--output", "standard output is a terminal", "pipe it, or name a file");
		if (!piped) tryFile(args.command, "--output", checkFile(args.command, "--output", output, []));
		const options = generateOptions(args);
		refuseIdle(args, name, options);
		const problem = generated(args, name, options);
		const origin = originOf(name, options);
		if (piped) await pipeGenerated(process.stdout, problem, form, origin);
		else await saveGenerated(output, problem, form, origin);
		const contacts = countContacts(problem);
		const bodies = bodiesOf(problem);
		const print = piped ? terminal.err : terminal.out;
		if (args.flag("json")) print(JSON.stringify({ file: output, name: problem.name, form, contacts, bodies }));
		else
			print(`${output}: ${name}, ${counted(contacts, "contact")}, ${counted(bodies, "body", "bodies")}, ${form} form`);
		return 0;
	},
};

/** Of a problem whose contacts roll there is the global form, with six freedoms a body. */
function bodiesOf({ rigid, global }: Problem): number {
	return rigid?.inverseMass.length ?? (global?.f.length ?? 0) / 6;
}

function list(args: Arguments, terminal: Terminal): 0 {
	const names = generateNames();
	if (args.flag("json")) terminal.out(JSON.stringify(names));
	else {
		terminal.out(entries(names.map(({ name, what }) => [name, what] as const)));
		terminal.out("\nGenerate one with: stickslip generate NAME --contacts N --output FILE");
	}
	return 0;
}

/** Words to numbers here, ranges in the library. */
function generateOptions(args: Arguments): GenerateOptions {
	const options: { -readonly [Key in keyof GenerateOptions]: GenerateOptions[Key] } = {};
	for (const { name, key } of numbers) {
		const text = args.text(name);
		if (text !== undefined) Object.assign(options, { [key]: numberOf(args, name, text) });
	}
	const law = args.text("law");
	if (law !== undefined) options.law = law;
	const mu = args.text("mu")?.split(":");
	if (mu === undefined) return options;
	const [from = 0, to = from, ...rest] = mu.map((text) => numberOf(args, "mu", text));
	if (rest.length > 0) args.refuse("--mu", "has more than two values", "write --mu 0.5 or --mu 0.3:0.6");
	return { ...options, mu: [from, to] };
}

function numberOf(args: Arguments, name: string, text: string): number {
	const example = numbers.find((option) => option.name === name)?.example ?? "0.5";
	return asNumber(text) ?? args.refuse(`--${name}`, `"${text}" is not a number`, `write e.g. --${name} ${example}`);
}

/** All options of a pile with their values; nothing for an unknown pile, which generating it reports. */
function valuesOf(name: string, options: GenerateOptions): GenerateOptions {
	const { contacts, ...defaults } = generateNames().find((entry) => entry.name === name)?.defaults ?? {};
	return { ...(options.bodies === undefined && { contacts }), ...defaults, ...options };
}

/** Heavy bodies need both their share and another density: one without the other changes nothing, and is a mistake. */
function refuseIdle(args: Arguments, name: string, options: GenerateOptions): void {
	const { heavy, heavyShare } = valuesOf(name, options);
	if (options.heavy !== undefined && options.heavy !== 1 && heavyShare === 0) {
		args.refuse("--heavy", `has no effect: no body of ${name} is heavy`, "add e.g. --heavy-share 0.25");
	}
	if (options.heavyShare !== undefined && options.heavyShare !== 0 && heavy === 1) {
		args.refuse(
			"--heavy-share",
			`has no effect: heavy bodies of ${name} are as dense as the others`,
			"add e.g. --heavy 8",
		);
	}
}

/** The library's refusals in the words of the command line: heavyShare is --heavy-share there. */
function generated(args: Arguments, name: string, options: GenerateOptions): GeneratedProblem | Problem {
	const { law } = options;
	try {
		return law?.startsWith("rolling") ? generateRolling(name, { ...options, law }) : generateProblem(name, options);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const option =
			numbers.find(({ key }) => key === error.place)?.name ??
			(error.place === "mu" || error.place === "law" ? error.place : undefined);
		return args.refuse(option === undefined ? error.place : `--${option}`, error.problem, error.remedy);
	}
}

/** The command that makes the same problem again, defaults spelled out. */
function originOf(name: string, options: GenerateOptions): string {
	const values = valuesOf(name, options);
	const words = numbers.flatMap(({ name: option, key }) => {
		return values[key] === undefined ? [] : [`--${option} ${String(values[key])}`];
	});
	const mu = typeof values.mu === "number" ? [values.mu] : (values.mu ?? []);
	const law = options.law === undefined ? [] : [`--law ${options.law}`];
	return ["stickslip generate", name, ...words, `--mu ${mu.join(":")}`, ...law].join(" ");
}
