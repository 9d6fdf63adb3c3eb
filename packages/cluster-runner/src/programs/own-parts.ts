/** The program of ranks that make their own parts of a problem, each by a function of the caller's module. */
import type { ProblemPart } from "@stickslip/core";
import type { PartOfReport } from "@stickslip/core/parallel";
import { type Check, record } from "@stickslip/core/schema";
import { isSolveOfParts } from "../parts/parts-task.js";
import { type Refused, type SolvedParts, solveParts } from "../parts/solve-parts.js";
import type { SolveOfParts } from "../parts/survey.js";
import type { Program } from "./program.js";
import { watchOf } from "./solve.js";

/** A rank's part of the answer, in the order of its part's ids. */
export interface OwnAnswer extends Pick<PartOfReport, "report"> {
	readonly ids: Int32Array;
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
	/** Of the reaction of the whole problem. */
	readonly hash: string;
}

/** A module that each rank loads. `argument` is plain data of the caller's, the same on every rank. */
export interface PartsModule {
	/** The rank's own part. An InputError is reported by all ranks. */
	default(rank: number, ranks: number, argument: unknown): ProblemPart;
	/** Takes the rank's part of the answer, which then stays on the rank: the returned value (plain data) goes to the caller instead. */
	answer?(answer: OwnAnswer, rank: number, ranks: number, argument: unknown): unknown;
}

export interface OwnPartsTask {
	readonly argument: unknown;
	readonly solve: SolveOfParts;
}

/** What `answer` returned, where there is such a function. */
export type OwnPartsResult = (SolvedParts & { readonly returned?: unknown }) | Refused;

const anything = ((_value: unknown): _value is unknown => true) as Check<unknown>;
const isOwnPartsTask = record({ argument: anything, solve: isSolveOfParts }) as Check<unknown> as Check<OwnPartsTask>;

export function ownPartsProgram(name: string, module: unknown): Program<unknown, unknown> {
	const { default: makePart, answer } = module as Partial<PartsModule>;
	if (typeof makePart !== "function") throw new Error(`${name} has no default export that makes the part of a rank`);
	const program: Program<OwnPartsTask, OwnPartsResult> = {
		name,
		isPart: isOwnPartsTask,
		*run({ argument, solve }, context) {
			const { communicator } = context;
			const { rank, size } = communicator;
			let ids: Int32Array = new Int32Array(0);
			const make = () => {
				const part = makePart(rank, size, argument);
				ids = part?.ids;
				return { index: rank, part };
			};
			const solved = yield* solveParts(make, solve, communicator, watchOf(context));
			if ("refusal" in solved || answer === undefined) return solved;
			const { answers, hash, report } = solved;
			const { reaction, velocity } = answers[0]!;
			const returned = answer({ ids, reaction, velocity, hash, report }, rank, size, argument);
			return { ...solved, answers: [], returned };
		},
	};
	return program as Program<unknown, unknown>;
}
