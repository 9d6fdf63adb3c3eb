/** The options of `solve`: from words to the library's options. What the words must be is checked here, what the values may be by the library. */
import { methods, type SolveOptions } from "@stickslip/core";
import { PARTITION_METHODS } from "@stickslip/partition";
import type { OptionSpec } from "../command.js";
import { asNumber, type Given } from "../line/given.js";
import { type RankOptions, TRANSPORTS } from "../ranks/choose.js";
import { RANKS_MAX } from "../ranks/messages.js";

const measures = ["energy", "natural", "merit"] as const;
const starts = ["zero", "guess"] as const;
/** Every count up to here is exact in a number. */
const iterationsMax = Number.MAX_SAFE_INTEGER;
/** More repeats find no better time, and with a limit of time they have to end. */
const repeatMax = 100_000;

export const solveSpecs: readonly OptionSpec[] = [
	{
		name: "method",
		value: "NAME",
		what: "auto (default: chosen by what is measured of the problem) or one of `stickslip methods`",
	},
	{ name: "tolerance", value: "X", what: "the error to reach, in the measure (default 1e-3; merit 1e-6)" },
	{
		name: "measure",
		value: "NAME",
		what: "energy (default, free of units), natural (as Siconos stops on) or merit; all three are reported",
	},
	{ name: "start", value: "NAME", what: "zero (default) or guess: the first guess in the file" },
	{ name: "max-iterations", value: "N", what: "most iterations (default 100000, at most 2^53 - 1)" },
	{
		name: "time-limit",
		value: "SECONDS",
		what: "return the best so far after this time (default none); of each solve, where --repeat asks for many",
	},
	{
		name: "repeat",
		value: "N",
		what: "solve N times from the same start and report the least time (default 1, at most 100000); with --time-limit T it takes N times T at the most",
	},
	{
		name: "set",
		value: "NAME=VALUE",
		what: "an option of the method, repeatable; `stickslip methods` lists them",
		repeatable: true,
	},
	{
		name: "output",
		value: "FILE",
		what: "write the whole problem with its /solution, also when unsolved; a folder for many files",
	},
	{ name: "json", what: "one object per problem on standard output, a line each, and nothing else there" },
	{ name: "history", what: "add the error of every iteration to the JSON object of --json" },
	{ name: "report", value: "FILE", what: "write an HTML page with the report and the curve of convergence" },
	{
		name: "capsule",
		value: "FOLDER",
		what: "keep a solve that fails (unsolved, diverged, a rank lost): problem, options and history, as NAME.hdf5 and NAME.json",
	},
	{
		name: "ranks",
		value: "N",
		what: `auto (default: all cores where the problem is large enough or a transport is named, else 1) or 1 to ${RANKS_MAX}; the answer is the same to the last bit`,
	},
	{
		name: "transport",
		value: "NAME",
		what: "how ranks talk: threads (default), zeromq (a process each), mpi (the site's own), threads+zeromq or threads+mpi",
	},
	{
		name: "processes",
		value: "P",
		what: "for threads+zeromq and threads+mpi, which divide the ranks evenly (default 2)",
	},
	{
		name: "partition",
		value: "METHOD",
		what: `how contacts are shared out: ${PARTITION_METHODS.join(", ")} (default auto; rcb and sfc need contact points, metis its library)`,
	},
	{
		name: "checkpoint",
		value: "SECONDS",
		what: "keep the solve as a run, with a checkpoint as often and on Ctrl-C, for `stickslip resume` (0: on Ctrl-C only)",
	},
	{ name: "runs", value: "DIR", what: "where runs are kept (default $STICKSLIP_RUNS, else ~/.stickslip/runs)" },
];

