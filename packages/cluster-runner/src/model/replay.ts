/**
 * Replays a trace on the ranks of a partition: what each computes, packs, sends, waits for and reduces, operation by operation, in the order in which the
 * operators and communicators do it (core: system/assembled.ts; comm: the exchanges and reductions of each transport).
 */
import type { Action, RankProgram } from "./events.js";
import { type EndCosts, messageSeconds } from "./line-costs.js";
import type { Messages, RankLoad } from "./loads.js";
import type { Platform } from "./platform.js";
import { dissemination, doubling, type ReductionStep } from "./reductions.js";
import type { Operation } from "./trace.js";
import type { Work } from "./work.js";

export interface Replayed {
	readonly operations: readonly Operation[];
	readonly loads: readonly RankLoad[];
	readonly work: Work;
	readonly platform: Platform;
}

const NUMBER_BYTES = 8;

export function replay(replayed: Replayed): RankProgram {
	const ranks = replayed.loads.length;
	const steps = replayed.platform.costs.reduction.name === "dissemination" ? dissemination : doubling;
	return (rank, action) => new Rank(replayed, rank, action, steps(rank, ranks)).run();
}

class Rank {
	readonly #replayed: Replayed;
	readonly #rank: number;
	readonly #load: RankLoad;
	readonly #action: Action;
	readonly #reduction: readonly ReductionStep[];

	constructor(replayed: Replayed, rank: number, action: Action, reduction: readonly ReductionStep[]) {
		this.#replayed = replayed;
		this.#rank = rank;
		this.#load = replayed.loads[rank]!;
		this.#action = action;
		this.#reduction = reduction;
	}

	*run(): Iterator<void> {
		const { operations, work } = this.#replayed;
		for (let i = 0; i < operations.length; i += 1) {
			const { kind, numbers } = operations[i]!;
			if (kind === "reduce") {
				yield* this.#reduce(numbers);
				continue;
			}
			const seconds = work.seconds(i, this.#load);
			if (kind === "local") yield* this.#compute(seconds);
			else if (kind === "product") yield* this.#exchange(this.#load.halo, seconds, 0);
			else if (kind === "sweep") yield* this.#sweep(seconds);
			else yield* this.#triangle(seconds);
		}
	}

	/** Step by step: what the step before changed comes in during work on contacts that need nothing of it. */
	*#sweep(seconds: number): Generator<void> {
		const { steps, halo } = this.#load;
		const each = this.#perContact(seconds);
		for (let step = 0; step < steps.length; step += 1) {
			const { interior, boundary } = steps[step]!;
			const incoming = step > 0 ? steps[step - 1]!.passed : halo;
			yield* this.#exchange(incoming, each * interior, each * boundary);
		}
	}

	/** The same from zeros, and nothing is worked on while values come in. */
	*#triangle(seconds: number): Generator<void> {
		const { steps } = this.#load;
		const each = this.#perContact(seconds);
		for (let step = 0; step < steps.length; step += 1) {
			const { interior, boundary } = steps[step]!;
			if (step > 0) yield* this.#exchange(steps[step - 1]!.passed, 0, each * (interior + boundary));
			else yield* this.#compute(each * (interior + boundary));
		}
	}

	#perContact(seconds: number): number {
		const { contacts } = this.#load;
		return contacts > 0 ? seconds / contacts : 0;
	}

	*#exchange(messages: Messages, meanwhile: number, afterwards: number): Generator<void> {
		if (this.#replayed.loads.length === 1) {
			yield* this.#compute(meanwhile + afterwards);
			return;
		}
		const { begin, finish } = this.#replayed.platform.costs;
		const { width, targets, sent, sources, received } = messages;
		yield* this.#overhead(begin.exchange + this.#messages(begin, width, targets, sent));
		for (let i = 0; i < targets.length; i += 1) yield* this.#send(targets[i]!, NUMBER_BYTES * width * sent[i]!);
		yield* this.#compute(meanwhile);
		for (let i = 0; i < sources.length; i += 1) yield* this.#receive(sources[i]!);
		yield* this.#overhead(finish.exchange + this.#messages(finish, width, sources, received));
		yield* this.#compute(afterwards);
	}

	*#reduce(numbers: number): Generator<void> {
		const { loads, platform } = this.#replayed;
		const { name, step, number } = platform.costs.reduction;
		const { stepOverhead } = platform;
		if (loads.length === 1) return;
		if (name === "meeting") {
			const seconds = step + loads.length * numbers * number;
			Object.assign(this.#action, { kind: "meet", peer: 0, members: loads.length, seconds });
			yield;
			return;
		}
		for (const { to, from, lists } of this.#reduction) {
			const half = (step + number * numbers * Math.max(1, lists)) / 2;
			if (to !== undefined) {
				yield* this.#overhead(half + (this.#isOutside(to) ? stepOverhead : 0));
				yield* this.#send(to, NUMBER_BYTES * numbers * lists);
			}
			if (from === undefined) continue;
			yield* this.#receive(from);
			yield* this.#overhead(half + (this.#isOutside(from) ? stepOverhead : 0));
		}
	}

	/** Of messages with each of these ranks, of so many blocks. */
	#messages(end: EndCosts, width: number, ranks: Int32Array, blocks: Int32Array): number {
		const { overhead } = this.#replayed.platform;
		let seconds = -end.less * Math.max(0, ranks.length - 1);
		for (let i = 0; i < ranks.length; i += 1) {
			seconds += messageSeconds(end, width * blocks[i]!) + (this.#isOutside(ranks[i]!) ? overhead : 0);
		}
		return seconds;
	}

	#isOutside(other: number): boolean {
		const { host } = this.#replayed.platform.wires;
		return host[other] !== host[this.#rank];
	}

	*#compute(seconds: number): Generator<void> {
		if (seconds === 0) return;
		this.#action.kind = "compute";
		this.#action.seconds = seconds;
		yield;
	}

	*#overhead(seconds: number): Generator<void> {
		if (seconds === 0) return;
		this.#action.kind = "overhead";
		this.#action.seconds = seconds;
		yield;
	}

	*#send(to: number, bytes: number): Generator<void> {
		this.#action.kind = "send";
		this.#action.peer = to;
		this.#action.bytes = bytes;
		yield;
	}

	*#receive(from: number): Generator<void> {
		this.#action.kind = "receive";
		this.#action.peer = from;
		yield;
	}
}
