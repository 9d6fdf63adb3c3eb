/**
 * A program for tests, unrelated to contacts: walkers in the plane that age, and cells whose weather changes. Two spaces of ids, vectors of width 2, 1 and
 * 4, and a number that all ranks share.
 */
import { type RankContext, REQUEST, type RunState, SavedState } from "@stickslip/core/parallel";
import { array, flag, integer, optional, record } from "@stickslip/core/schema";
import type { Program } from "../programs/program.js";

export const WALKERS = 23;
export const CELLS = 4;

/** What a rank owns. */
export interface WalkIds {
	readonly walkers: Int32Array;
	readonly cells: Int32Array;
}

export interface WalkPart extends WalkIds {
	readonly steps: number;
	/** The rank that fails at half the way; -1 for none. */
	readonly fails: number;
	/** Milliseconds that each step takes at least: an endless walk must leave time for the process that stops it. */
	readonly pause: number;
	/** Whether it hands out its state at the end. */
	readonly saves?: boolean;
}

export interface WalkResult {
	readonly rank: number;
	readonly steps: number;
	readonly farthest: number;
	readonly walkers: Int32Array;
	readonly places: Float64Array;
}

/** The ownership depends on the number of ranks; the fifth of five owns no cell. */
export function ownedBy(rank: number, ranks: number): WalkIds {
	const of = (count: number) => Int32Array.from({ length: count }, (_, id) => (7 * id) % count);
	const own = (id: number) => id % ranks === rank;
	return { walkers: of(WALKERS).filter(own), cells: of(CELLS).filter(own) };
}

const clock = new Int32Array(new SharedArrayBuffer(4));

export class Walk {
	iteration = 0;
	time = 0;
	farthest = 0;
	readonly #walkers: Int32Array;
	readonly #cells: Int32Array;
	readonly #place: Float64Array;
	readonly #age: Float64Array;
	readonly #weather: Float64Array;

	constructor({ walkers, cells }: WalkIds) {
		this.#walkers = walkers;
		this.#cells = cells;
		this.#place = Float64Array.from({ length: 2 * walkers.length }, (_, at) => 1 / (2 + walkers[at >> 1]! + (at & 1)));
		this.#age = new Float64Array(walkers.length);
		this.#weather = Float64Array.from(
			{ length: 4 * cells.length },
			(_, at) => 1 / (3 + 4 * cells[at >> 2]! + (at & 3)),
		);
	}

	step(): void {
		const next = (value: number) => 3.7 * value * (1 - value);
		this.iteration += 1;
		this.time += 0.1;
		for (const values of [this.#place, this.#weather]) values.set(values.map(next));
		for (const [at, id] of this.#walkers.entries()) this.#age[at]! += this.#place[2 * at]! / (1 + id);
	}

	/** Collective. A step, and what all ranks request. */
	stepTogether({ communicator, request }: RankContext): number {
		this.step();
		// Rank 0 alone may ask to save.
		const asked = request === REQUEST.save && communicator.rank > 0 ? 0 : request;
		const all = Float64Array.of(asked, Math.max(0, ...this.#place));
		communicator.reduce(all, (into, from) => {
			for (let i = 0; i < into.length; i += 1) into[i] = Math.max(into[i]!, from[i]!);
		});
		this.farthest = Math.max(this.farthest, all[1]!);
		return all[0]!;
	}

	get places(): Float64Array {
		return this.#place.slice();
	}

	get state(): RunState {
		const [place, age, weather] = [this.#place, this.#age, this.#weather].map((values) => values.slice());
		return {
			iteration: this.iteration,
			scalars: { time: this.time, farthest: this.farthest },
			spaces: {
				walkers: {
					count: WALKERS,
					ids: this.#walkers,
					vectors: { place: { width: 2, values: place! }, age: { width: 1, values: age! } },
				},
				cells: { count: CELLS, ids: this.#cells, vectors: { weather: { width: 4, values: weather! } } },
			},
		};
	}

	resume(from: RunState): void {
		const saved = new SavedState(from);
		this.iteration = saved.iteration;
		this.time = saved.scalars.number("time");
		this.farthest = saved.scalars.number("farthest");
		saved.space("walkers").vector("place", 2, this.#place);
		saved.space("walkers").vector("age", 1, this.#age);
		saved.space("cells").vector("weather", 4, this.#weather);
		saved.end();
	}
}

const program: Program<WalkPart, WalkResult> = {
	name: import.meta.url,
	isPart: record({
		walkers: array(Int32Array),
		cells: array(Int32Array),
		steps: integer(0, 1e9),
		fails: integer(-1, 99),
		pause: integer(0, 1000),
		saves: optional(flag),
	}),
	*run(part, context) {
		const { rank } = context.communicator;
		const walk = new Walk(part);
		if (context.from) walk.resume(context.from);
		context.ready();
		context.log("info", "walk", { walkers: part.walkers.length });
		while (walk.iteration < part.steps) {
			if (rank === part.fails && 2 * walk.iteration >= part.steps) throw new Error("sprained an ankle");
			if (part.pause > 0) Atomics.wait(clock, 0, 0, part.pause);
			const asked = walk.stepTogether(context);
			context.progress([walk.iteration, part.steps]);
			if (asked === REQUEST.save || asked === REQUEST.suspend) context.save(walk.state);
			if (asked > REQUEST.save) break;
			yield;
		}
		if (part.saves) context.save(walk.state);
		return { rank, steps: walk.iteration, farthest: walk.farthest, walkers: part.walkers, places: walk.places };
	},
};

export default program;