export const solveNotes = `
FILE is an FCLIB file, a quoted glob ("data/**/*.hdf5") or - for standard input. Many files give a table
with a row each; all are attempted, and the exit code is the worst. Rolling problems (5 components per
contact) and problems in the plane are described by \`stickslip info\` and not solved yet.

On a terminal a progress line shows method, iteration, error (~ where it is an estimate) and rates.
Ctrl-C stops with the best iterate so far, which is reported (status cancelled, exit code 1) and
written; a second Ctrl-C ends at once. With --checkpoint, and under \`stickslip launch\`, it stops with a
checkpoint (exit code 75), and \`stickslip resume\` goes on to the same bits.

Many ranks give the answer of one, bit for bit; more than cores is allowed, slower, and told. A rank that
is lost or fails ends the solve with its name, exit code 3. \`stickslip doctor\` tells what works here.

--output, --report and standard output are tried before a solve. An answer that cannot be written when it
is there goes to the folder of its run, else to the current one, else to that of temporary files, with a
line that says where; the exit code is 2. When nobody reads standard output any more (| head), files that
are left are not attempted, unless --output or --report wants them; the exit code is 1.

A capsule's NAME.json as FILE solves what it keeps again, with its options and those of the line over
them, on the ranks of this machine.

With --json a file that cannot be read or solved has an object as well: problem, status "error", reason
and version. --history and --report measure the error at every iteration, which costs time and changes
nothing else.
Statuses: solved, stalled, iteration-limit, time-limit, diverged, cancelled. In JSON a number that is not
finite is null.

Examples: stickslip generate spheres --contacts 1000 --output pile.hdf5
          stickslip solve pile.hdf5 --tolerance 5e-4 --output solved.hdf5
          stickslip solve "data/*.hdf5" --measure natural --tolerance 1e-4 --output answers/
          stickslip generate planks --bodies 500 --output - | stickslip solve - --json
          stickslip solve pile.hdf5 --ranks 4 --transport threads+zeromq
          stickslip solve pile.hdf5 --method pqn --set m=20 --set delta=0.1 --report pile.html
`;

export function solveOptions(given: Given): SolveOptions & RankOptions {
	if (given.flag("history") && !given.flag("json") && given.text("report") === undefined) {
		given.refuse("--history", "adds to the JSON object, and there is none", "add --json, or --report FILE for a curve");
	}
	const method = given.choice("method", [...new Set(["auto", ...methods().map(({ name }) => name)])]);
	const tolerance = given.real("tolerance", "above 0", 1e-3);
	const measure = given.choice("measure", measures);
	const start = given.choice("start", starts);
	const maxIterations = given.integer("max-iterations", 1, iterationsMax, 1000);
	const timeLimit = given.real("time-limit", "from 0", 60);
	const repeat = given.integer("repeat", 1, repeatMax, 3);
	return {
		...(method !== undefined && { method }),
		...(tolerance !== undefined && { tolerance }),
		...(measure !== undefined && { measure }),
		...(start !== undefined && { start }),
		...(maxIterations !== undefined && { maxIterations }),
		...(timeLimit !== undefined && { timeLimit }),
		...(repeat !== undefined && { repeat }),
		set: settings(given),
		...rankOptions(given),
	};
}

/** What goes together with what is checked by solveRanks. */
function rankOptions(given: Given): RankOptions {
	const ranks = given.text("ranks") === "auto" ? undefined : given.integer("ranks", 1, RANKS_MAX, 2);
	const transport = given.choice("transport", TRANSPORTS);
	const processes = given.integer("processes", 1, RANKS_MAX, 2);
	const partition = given.choice("partition", PARTITION_METHODS);
	return {
		...(ranks !== undefined && { ranks }),
		...(transport !== undefined && { transport }),
		...(processes !== undefined && { processes }),
		...(partition !== undefined && { partition }),
	};
}

/** `--set name=value`: a number where it reads as one, otherwise a word. */
function settings(given: Given): Record<string, string | number> {
	const set = new Map<string, string | number>();
	for (const text of given.texts("set")) {
		const [, name, value] = /^([A-Za-z][\w-]*)=(.+)$/.exec(text) ?? [];
		if (name === undefined || value === undefined) {
			given.refuse("--set", `"${text}" is not of the form name=value`, "write e.g. --set delta=0.1");
		}
		if (set.has(name)) given.refuse("--set", `${name} is given twice`, "give it once");
		set.set(name, asNumber(value) ?? value);
	}
	return Object.fromEntries(set);
}
