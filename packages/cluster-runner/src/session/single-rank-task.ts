/** Tasks of a session for single ranks, and their answers. */
import { InputError, type Problem, type Solution, type SolveOptions } from "@stickslip/core";
import { anyObject, array, type Check, flag, list, record, text } from "@stickslip/core/schema";
import type {
	Done,
	JoinedProblem,
	KeepSolver,
	PackedSolution,
	Refused,
	Release,
	SolveKept,
} from "../programs/session.js";
import type { WholePart } from "../programs/solve.js";
import { joinArrays } from "../protocol/joined-arrays.js";
import type { Task } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { solveTask } from "../solve/solve-tasks.js";
import { plainProblem } from "./plain-problem.js";
import type { SessionRequest } from "./request.js";

/** Nothing of these tasks is logged. */
const NO_EVENTS = new RunEvents({ ranks: 1 });

type Asking = Pick<SessionRequest, "onProgress">;

const TEXT_MAX = 100_000;
const isFields = record({ refused: list(text(TEXT_MAX), 4) });
export const isDone = record({ done: flag });

const isPlainPacked = record({ numbers: array(Float64Array), report: anyObject as Check<Solution["report"]> });

function isPacked(value: unknown, contacts: number): value is PackedSolution {
	return isPlainPacked(value) && value.numbers.length >= 6 * contacts;
}

function isRefused(value: unknown): value is Refused {
	return isFields(value) && value.refused.length === 4;
}

function refuse({ refused: [source, place, problem, remedy] }: Refused): never {
	throw new InputError(source, place, problem, remedy);
}

/** Above this the overhead per array is negligible. */
const JOINED_BYTES_MAX = 2 ** 17;

/** What is sent of a problem. */
export function problemPart(problem: Problem, options: SolveOptions): JoinedProblem | WholePart {
	const plain = plainProblem(problem);
	const joined = plain.guesses === undefined ? joinArrays(plain, JOINED_BYTES_MAX) : undefined;
	return joined === undefined ? { problem: plain, options } : { joined, options };
}

/** A solve. */
export function singleRankTask(part: JoinedProblem | WholePart | SolveKept, contacts: number, { onProgress }: Asking) {
	return {
		...solveTask(contacts, { onProgress }, NO_EVENTS),
		part: () => ({ part, buffers: "joined" in part ? [part.joined.bytes.buffer as ArrayBuffer] : [] }),
		isResult: (value: unknown): value is PackedSolution | Refused => isPacked(value, contacts) || isRefused(value),
	} satisfies Omit<Task<PackedSolution | Refused>, "alone">;
}

/** Throws the InputError of the rank that refused it. */
export function solutionOf(result: PackedSolution | Refused, contacts: number): Solution {
	if ("refused" in result) return refuse(result);
	const { numbers, report } = result;
	const length = 3 * contacts;
	return {
		reaction: numbers.subarray(0, length),
		velocity: numbers.subarray(length, 2 * length),
		multiplier: numbers.subarray(2 * length),
		report,
	};
}

/** A task without a solve. */
export function oneRankTask<Result>(part: object, isResult: Task<Result>["isResult"]) {
	return { ...solveTask(0, {}, NO_EVENTS), part: () => ({ part, buffers: [] }), isResult } satisfies Task<Result>;
}

/** A task that keeps or releases something, of one rank or of all. */
export function keepTask(part: (rank: number) => KeepSolver | Release | object, contacts: number) {
	return {
		...solveTask(contacts, {}, NO_EVENTS),
		part: (rank: number) => ({ part: part(rank), buffers: [] }),
		isResult: (value: unknown): value is Done | Refused => isDone(value) || isRefused(value),
	} satisfies Omit<Task<Done | Refused>, "alone">;
}

export function requireDone(result: Done | Refused): void {
	if ("refused" in result) refuse(result);
}
