/** The options and the help of `solve`, as plain data. */
import { STATUSES } from "@stickslip/core";
import { PARTITION_METHODS } from "@stickslip/partition";
import { isJoined, TRANSPORTS, type Transport, transports } from "../base/transports.js";
import type { OptionSpec } from "../cli/command.js";
import { runsOption } from "../cli/common-options.js";
import { RANKS_MAX } from "../protocol/messages.js";

function described(name: Transport): string {
	const { what } = transports[name];
	return what === "" ? name : `${name} (${what})`;
}

/** Also of a run that is resumed without a launcher. */
export const rankSpecs: readonly OptionSpec[] = [
	{
		name: "ranks",
		value: "N",
		what: `number of ranks, 1 to ${RANKS_MAX}, or auto (default: all cores if the problem is large enough or a transport is given, else 1); the answer is the same, bit for bit`,
	},
	{
		name: "transport",
		value: "NAME",
		what: `communication of ranks: ${TRANSPORTS.map(described).join(", ")}`,
	},
	{
		name: "processes",
		value: "P",
		what: `number of processes for ${TRANSPORTS.filter(isJoined).join(" and ")}, which divide the ranks evenly (default 2)`,
	},
];

export const solveSpecs: readonly OptionSpec[] = [
	{
		name: "method",
		value: "NAME",
		what: "auto (default: chosen by measurements of the problem) or a method listed by `stickslip methods`",
	},
	{
		name: "tolerance",
		value: "X",
		what: "tolerance on the error in the chosen measure (energy 1e-2, natural and gradient 1e-3, merit 1e-6)",
	},
	{
		name: "measure",
		value: "NAME",
		what: "measure of the error: energy (default, dimensionless), natural (that of Siconos), merit or gradient; the first three are always reported",
	},
	{ name: "start", value: "NAME", what: "initial value: zero (default) or guess, the first guess in the file" },
	{ name: "max-iterations", value: "N", what: "maximum number of iterations (default 100000, at most 2^53 - 1)" },
	{
		name: "time-limit",
		value: "SECONDS",
		what: "time limit of each solve, after which the best iterate is returned (default none)",
	},
	{
		name: "repeat",
		value: "N",
		what: "solve N times from the same initial value and report the shortest time (default 1, at most 100000)",
	},
	{
		name: "set",
		value: "NAME=VALUE",
		what: "set an option of the method (see `stickslip methods`); repeatable",
		repeatable: true,
	},
	{
		name: "output",
		value: "FILE",
		what: "write the problem with its /solution, also if it is not solved; a folder for several files",
	},
	{ name: "json", what: "print one JSON object per problem, one per line, and nothing else on standard output" },
	{ name: "history", what: "add the error of every iteration to the object of --json" },
	{ name: "report", value: "FILE", what: "write an HTML page with the report and a convergence plot" },
	{
		name: "capsule",
		value: "FOLDER",
		what: "save a failed solve (unsolved, diverged, a rank lost) with problem, options and history as NAME.hdf5 and NAME.json",
	},
	...rankSpecs,
	{
		name: "partition",
		value: "METHOD",
		what: `method of partitioning the contacts: ${PARTITION_METHODS.join(", ")} (default auto; rcb and sfc need contact points, metis needs its library)`,
	},
	{
		name: "checkpoint",
		value: "SECONDS",
		what: "make the solve a run that `stickslip resume` can continue, with a checkpoint at this interval and on Ctrl-C (0: on Ctrl-C only)",
	},
	runsOption,
];

export const solveNotes = `
FILE is an FCLIB file, a quoted glob ("data/**/*.hdf5") or - for standard input. For several files a
table with one row per file is printed; all of them are attempted, and the exit code is the worst
one. Plane problems are not solved yet; \`stickslip info\` describes them. Of rolling problems (5
components per contact) answers have the same five.

On a terminal a progress line shows the method, the iteration, the error (~ if it is an estimate)
and the rates. Ctrl-C stops with the best iterate, which is reported (status cancelled, exit code 1)
and written; a second Ctrl-C exits at once. With --checkpoint, and under \`stickslip launch\`, Ctrl-C
stops with a checkpoint (exit code 75), from which \`stickslip resume\` continues to the same answer.

The answer does not depend on the number of ranks, bit for bit. More ranks than cores are allowed,
with a warning, and slower. If a rank is lost or fails, the solve ends with exit code 3 and names
the rank. \`stickslip doctor\` shows which transports work on this machine.

--output, --report and standard output are tested before a solve. If an answer cannot be written
after all, it is written to the folder of the run, else to the current folder, else to the folder
for temporary files; a message says where, and the exit code is 2. If standard output is closed (|
head), the remaining files are skipped unless --output or --report is given, and the exit code is 1.

If FILE is the NAME.json of a capsule, the saved problem is solved again on this machine, with the
saved options; options on the command line take precedence.

With --json a file that cannot be read or solved has an object too: problem, status "error", reason
and version. --history and --report measure the error at every iteration, which takes time and
changes nothing else.

Statuses: ${STATUSES.join(", ")}.
In JSON a number that is not finite is null. \`stickslip help report\` lists the fields.

Examples: stickslip generate spheres --contacts 1000 --output pile.hdf5
          stickslip solve pile.hdf5 --tolerance 5e-4 --output solved.hdf5
          stickslip solve "data/*.hdf5" --measure natural --tolerance 1e-4 --output answers/
          stickslip generate planks --bodies 500 --output - | stickslip solve - --json
          stickslip solve pile.hdf5 --ranks 4 --transport threads+zeromq
          stickslip solve pile.hdf5 --method pqn --set m=20 --set delta=0.1 --report pile.html
`;
