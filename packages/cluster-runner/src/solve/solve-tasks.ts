/** Common parts of solve tasks: limits of their messages, requests and progress, and how the answers of all ranks are joined. */
import type { Solution, SolveOptions } from "@stickslip/core";
import { assemble, isRankResult, RankError, type RankResult } from "@stickslip/core/parallel";
import { progressOf } from "../programs/solve.js";
import type { StopSignal, Task } from "../ranks/ranks.js";
import type { RunEvents } from "../ranks/run-events.js";

/** An upper bound for the bytes of an answer: reports with remedies, the history of some millions of iterations. */
const MESSAGE_BYTES_MIN = 2 ** 28;
const BYTES_PER_BLOCK = 64;
/** Of a state: hundreds of vectors. */
const STATE_BYTES_PER_BLOCK = 2 ** 14;

/** What may stop it, and where progress is reported. */
interface Surroundings {
	readonly signal?: StopSignal | undefined;
	readonly onProgress?: SolveOptions["onProgress"] | undefined;
}

export function solveTask(blocks: number, { signal, onProgress }: Surroundings, events: RunEvents) {
	return {
		resultBytesMax: MESSAGE_BYTES_MIN + BYTES_PER_BLOCK * blocks,
		stateBytesMax: MESSAGE_BYTES_MIN + STATE_BYTES_PER_BLOCK * blocks,
		...(signal && { signal }),
		onProgress: onProgress && ((numbers: readonly number[]) => onProgress(progressOf(numbers))),
		events,
	} satisfies Partial<Task<unknown>>;
}

/** The same for a problem that is cut for all ranks. */
export function cutTask(blocks: number, surroundings: Surroundings, events: RunEvents) {
	return {
		...solveTask(blocks, surroundings, events),
		isResult: (value: unknown, rank: number): value is RankResult =>
			isRankResult(value, blocks) && value.rank.rank === rank,
	} satisfies Partial<Task<RankResult>>;
}

/** The answer; `setUp` is the seconds that it took before the ranks began. Throws a RankError if the parts do not match. */
export function joined(outcomes: readonly RankResult[], blocks: number, setUp: number): Solution {
	requireWhole(outcomes, blocks);
	const solution = assemble(outcomes);
	const { report } = solution;
	return { ...solution, report: { ...report, secondsFirst: setUp + report.secondsFirst } };
}

function requireWhole(outcomes: readonly RankResult[], blocks: number): void {
	const owned = new Uint8Array(blocks);
	for (const { ids } of outcomes) for (const id of ids) owned[id]! += 1;
	if (owned.every((times) => times === 1)) return;
	throw new RankError(-1, "the results of the ranks do not fit together: a contact is missing or duplicated");
}
