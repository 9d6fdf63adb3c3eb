/** Tasks of a group of parts, as a rank gets them: keep parts that have arrived, solve their problem, or forget them. */
import { type Communicator, isPartOfReport, type Watch } from "@stickslip/core/parallel";
import {
	anyObject,
	array,
	type Check,
	either,
	flag,
	integer,
	list,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { isRefusal } from "./agreement.js";
import { type NumberedPart, type Refused, type SolvedParts, solveParts } from "./solve-parts.js";
import type { SolveOfParts } from "./survey.js";

const PARTS_MAX = 65_536;

export interface PartsTask {
	/** A name that no other group on these ranks has or had. */
	readonly group: string;
	/** Whether this rank has forgotten the group. */
	readonly drop?: boolean;
	/** More parts for this rank. Solving takes them out of the list. */
	readonly parts: NumberedPart[];
	/** Collective: solves the problem that the parts of the group make up. */
	readonly solve?: SolveOfParts;
}

/** What a solve of parts is. */
export const isSolveOfParts = record({ of: integer(1, PARTS_MAX), options: anyObject, partition: optional(text(100)) });

/** Parts are checked by the ranks, which name the part and the field. */
export const isPartsTask = record({
	group: text(100),
	drop: optional(flag),
	parts: list(record({ index: integer(0, PARTS_MAX - 1), part: anyObject }), PARTS_MAX),
	solve: optional(isSolveOfParts),
}) as Check<unknown> as Check<PartsTask>;

/** By group, in this thread. */
const kept = new Map<string, NumberedPart[]>();

export function* runPartsTask(
	{ group, drop, parts, solve }: PartsTask,
	communicator: Communicator,
	watch: Watch,
): Generator<void, PartsResult, void> {
	const own = [...(kept.get(group) ?? []), ...parts.splice(0)];
	if (drop || solve) kept.delete(group);
	else kept.set(group, own);
	if (solve === undefined) return { kept: true };
	return yield* solveParts(own, solve, communicator, watch);
}

/** The result of a rank that has kept parts, or forgotten them. */
export interface Kept {
	readonly kept: true;
}

export type PartsResult = SolvedParts | Refused | Kept;

const isAnswer = record({
	index: integer(0, PARTS_MAX - 1),
	reaction: array(Float64Array),
	velocity: array(Float64Array),
});

export const isSolvedOrRefused = either(
	record({ ...isPartOfReport.shape, answers: list(isAnswer, PARTS_MAX), hash: text(100) }),
	record({ refusal: isRefusal }),
) as Check<unknown> as Check<SolvedParts | Refused>;

export const isKept = record({ kept: flag }) as Check<unknown> as Check<Kept>;
