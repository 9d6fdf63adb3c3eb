/** Tasks of a session that one rank works on alone, and their answers. */
import { InputError, type Solution } from "@stickslip/core";
import { flag, list, record, text } from "@stickslip/core/schema";
import type { Done, KeepSolver, Refused, Release, SolveKept } from "../programs/session.js";
import type { WholePart } from "../programs/solve.js";
import { isSolution } from "../programs/solve-messages.js";
import type { Task } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import { solveTask } from "../solve/solve-tasks.js";
import type { SessionRequest } from "./request.js";

type Asking = Pick<SessionRequest, "onProgress">;

const TEXT_MAX = 100_000;
const isFields = record({ refused: list(text(TEXT_MAX), 4) });
const isDone = record({ done: flag });

function isRefused(value: unknown): value is Refused {
	return isFields(value) && value.refused.length === 4;
}

function refuse({ refused: [source, place, problem, remedy] }: Refused): never {
	throw new InputError(source, place, problem, remedy);
}

/** A solve. */
export function loneTask(part: WholePart | SolveKept, contacts: number, { onProgress }: Asking) {
	return {
		...solveTask(contacts, { onProgress }, new RunEvents({ ranks: 1 })),
		part: () => ({ part, buffers: [] }),
		isResult: (value: unknown): value is Solution | Refused => isSolution(value, { contacts }) || isRefused(value),
	} satisfies Omit<Task<Solution | Refused>, "alone">;
}

/** Throws the InputError that the rank has refused it with. */
export function solutionOf(result: Solution | Refused): Solution {
	return "refused" in result ? refuse(result) : result;
}

/** A task that keeps or releases something, of one rank or of all. */
export function keepTask(part: (rank: number) => KeepSolver | Release | object, contacts: number) {
	return {
		...solveTask(contacts, {}, new RunEvents({ ranks: 1 })),
		part: (rank: number) => ({ part: part(rank), buffers: [] }),
		isResult: (value: unknown): value is Done | Refused => isDone(value) || isRefused(value),
	} satisfies Omit<Task<Done | Refused>, "alone">;
}

export function requireDone(result: Done | Refused): void {
	if ("refused" in result) refuse(result);
}
