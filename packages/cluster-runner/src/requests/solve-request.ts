/**
 * What a `solve` is asked for, and how it runs: a command line is parsed and checked once, here. A run keeps both as data (stored.ts), so that what
 * decides the answer is apart from ranks and transports, which may be others when the run is resumed.
 */
import { MEASURES, methods, type SolveOptions } from "@stickslip/core";
import { PARTITION_METHODS } from "@stickslip/partition";
import { onlyGiven } from "../base/only-given.js";
import { TRANSPORTS } from "../base/transports.js";
import { asNumber, type Given } from "../cli/given.js";
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
export type HowToRun = Pick<RankOptions, "ranks" | "transport" | "processes" | "partition">;

/** A line, and what it asks for. */
export interface SolveLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly solve: SolveRequest;
	readonly how: HowToRun;
}

/** `runs`: the folder of runs, for a solve that makes its own run. */
export function parseSolve(given: Given): Omit<SolveLine, "line"> & { readonly runs: string | undefined } {
	const json = given.flag("json");
	const history = given.flag("history");
	const report = given.text("report");
	if (history && !json && report === undefined) {
		given.refuse("--history", "needs --json or --report", "add --json, or --report FILE for a curve");
	}
	const options = solverOptions(given);
	const how = onlyGiven({ ...ranksIn(given), partition: given.choice("partition", PARTITION_METHODS) });
	if (given.operands.length === 0) given.refuse("FILE", "is missing", "name an FCLIB file, or - for standard input");
	const checkpoint = checkpointOf(given, options);
	const runs = given.text("runs");
	if (runs !== undefined && checkpoint === undefined) {
		given.refuse("--runs", "needs --checkpoint", "add --checkpoint SECONDS");
	}
	const texts = { output: given.text("output"), report, capsule: given.text("capsule") };
	const solve: SolveRequest = {
		...{ command: "solve", inputs: given.operands, options, json, history },
		...onlyGiven({ ...texts, checkpoint }),
	};
	return { solve, how, runs };
}

function solverOptions(given: Given): SolverOptions {
	const set = settings(given);
	return onlyGiven({
		method: given.choice("method", [...new Set(["auto", ...methods().map(({ name }) => name)])]),
		tolerance: given.real("tolerance", "above 0", 1e-3),
		measure: given.choice("measure", MEASURES),
		start: given.choice("start", STARTS),
		maxIterations: given.integer("max-iterations", 1, ITERATIONS_MAX, 1000),
		timeLimit: given.real("time-limit", "from 0", 60),
		repeat: given.integer("repeat", 1, REPEAT_MAX, 3),
		set: Object.keys(set).length > 0 ? set : undefined,
	});
}

/** Combinations are checked by `choose`. */
export function ranksIn(given: Given): Omit<HowToRun, "partition"> {
	return onlyGiven({
		ranks: given.text("ranks") === "auto" ? ("auto" as const) : given.integer("ranks", 1, RANKS_MAX, 2),
		transport: given.choice("transport", TRANSPORTS),
		processes: given.integer("processes", 1, RANKS_MAX, 2),
	});
}

function checkpointOf(given: Given, { repeat = 1 }: SolverOptions): number | undefined {
	const checkpoint = given.real("checkpoint", "from 0", 60);
	if (checkpoint === undefined) return undefined;
	if (checkpoint > CHECKPOINT_SECONDS_MAX) {
		given.refuse("--checkpoint", `${checkpoint} seconds are more than a week`, "give less");
	}
	if (repeat > 1) given.refuse("--checkpoint", "cannot be combined with --repeat", "leave out one of them");
	return checkpoint;
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
