/**
 * What a `solve` is asked for, and how it runs: a command line is parsed and checked once, here. A run keeps both as data (stored.ts), so that what
 * decides the answer is apart from ranks and transports, which may be others when the run is resumed.
 */
import { MEASURES, methods, type SolveOptions } from "@stickslip/core";
import { PARTITION_METHODS } from "@stickslip/partition";
import { onlyGiven } from "../base/only-given.js";
import { TRANSPORTS } from "../base/transports.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { RANKS_MAX } from "../protocol/messages.js";
import type { RankOptions } from "../ranks/choose.js";

export const STARTS = ["zero", "guess"] as const;
/** Every count up to here is exact in a number. */
export const ITERATIONS_MAX = Number.MAX_SAFE_INTEGER;
/** More repeats find no better time, and the number must be limited. */
export const REPEAT_MAX = 100_000;
/** A week, in seconds. */
export const CHECKPOINT_SECONDS_MAX = 604_800;

/** Options of the solver that were given; the range of values is checked by the library. */
export type SolverOptions = Pick<
	SolveOptions,
	"method" | "tolerance" | "measure" | "maxIterations" | "timeLimit" | "repeat" | "set"
> & {
	/** guess: the first one in the file. */
	readonly start?: (typeof STARTS)[number];
};

export interface SolveRequest {
	readonly command: "solve";
	/** Files, globs, or - for standard input, as they were written. */
	readonly inputs: readonly string[];
	readonly options: SolverOptions;
	readonly json: boolean;
	readonly history: boolean;
	readonly output?: string;
	/** The HTML page. */
	readonly report?: string;
	/** The folder of capsules. */
	readonly capsule?: string;
	/** Seconds between checkpoints; 0 for none but on request. */
	readonly checkpoint?: number;
}

/** What no bit of the answer depends on. Where a launcher decides on ranks and transport, it counts more. */
export type ExecutionOptions = Pick<RankOptions, "ranks" | "transport" | "processes" | "partition">;

/** A line, and what it asks for. */
export interface SolveLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly solve: SolveRequest;
	readonly how: ExecutionOptions;
}

/** `runs`: the folder of runs, for a solve that makes its own run. */
export function parseSolve(args: Arguments): Omit<SolveLine, "line"> & { readonly runs: string | undefined } {
	const json = args.flag("json");
	const history = args.flag("history");
	const report = args.text("report");
	if (history && !json && report === undefined) {
		args.refuse("--history", "needs --json or --report", "add --json, or --report FILE for a curve");
	}
	const options = solverOptions(args);
	const how = onlyGiven({ ...ranksIn(args), partition: args.choice("partition", PARTITION_METHODS) });
	if (args.operands.length === 0) args.refuse("FILE", "is missing", "name an FCLIB file, or - for standard input");
	const checkpoint = checkpointOf(args, options);
	const runs = args.text("runs");
	if (runs !== undefined && checkpoint === undefined) {
		args.refuse("--runs", "needs --checkpoint", "add --checkpoint SECONDS");
	}
	const texts = { output: args.text("output"), report, capsule: args.text("capsule") };
	const solve: SolveRequest = {
		...{ command: "solve", inputs: args.operands, options, json, history },
		...onlyGiven({ ...texts, checkpoint }),
	};
	return { solve, how, runs };
}

function solverOptions(args: Arguments): SolverOptions {
	const set = settings(args);
	return onlyGiven({
		method: args.choice("method", [...new Set(["auto", ...methods().map(({ name }) => name)])]),
		tolerance: args.real("tolerance", "above 0", 1e-3),
		measure: args.choice("measure", MEASURES),
		start: args.choice("start", STARTS),
		maxIterations: args.integer("max-iterations", 1, ITERATIONS_MAX, 1000),
		timeLimit: args.real("time-limit", "from 0", 60),
		repeat: args.integer("repeat", 1, REPEAT_MAX, 3),
		set: Object.keys(set).length > 0 ? set : undefined,
	});
}

/** Combinations are checked by `choose`. */
export function ranksIn(args: Arguments): Omit<ExecutionOptions, "partition"> {
	return onlyGiven({
		ranks: args.text("ranks") === "auto" ? ("auto" as const) : args.integer("ranks", 1, RANKS_MAX, 2),
		transport: args.choice("transport", TRANSPORTS),
		processes: args.integer("processes", 1, RANKS_MAX, 2),
	});
}

function checkpointOf(args: Arguments, { repeat = 1 }: SolverOptions): number | undefined {
	const checkpoint = args.real("checkpoint", "from 0", 60);
	if (checkpoint === undefined) return undefined;
	if (checkpoint > CHECKPOINT_SECONDS_MAX) {
		args.refuse("--checkpoint", `${checkpoint} seconds are more than a week`, "give less");
	}
	if (repeat > 1) args.refuse("--checkpoint", "cannot be combined with --repeat", "leave out one of them");
	return checkpoint;
}

/** `--set name=value`: a number where it reads as one, otherwise a word. */
function settings(args: Arguments): Record<string, string | number> {
	const set = new Map<string, string | number>();
	for (const text of args.texts("set")) {
		const [, name, value] = /^([A-Za-z][\w-]*)=(.+)$/.exec(text) ?? [];
		if (name === undefined || value === undefined) {
			args.refuse("--set", `"${text}" is not of the form name=value`, "write e.g. --set delta=0.1");
		}
		if (set.has(name)) args.refuse("--set", `${name} is given twice`, "give it once");
		set.set(name, asNumber(value) ?? value);
	}
	return Object.fromEntries(set);
}
