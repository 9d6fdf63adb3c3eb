/**
 * The request of a `solve`, and how it runs: a command line is parsed and checked once, here. A run keeps both as data (stored.ts): what decides the answer
 * is separate from ranks and transports, which may change when the run is resumed.
 */
import { MEASURES, methods } from "@stickslip/core";
import {
	type Checked,
	called,
	dictionary,
	either,
	exactly,
	flag,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { PARTITION_METHODS } from "@stickslip/partition";
import { TRANSPORTS } from "../base/transports.js";
import { withoutUndefined } from "../base/without-undefined.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { RANKS_MAX } from "../protocol/messages.js";

const STARTS = ["zero", "guess"] as const;
/** Every count up to here is exact in a number. */
const ITERATIONS_MAX = Number.MAX_SAFE_INTEGER;
/** More repeats find no better time, and the number must be limited. */
const REPEAT_MAX = 100_000;
/** A week, in seconds. */
const CHECKPOINT_SECONDS_MAX = 604_800;

const INPUTS_MAX = 1_000_000;
const SETTINGS_MAX = 100;
const words = text(10_000);
const file = called("the name of a file", words);

/** From 0, without infinity: the solve checks options again, with its own limits. */
const amount = called("a number from 0", (value): value is number => Number.isFinite(value) && (value as number) >= 0);
const setting = (value: unknown): value is string | number => Number.isFinite(value) || text(1000)(value);
const settings = dictionary(setting, SETTINGS_MAX);
const ranks = called(`${integer(1, RANKS_MAX).wanted}, or auto`, either(exactly("auto"), integer(1, RANKS_MAX)));

/** Options of the solver that were given; the range of values is checked by the library. Strict: an unknown one would be dropped silently. */
export const solverOptions = {
	method: optional(called("the name of a method", text(100))),
	tolerance: optional(amount),
	measure: optional(oneOf(MEASURES)),
	/** guess: the first one in the file. */
	start: optional(called(STARTS.join(" or "), oneOf(STARTS))),
	maxIterations: optional(called("an integer from 0", integer(0, ITERATIONS_MAX))),
	timeLimit: optional(amount),
	repeat: optional(integer(1, REPEAT_MAX)),
	set: optional(
		called("names with numbers or words", (value): value is Record<string, string | number> => {
			return settings(value) && Object.keys(value).every((name) => /^[A-Za-z][\w-]{0,99}$/.test(name));
		}),
	),
};
const isSolverOptions = record(solverOptions);
export type SolverOptions = Checked<typeof isSolverOptions>;

export const isSolveRequest = record({
	command: exactly("solve"),
	/** Files, globs, or - for standard input, as they were written. */
	inputs: called("a list of files", (value): value is readonly string[] => {
		return list(words, INPUTS_MAX)(value) && value.length > 0;
	}),
	options: isSolverOptions,
	json: flag,
	history: flag,
	output: optional(called("the name of a file or folder", words)),
	/** The HTML page. */
	report: optional(file),
	/** The folder of capsules. */
	capsule: optional(called("the name of a folder", words)),
	/** Seconds between checkpoints; 0 for none but on request. */
	checkpoint: optional(
		called(
			`a number of seconds, at most ${CHECKPOINT_SECONDS_MAX}`,
			(value): value is number => amount(value) && value <= CHECKPOINT_SECONDS_MAX,
		),
	),
});
export type SolveRequest = Checked<typeof isSolveRequest>;

export const isHow = record({
	ranks: optional(ranks),
	transport: optional(oneOf(TRANSPORTS)),
	processes: optional(integer(1, RANKS_MAX)),
	partition: optional(oneOf(PARTITION_METHODS)),
});
/** Options that no bit of the answer depends on. A launcher's decision on ranks and transport takes precedence. */
export type ExecutionOptions = Checked<typeof isHow>;

/** A line, and its request. */
export interface SolveCommandLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly solve: SolveRequest;
	readonly serve?: undefined;
	readonly simulate?: undefined;
	readonly study?: undefined;
	readonly how: ExecutionOptions;
}

/** `runs`: the folder of runs, for a solve that makes its own run. */
export function parseSolve(args: Arguments): Omit<SolveCommandLine, "line"> & { readonly runs: string | undefined } {
	const json = args.flag("json");
	const history = args.flag("history");
	const report = args.text("report");
	if (history && !json && report === undefined) {
		args.refuse("--history", "needs --json or --report", "add --json, or --report FILE for a curve");
	}
	const options = optionsIn(args);
	const how = withoutUndefined({ ...ranksIn(args), partition: args.choice("partition", PARTITION_METHODS) });
	if (args.operands.length === 0) args.refuse("FILE", "is missing", "name an FCLIB file, or - for standard input");
	const checkpoint = checkpointOf(args, options);
	const runs = args.text("runs");
	if (runs !== undefined && checkpoint === undefined) {
		args.refuse("--runs", "needs --checkpoint", "add --checkpoint SECONDS");
	}
	const texts = { output: args.text("output"), report, capsule: args.text("capsule") };
	const solve: SolveRequest = {
		...{ command: "solve", inputs: args.operands, options, json, history },
		...withoutUndefined({ ...texts, checkpoint }),
	};
	return { solve, how, runs };
}

function optionsIn(args: Arguments): SolverOptions {
	const set = settingsIn(args);
	return withoutUndefined({
		method: args.choice("method", [...new Set(["auto", ...methods().map(({ name }) => name)])]),
		tolerance: args.real("tolerance", "above 0", 1e-2),
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
	return withoutUndefined({
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
function settingsIn(args: Arguments): Record<string, string | number> {
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
