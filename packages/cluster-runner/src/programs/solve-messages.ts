/** What travels of a solve, checked on arrival: the part of a rank, and its outcome on the way back. */
import type { Problem, Solution } from "@stickslip/core";
import { arePlans, type RankResult, type RunOptions, type Share } from "@stickslip/core/parallel";
import {
	anyNumber,
	array,
	type Check,
	either,
	exactly,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "../base/schema.js";
import { RANKS_MAX } from "../protocol/messages.js";

const LINE_MAX = 100_000;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const count = integer(0, COUNT_MAX);
const line = text(LINE_MAX);

export const anyObject: Check<object> = (value): value is object =>
	typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

const halo = record({
	width: integer(1, 1000),
	targets: array(Int32Array),
	sendStart: array(Int32Array),
	send: array(Int32Array),
	sources: array(Int32Array),
	receiveStart: array(Int32Array),
	receive: array(Int32Array),
});

const plans = record({
	width: integer(1, 1000),
	targetStart: array(Int32Array),
	targets: array(Int32Array),
	sendStart: array(Int32Array),
	send: array(Int32Array),
	sourceStart: array(Int32Array),
	sources: array(Int32Array),
	receiveStart: array(Int32Array),
	receive: array(Int32Array),
});

const isPlainShare = record({
	name: line,
	rank: integer(0, RANKS_MAX - 1),
	ranks: integer(1, RANKS_MAX),
	contacts: count,
	blocks: count,
	equalityRows: count,
	ids: array(Int32Array),
	ownContacts: count,
	ghosts: count,
	q: array(Float64Array),
	mu: array(Float64Array),
	diagonal: array(Float64Array),
	singular: array(Int32Array),
	start: optional(array(Float64Array)),
	operator: either(
		record({
			kind: exactly("assembled"),
			matrix: anyObject,
			row: array(Int32Array),
			local: array(Int32Array),
			interior: count,
		}),
		record({
			kind: exactly("matrix-free"),
			rigid: anyObject,
			contact: array(Int32Array),
			sharedPlace: array(Int32Array),
			sharedContact: array(Int32Array),
			isShared: array(Uint8Array),
		}),
	),
	operatorReason: line,
	coupling: line,
	colours: count,
	order: oneOf(["coloured", "shuffled", "file"]),
	halo,
	sweep: record({ steps: count, start: array(Int32Array), runs: array(Int32Array), passed: plans }),
});

/** Lengths that follow from one another. */
export const isShare = (value: unknown): value is Share => {
	if (!isPlainShare(value)) return false;
	const own = value.ids.length;
	return (
		value.q.length === 3 * own &&
		value.mu.length === value.ownContacts &&
		value.ownContacts <= own &&
		value.diagonal.length === 9 * (own + value.ghosts) &&
		(value.start === undefined || value.start.length === 3 * own) &&
		value.sweep.start.length === 2 * value.sweep.steps + 1 &&
		arePlans(value.sweep.passed, value.sweep.steps)
	);
};

export const isRunOptions = anyObject as Check<RunOptions>;

const isPlainRankResult = record({
	ids: array(Int32Array),
	reaction: array(Float64Array),
	velocity: array(Float64Array),
	equalityRows: count,
	rank: record({
		rank: integer(0, RANKS_MAX - 1),
		contacts: count,
		exchanges: count,
		reductions: count,
		messages: count,
		bytes: count,
		phases: record({ compute: anyNumber, pack: anyNumber, wait: anyNumber, reduce: anyNumber }),
		peakMemory: anyNumber,
	}),
	report: record({
		problem: line,
		contacts: count,
		method: line,
		status: oneOf(["solved", "stalled", "iteration-limit", "time-limit", "diverged", "cancelled"]),
		reason: line,
		remedies: list(line, 1_000_000),
		iterations: count,
		products: count,
		measure: oneOf(["energy", "natural", "merit"]),
		tolerance: anyNumber,
		energy: anyNumber,
		natural: anyNumber,
		merit: anyNumber,
		seconds: anyNumber,
		secondsFirst: anyNumber,
		ranks: integer(1, RANKS_MAX),
		transport: line,
		operator: line,
		exchanges: count,
		reductions: count,
		version: line,
		history: optional(list(anyNumber, Number.MAX_SAFE_INTEGER)),
	}),
});

const isPlainSolution = record({
	reaction: array(Float64Array),
	velocity: array(Float64Array),
	multiplier: array(Float64Array),
	report: anyObject as Check<Solution["report"]>,
});

/** Of a rank that has solved the problem alone. */
export function isSolution(value: unknown, { contacts }: Pick<Problem, "contacts">): value is Solution {
	return isPlainSolution(value) && value.reaction.length === 3 * contacts && value.velocity.length === 3 * contacts;
}

/** An answer for blocks below `blocks`. */
export function isRankResult(value: unknown, blocks: number): value is RankResult {
	if (!isPlainRankResult(value)) return false;
	const { ids, reaction, velocity } = value;
	return (
		reaction.length === 3 * ids.length &&
		velocity.length === 3 * ids.length &&
		ids.every((id) => id >= 0 && id < blocks)
	);
}
