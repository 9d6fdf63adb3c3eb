/** The cores that the ranks of a process may use. */
import { cores } from "@stickslip/comm";
import type { ProcessLocation } from "../protocol/messages.js";

/** The number of threads on a process's machine, and a core for each of its own; none if there are too few. */
export interface CoreAssignment {
	readonly ranksHere: number;
	readonly cores: number[];
}

/** All processes are on this machine. A launcher that starts single ranks pins them itself. */
export function assignCoresHere(process: number, perProcess: number, ranks: number, isPinned: boolean): CoreAssignment {
	const available = cores();
	const first = process * perProcess;
	const own = isPinned || ranks > available.length ? [] : available.slice(first, first + perProcess);
	return { ranksHere: ranks, cores: own };
}

/** Processes of one machine share its cores, in order. */
export function assignCores(
	locations: readonly (ProcessLocation | undefined)[],
	process: number,
	perProcess: number,
): CoreAssignment {
	const { machine, cores = [] } = locations[process] ?? {};
	const isBeside = (location: ProcessLocation | undefined) => location !== undefined && location.machine === machine;
	const ranksHere = perProcess * locations.filter(isBeside).length;
	const first = perProcess * locations.slice(0, process).filter(isBeside).length;
	return { ranksHere, cores: ranksHere > cores.length ? [] : cores.slice(first, first + perProcess) };
}
