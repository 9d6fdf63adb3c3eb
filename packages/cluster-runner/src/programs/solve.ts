/** The program that solves one problem per task: a rank makes its share of an outline and of rows, or has the whole problem, in the caller's own thread. */
import type { Problem, Progress, Solution, SolveOptions } from "@stickslip/core";
import { methods } from "@stickslip/core";
import {
	type RankContext,
	type RankResult,
	type RunOptions,
	runShare,
	type ShareOutline,
	type ShareRows,
	shareOf,
	solveSteps,
	type UnreadRows,
	type Watch,
} from "@stickslip/core/parallel";
import { anyObject, type Check, either, record } from "@stickslip/core/schema";
import { prepareOwnRows, readOwnRows } from "../files/rows.js";
import { isPartsTask, type PartsResult, type PartsTask, runPartsTask } from "../parts/parts-task.js";
import type { Program } from "./program.js";
import { areRowsOf, areUnreadRows, isRunOptions, isShareOutline, isShareRows } from "./solve-messages.js";

export interface SharePart {
	readonly outline: ShareOutline;
	readonly rows: ShareRows | UnreadRows;
	readonly options: RunOptions;
}

/** A problem that one rank solves alone: in the thread of its caller, or because it is too small for all of them. */
export interface WholePart {
	readonly problem: Problem;
	readonly options: SolveOptions;
}

type Part = SharePart | WholePart | PartsTask;

type Result = RankResult | Solution | PartsResult;

/** Methods travel as numbers; one without a number is shown as auto. */
const names = methods().map(({ name }) => name);

export function progressOf(numbers: readonly number[]): Progress {
	const [iterations = 0, products = 0, error = Number.NaN, exact, seconds = 0, method = -1] = numbers;
	return { iterations, products, error, exact: exact === 1, seconds, method: names[method] ?? "auto" };
}

/** Adapts what a rank gets from its context (requests, saving, progress) for a solve. */
export function watchOf(context: RankContext): Watch {
	return {
		get request() {
			return context.request;
		},
		ready: () => context.ready(),
		save: (state) => context.save(state),
		progress: ({ iterations, products, error, exact, seconds, method }) =>
			context.progress([iterations, products, error, exact ? 1 : 0, seconds, names.indexOf(method)]),
	};
}

const isPlainPart: Check<SharePart> = record({
	outline: isShareOutline,
	rows: either(isShareRows, areUnreadRows),
	options: isRunOptions,
});
const isSharePart: Check<SharePart> = (value): value is SharePart =>
	isPlainPart(value) && areRowsOf(value.outline, value.rows);

/** Problems are checked where they are solved. */
const isWholePart = record({ problem: anyObject, options: anyObject }) as Check<unknown> as Check<WholePart>;

const program: Program<Part, Result> = {
	name: "solve",
	isPart: either(isSharePart, isWholePart, isPartsTask),
	async prepare(part) {
		if ("outline" in part && "origin" in part.rows) await prepareOwnRows(part.rows, part.outline.name);
	},
	*run(part, context) {
		const watch = watchOf(context);
		if ("outline" in part) {
			const { outline, rows } = part;
			const share = shareOf(outline, "origin" in rows ? readOwnRows(outline, rows) : rows);
			return yield* runShare(share, part.options, context.communicator, watch, context.from);
		}
		if ("group" in part) return yield* runPartsTask(part, context.communicator, watch);
		return yield* solveSteps(part.problem, part.options, watch, context.from);
	},
};

export default program;
