/** The exchanges of one share on one communicator: all ghosts at once, and what each step of a sweep changed. */
import type { Vector } from "../kernels/arena.js";
import type { Communicator, Exchange, HaloPlan } from "../parallel/communicator.js";
import { emptyPlan, reversedPlan, splitPlans } from "../parallel/halo-plans.js";
import { isEmpty, type Share, type SweepPlan } from "../parallel/share.js";
import { type ConeRange, coneRanges, lawPieces } from "./cone-ranges.js";

/** A stretch of a sweep: what comes in before it, and its rows, those without ghosts first. */
export interface Stretch {
	/** What the step before changed; of the first stretch, everything. */
	readonly incoming: Exchange;
	/** Pieces of runs: from, to and law of each. */
	readonly interior: Int32Array;
	readonly boundary: Int32Array;
	/** Exchanges between the steps of this stretch, which touch nobody here; on one rank they are all the same one. */
	readonly counted: readonly Exchange[];
}

/** Those between the steps of a stretch. */
export function countUnsent(counted: readonly Exchange[], x: Vector): void {
	const first = counted[0];
	if (first?.count !== undefined) first.count(counted.length);
	else for (let k = 0; k < counted.length; k += 1) pass(counted[k]!, x);
}

/** An exchange with nothing to do meanwhile. */
export function pass(exchange: Exchange, x: Vector): void {
	exchange.begin(x.values);
	exchange.finish(x.values);
}

export class Halo {
	readonly full: Exchange;
	readonly forward: readonly Stretch[];
	#backward: readonly Stretch[] | undefined;
	readonly #sweep: SweepPlan;
	readonly #ranges: readonly ConeRange[];
	/** Whether this rank exchanges nothing. */
	readonly #isAlone: boolean;
	readonly #plans: readonly HaloPlan[];
	readonly #passed: readonly Exchange[];
	/** Whether a sweep backwards passes on the same the other way. */
	readonly #isReversed: boolean;
	/** Of methods. */
	readonly #others: Exchange[] = [];
	readonly #communicator: Communicator;

	/** Collective. */
	constructor(share: Share, communicator: Communicator) {
		this.#communicator = communicator;
		this.full = communicator.open(share.halo);
		const { passed, steps } = share.sweep;
		this.#plans = share.ranks === 1 ? [] : splitPlans(passed);
		// Of a rank that is alone all exchanges are one: they are counted, and nothing else.
		this.#passed =
			share.ranks === 1
				? new Array<Exchange>(steps).fill(communicator.open(emptyPlan(passed.width)))
				: this.#plans.map((plan) => communicator.open(plan));
		this.#isReversed = share.ranks > 1 && share.operator.kind === "matrix-free";
		this.#sweep = share.sweep;
		this.#ranges = coneRanges(share.ownContacts, share.ids.length, share.laws?.law);
		this.#isAlone = isEmpty(share.halo) && passed.targets.length === 0 && passed.sources.length === 0;
		this.forward = this.#stretches(false);
	}

	/** Made when it is first asked for: most solves never sweep backwards. Collective then. */
	get backward(): readonly Stretch[] {
		this.#backward ??= this.#stretches(true);
		return this.#backward;
	}

	/** By step what comes in after it in a sweep backwards. */
	#passedBack(): readonly Exchange[] {
		if (!this.#isReversed) return this.#passed;
		// What goes forwards after a step goes backwards after the next one; after the first nothing does.
		return [this.full, ...this.#plans.slice(0, -1).map((plan) => this.open(reversedPlan(plan)))];
	}

	/** Collective. An exchange of another plan. */
	open(plan: HaloPlan): Exchange {
		const exchange = this.#communicator.open(plan);
		this.#others.push(exchange);
		return exchange;
	}

	/** Gives back what the exchanges hold of the communicator. */
	close(): void {
		this.full.close();
		for (const exchange of this.#passed) exchange.close();
		for (const exchange of this.#others) exchange.close();
	}

	/** Steps between which this rank exchanges nothing are swept in one go: their exchanges are only counted. */
	#stretches(backward: boolean): Stretch[] {
		const { steps, start, runs } = this.#sweep;
		const ranges = this.#ranges;
		const passed = backward ? this.#passedBack() : this.#passed;
		const stretches: { incoming: Exchange; counted: Exchange[]; interior: number[]; boundary: number[] }[] = [];
		for (let i = 0; i < steps; i += 1) {
			const step = backward ? steps - 1 - i : i;
			const incoming = i === 0 ? this.full : passed[backward ? step + 1 : step - 1]!;
			let stretch = stretches[0];
			if (stretch && this.#isAlone) stretch.counted.push(incoming);
			else {
				stretch = { incoming, counted: [], interior: [], boundary: [] };
				stretches.push(stretch);
			}
			append(stretch.interior, runs, start[2 * step]!, start[2 * step + 1]!, backward);
			append(stretch.boundary, runs, start[2 * step + 1]!, start[2 * step + 2]!, backward);
		}
		return stretches.map(({ interior, boundary, ...rest }) => ({
			...rest,
			interior: lawPieces(interior, ranges, backward),
			boundary: lawPieces(boundary, ranges, backward),
		}));
	}
}

/** Runs first to end - 1, in the order of the sweep, each joined with the one before where they meet. */
function append(into: number[], runs: Int32Array, first: number, end: number, backward: boolean): void {
	for (let k = first; k < end; k += 1) {
		const run = backward ? first + end - 1 - k : k;
		const [from, to] = [runs[2 * run]!, runs[2 * run + 1]!];
		const last = into.length - 1;
		if (!backward && last > 0 && into[last] === from) into[last] = to;
		else if (backward && last > 0 && into[last - 1] === to) into[last - 1] = from;
		else into.push(from, to);
	}
}
