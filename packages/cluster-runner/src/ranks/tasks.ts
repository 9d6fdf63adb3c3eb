/** The tasks of the processes, each cut out of the problem when it is its turn. */
import { cores, type MpiLibrary } from "@stickslip/comm";
import { assert } from "@stickslip/core/parallel";
import { runDigest } from "../base/digest.js";
import type { ProcessLocation } from "../protocol/messages.js";
import type { MemberTask } from "../protocol/plain.js";
import type { Job } from "./job.js";

/** Threads on a process's machine, and a core for each of its own; none where there are too few. */
export interface Room {
	readonly ranksHere: number;
	readonly cores: number[];
}

export class Tasks {
	readonly #job: Job;
	readonly #library: MpiLibrary | undefined;
	/** Where processes run, if not all on this machine. */
	readonly #locations: (() => readonly (ProcessLocation | undefined)[]) | undefined;
	readonly #cores = cores();
	#digest: string | undefined;

	constructor(
		job: Job,
		library: MpiLibrary | undefined,
		locations: (() => readonly (ProcessLocation | undefined)[]) | undefined,
	) {
		this.#job = job;
		this.#library = library;
		this.#locations = locations;
	}

	get digest(): string {
		assert(this.#digest !== undefined, "nobody answers before a task was cut");
		return this.#digest;
	}

	of(process: number): MemberTask {
		const { choice, source, options, patience, events } = this.#job;
		const { ranks, perProcess, transport } = choice;
		assert(transport !== undefined && transport !== "threads", "threads are no processes");
		const firstRank = process * perProcess;
		const own = Array.from({ length: perProcess }, (_, thread) => source.cut(firstRank + thread));
		const { share, from } = own[0]!;
		this.#digest ??= runDigest(share, options, transport, from?.iteration);
		return {
			digest: this.#digest,
			transport,
			ranks,
			firstRank,
			...this.#roomOf(process),
			library: this.#library,
			patience,
			options,
			shares: own.map((each) => each.share) as MemberTask["shares"],
			from: from && own.flatMap((each) => each.from ?? []),
			site: events.checkpointer?.directory,
		};
	}

	#roomOf(process: number): Room {
		const { ranks, perProcess } = this.#job.choice;
		if (this.#locations) return roomOf(this.#locations(), process, perProcess);
		// A launcher of single ranks on one machine pins them itself.
		const isPinned = this.#library !== undefined && perProcess === 1;
		const first = process * perProcess;
		const own = isPinned || ranks > this.#cores.length ? [] : this.#cores.slice(first, first + perProcess);
		return { ranksHere: ranks, cores: own };
	}
}

/** Processes of one machine share its cores, in order. */
export function roomOf(locations: readonly (ProcessLocation | undefined)[], process: number, perProcess: number): Room {
	const { machine, cores = [] } = locations[process] ?? {};
	const isBeside = (location: ProcessLocation | undefined) => location !== undefined && location.machine === machine;
	const ranksHere = perProcess * locations.filter(isBeside).length;
	const first = perProcess * locations.slice(0, process).filter(isBeside).length;
	return { ranksHere, cores: ranksHere > cores.length ? [] : cores.slice(first, first + perProcess) };
}
