/**
 * The program of a session: tasks of one rank alone, which solves a problem or keeps a solver for a pattern, and tasks of all ranks, which solve a problem
 * that is cut, or keep their shares of a pattern. A refusal by a single rank is its answer: the others continue.
 */
import { InputError, type NewValues, type Problem, type Solution, type SolveOptions } from "@stickslip/core";
import {
	type PatternCache,
	PatternSolver,
	type RankContext,
	type RankResult,
	type RunOptions,
	runShare,
	solveSteps,
	withValues,
} from "@stickslip/core/parallel";
import { anyObject, array, type Check, either, integer, optional, record } from "@stickslip/core/schema";
import {
	type PatternShare,
	type PointCut,
	type PointOwners,
	pointOwners,
	type ShareValues,
	shareOfValues,
} from "@stickslip/partition";
import type { PartsResult, PartsTask } from "../parts/parts-task.js";
import { type JoinedArrays, splitArrays } from "../protocol/joined-arrays.js";
import type { Program } from "./program.js";
import solveProgram, { type SharePart, type WholePart, watchOf } from "./solve.js";
import { isRunOptions } from "./solve-messages.js";

/** Of one rank: a small problem, whose arrays are sent as one. */
export interface JoinedProblem {
	readonly joined: JoinedArrays;
	readonly options: SolveOptions;
}

/** Of one rank: keeps a solver for the pattern of a problem by this number. */
export interface KeepSolver {
	readonly keepSolver: number;
	readonly problem: Problem;
	readonly options: SolveOptions;
}

/** Solves with new values. */
export interface SolveKept {
	readonly solver: number;
	readonly values: NewValues;
	readonly options: SolveOptions;
}

/** Of all ranks: keeps a share of a pattern. */
export interface KeepShare {
	readonly keepShare: number;
	readonly share: PatternShare;
}

export interface SolveShare {
	readonly share: number;
	readonly values: ShareValues;
	readonly options: RunOptions;
}

/** Of one rank: finds the owners of contacts among so many ranks, while the process makes the plan. */
export interface FindOwners {
	readonly pointCut: PointCut;
	readonly among: number;
}

/** Forgets what is kept by this number. */
export interface Release {
	readonly release: number;
}

/** Source, place, problem and remedy of an InputError. */
export interface Refused {
	readonly refused: readonly [string, string, string, string];
}

export interface Done {
	readonly done: boolean;
}

export type SessionPart =
	| JoinedProblem
	| SharePart
	| WholePart
	| PartsTask
	| KeepSolver
	| SolveKept
	| KeepShare
	| SolveShare
	| FindOwners
	| Release;
/** The arrays of a Solution joined: one piece of memory is sent faster. */
export interface PackedSolution {
	/** Reaction, velocity and multiplier. */
	readonly numbers: Float64Array;
	readonly report: Solution["report"];
}

export type SessionResult = PackedSolution | RankResult | PartsResult | PointOwners | Refused | Done;

interface KeptSolver {
	readonly solver: PatternSolver;
	/** With the latest values. */
	problem: Problem;
}

interface KeptShare {
	readonly share: PatternShare;
	readonly cache: PatternCache;
}

/** What this rank keeps, by number. */
const solvers = new Map<number, KeptSolver>();
const shares = new Map<number, KeptShare>();

const DONE: Done = { done: true };
const number = integer(0);

/** Problems and values are checked where they are used. */
const isPart = either(
	record({
		joined: record({ data: anyObject, bytes: array(Uint8Array) }),
		options: anyObject,
	}) as Check<unknown> as Check<JoinedProblem>,
	record({ keepSolver: number, problem: anyObject, options: anyObject }) as Check<unknown> as Check<KeepSolver>,
	record({ solver: number, values: anyObject, options: anyObject }) as Check<unknown> as Check<SolveKept>,
	record({ keepShare: number, share: anyObject }) as Check<unknown> as Check<KeepShare>,
	record({ share: number, values: anyObject, options: isRunOptions }) as Check<unknown> as Check<SolveShare>,
	record({
		pointCut: record({
			points: array(Float64Array),
			body: optional(array(Int32Array)),
			inverseMass: optional(array(Float64Array)),
			rowStart: optional(array(Int32Array)),
		}),
		among: number,
	}) as Check<unknown> as Check<FindOwners>,
	record({ release: number }),
	solveProgram.isPart as Check<SharePart | WholePart | PartsTask>,
);

const program: Program<SessionPart, SessionResult> = {
	name: "session",
	isPart,
	*run(part, context) {
		if ("outline" in part || "group" in part)
			return (yield* solveProgram.run(part, context)) as RankResult | PartsResult;
		if ("keepShare" in part) {
			shares.set(part.keepShare, { share: part.share, cache: {} });
			return DONE;
		}
		if ("share" in part) return yield* solveShare(part, context);
		if ("pointCut" in part) return pointOwners(part.pointCut, part.among) ?? DONE;
		if ("release" in part) {
			solvers.delete(part.release);
			shares.delete(part.release);
			return DONE;
		}
		try {
			return yield* runAlone(part, context);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			const { source, place, problem, remedy } = error;
			return { refused: [source, place, problem, remedy] };
		}
	},
};

export default program;

function packed({ reaction, velocity, multiplier, report }: Solution): PackedSolution {
	const numbers = new Float64Array(reaction.length + velocity.length + multiplier.length);
	numbers.set(reaction);
	numbers.set(velocity, reaction.length);
	numbers.set(multiplier, reaction.length + velocity.length);
	return { numbers, report };
}

function* runAlone(
	part: JoinedProblem | WholePart | KeepSolver | SolveKept,
	context: RankContext,
): Generator<void, PackedSolution | Done, void> {
	if ("keepSolver" in part) {
		const solver = new PatternSolver(part.problem, part.options);
		solvers.set(part.keepSolver, { solver, problem: solver.withOwnPattern(part.problem) });
		return DONE;
	}
	if ("joined" in part) {
		const problem = splitArrays(part.joined) as Problem;
		return packed(yield* solveSteps(problem, part.options, watchOf(context)));
	}
	if ("problem" in part) return packed((yield* solveProgram.run(part, context)) as Solution);
	const kept = solvers.get(part.solver);
	if (kept === undefined) throw new Error(`there is no solver ${part.solver}`);
	const problem = withValues(kept.problem, part.values);
	kept.problem = problem;
	return packed(yield* kept.solver.steps(problem, part.options, watchOf(context), true));
}

/** Collective. */
function* solveShare(
	{ share: number, values, options }: SolveShare,
	context: RankContext,
): Generator<void, RankResult, void> {
	const kept = shares.get(number);
	if (kept === undefined) throw new Error(`there is no share ${number}`);
	const share = shareOfValues(kept.share, values, kept.cache);
	const result = yield* runShare(share, options, context.communicator, watchOf(context));
	// The answer is moved to the process; these ids stay.
	return { ...result, ids: result.ids.slice() };
}
