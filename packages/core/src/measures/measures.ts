/** The measures of error at (R, U), each one reduction. docs/conventions.md has the formulas, assembly/{natural,merit,energy}.ts the terms. */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { FIRST_TOP } from "../kernels/bin-table.js";
import { type Reducer, SUM_NUMBERS } from "../sums/reducer.js";
import { CHUNK, Sums } from "../sums/sums.js";
import { blockedTerm, meritDenominator } from "./denominator.js";

export const MEASURES = ["energy", "natural", "merit", "gradient"] as const;
export type MeasureName = (typeof MEASURES)[number];

/** What every report has; the gradient besides where it is what was asked for. */
export interface MeasuresTaken {
	readonly energy: number;
	readonly natural: number;
	readonly merit: number;
	readonly gradient?: number;
}

/** The error in the measure of the tolerance. */
export function errorOf(report: MeasuresTaken & { readonly measure: MeasureName }): number {
	return report[report.measure] ?? Number.NaN;
}

/** Ordinary problems of all sizes reach these (docs/decisions/0053); the merit is quadratic in the error, the others are linear. */
export const DEFAULT_TOLERANCES: Readonly<Record<MeasureName, number>> = {
	energy: 1e-2,
	natural: 1e-3,
	merit: 1e-6,
	gradient: 1e-3,
};

/** The root of 1 / g_d, g_d = 2^-20 being the step of the gradient measure, 1e-6 in the reference: a power of two multiplies without rounding. */
const GRADIENT_SCALE = 1024;

/** Terms of the law of contact (system/cones.ts); those of natural and merit are added to the sums that begin at `sum`. */
export interface MeasuredCones {
	energyTerms(w: Vector, r: Vector, u: Vector, e: Vector, terms: Vector): void;
	addNatural(s: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void;
	addMerit(s: Vector, w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void;
	/** Multiplies the reactions among the laws' numbers that natural takes. */
	multiplyReactions(factor: number): void;
}

/** Own blocks by component: those of component c are at member[start[c]] .. member[start[c + 1] - 1], ascending. */
export interface Components {
	readonly count: number;
	readonly start: IntVector;
	readonly member: IntVector;
	/** Number of each component among those that cross ranks, -1 for one that is whole on this rank; absent on one rank. */
	readonly crossing: Int32Array | undefined;
	/** Number of components that cross ranks, the same on all ranks. */
	readonly crossings: number;
}

/** What is measured: a scaled system, as much of it as one rank owns (system/system.ts says what each is). */
export interface MeasuredSystem {
	readonly arena: Arena;
	readonly reducer: Reducer;
	readonly unit: number;
	readonly contacts: number;
	readonly blocks: number;
	readonly length: number;
	readonly singular: ReadonlySet<number>;
	readonly components: Components;
	readonly q: Vector;
	/** The free velocity of the unknown that natural and merit measure, scaled, and in the problem's own units; q where no cone is shifted. */
	readonly free: Vector;
	readonly givenFree: Float64Array;
	readonly cones: MeasuredCones;
	readonly s: Vector;
	readonly w: Vector;
	readonly share: { readonly contacts: number };
}

/** Numbers of scratch for a contact: of rolling ones the most. */
const SCRATCH = 27;

export class Measures {
	readonly #system: MeasuredSystem;
	readonly #sums: Sums;
	readonly #scratch: Vector;
	/** Terms of energy by own block, and the sum of one component. */
	readonly #terms: Vector;
	readonly #own: Vector;
	/** Energy's denominators of the components on this rank, infinite for those that cross ranks, and of the crossing ones by number. */
	readonly #denominators: Vector;
	readonly #crossingDenominators: Float64Array;
	readonly #meritFree: number;
	readonly #freeNorm: number;
	/** Root of the energy of the whole problem at R = 0: |dR| / energyScale estimates the energy error of a problem of one component. */
	readonly energyScale: number;

	/** Collective. `zero` is the R nearest to zero that the laws allow, with its U: errors are relative to the error there. */
	constructor(system: MeasuredSystem, zero: { readonly r: Vector; readonly u: Vector }) {
		this.#system = system;
		const { arena, unit, blocks, components, w } = system;
		const { count, crossings } = components;
		// All measures at once, or the denominators of all crossing components.
		this.#sums = new Sums(arena, system.reducer, 8 + 2 * crossings);
		this.#scratch = arena.vector(SCRATCH);
		this.#terms = arena.vector(blocks);
		this.#denominators = arena.vector(count);
		this.#own = arena.vector(SUM_NUMBERS);
		this.#own.values[0] = this.#own.values[1] = FIRST_TOP;
		// Sums of crossing components come first in every reduction: where there are none the others have the same order.
		const [crossingFree, crossingZero, whole] = [crossings, crossings, 4].map((some) => this.#sums.take(some));
		this.#addFree(whole!);
		const free = this.#addTotals(crossingFree!, whole! + 2 * SUM_NUMBERS);
		system.cones.energyTerms(w, zero.r, zero.u, this.#scratch, this.#terms);
		const atZero = this.#addTotals(crossingZero!, whole! + 3 * SUM_NUMBERS);
		const sums = this.#sums.reduce();
		const [merit, norm, allFree, allZero] = sums.subarray(2 * crossings);
		this.#meritFree = meritDenominator(merit!, unit);
		this.#freeNorm = Math.sqrt(norm!);
		const denominator = arena.kernels.componentDenominator;
		this.energyScale = Math.sqrt(denominator(allZero!, allFree!));
		this.#crossingDenominators = Float64Array.from({ length: crossings }, (_, i) =>
			denominator(sums[crossings + i]!, sums[i]!),
		);
		for (let c = 0; c < count; c += 1) {
			const isHere = (components.crossing?.[c] ?? -1) < 0;
			this.#denominators.values[c] = isHere ? denominator(atZero[c]!, free[c]!) : Number.POSITIVE_INFINITY;
		}
	}

	/** Adds to two sums merit's denominator and |q|^2 in the problem's units; energy's terms become those of the free motion. */
	#addFree(sum: number): void {
		const { arena, contacts, singular, w, q, free, unit, givenFree } = this.#system;
		const { values, at } = this.#sums.scratch;
		const before = arena.bytes;
		const given = arena.room(3 * CHUNK);
		const { kernels } = arena;
		for (let from = 0; from < contacts; from += CHUNK) {
			const count = Math.min(CHUNK, contacts - from);
			given.values.set(givenFree.subarray(3 * from, 3 * (from + count)));
			// Free of scales: W_aa^-1 contributes s^-2 and q_a contributes s. All three measures are quotients, in which the unit cancels.
			kernels.freeTerms(count, w.at + 9 * from, free.at + 3 * from, given.at, unit, at);
			for (let i = 0; singular.size > 0 && i < count; i += 1) {
				if (singular.has(from + i)) values[CHUNK + i] = 0;
			}
			for (let j = 0; j < 2; j += 1) {
				kernels.deposit(at + (j + 1) * CHUNK, count, sum + SUM_NUMBERS * j, arena.bins.at);
			}
			const own = this.#terms.values;
			// The scale of rounding is that of both q and the shift of a cone, which may cancel.
			for (const velocity of q === free ? [q] : [free, q]) {
				if (velocity !== free) kernels.freeTerms(count, w.at + 9 * from, velocity.at + 3 * from, given.at, unit, at);
				for (let i = 0; i < count; i += 1) {
					const isSingular = singular.size > 0 && singular.has(from + i);
					own[from + i]! += isSingular ? blockedTerm(from + i, w.values, velocity.values) : values[i]!;
				}
			}
		}
		arena.rewind(before);
	}

	/** Adds all terms to `sum`, those of crossing components to theirs; returns the totals of the components on this rank. */
	#addTotals(crossing: number, sum: number): Float64Array {
		const { arena, blocks, components } = this.#system;
		const { count, start, member } = components;
		const before = arena.bytes;
		const totals = arena.room(count);
		const { kernels, bins } = arena;
		const [values, terms, own] = [this.#sums.scratch.at, this.#terms.at, this.#own.at];
		kernels.depositMembers(blocks, member.at, 0, blocks, terms, values, sum, bins.at);
		kernels.componentTotals(blocks, count, start.at, member.at, terms, values, own, bins.at, totals.at);
		const found = totals.values.slice();
		arena.rewind(before);
		this.#addCrossing(crossing);
		return found;
	}

	/** Adds the terms of crossing components to their sums, the first of which is at `sums`, and parts of them that slide to `sliding`. */
	#addCrossing(sums: number, sliding = -1): void {
		const { arena, blocks, components } = this.#system;
		const { count, start, member, crossing } = components;
		const { scratch } = this.#sums;
		const [values, terms] = [this.#sums.scratch.at, this.#terms.at];
		for (let c = 0; crossing !== undefined && c < count; c += 1) {
			if (crossing[c]! < 0) continue;
			const [from, to] = [start.values[c]!, start.values[c + 1]!];
			const sum = sums + SUM_NUMBERS * crossing[c]!;
			const slides = arena.kernels.depositMembers(blocks, member.at, from, to, terms, values, sum, arena.bins.at);
			if (sliding < 0 || slides === 0) continue;
			scratch.values[0] = 1;
			arena.kernels.deposit(values, 1, sliding + SUM_NUMBERS * crossing[c]!, arena.bins.at);
		}
	}

	/** Collective. */
	measure(name: MeasureName, r: Vector, u: Vector): number {
		if (name === "energy") return this.energy(r, u);
		if (name === "gradient") return this.gradient(r, u);
		return name === "natural" ? this.natural(r, u) : this.merit(r, u);
	}

	/** Collective. */
	energy(r: Vector, u: Vector): number {
		const own = this.#addEnergy(r, u);
		return this.#energyOf(this.#sums.reduce(own), 0);
	}

	/** Collective. A measure and |c|, in one reduction. */
	measureAndNorm(
		name: MeasureName,
		r: Vector,
		u: Vector,
		c: Vector,
	): { readonly value: number; readonly norm: number } {
		let own = 0;
		if (name === "energy") own = this.#addEnergy(r, u);
		else if (name === "natural") this.#addNatural(r, u);
		else if (name === "gradient") this.#addGradient(r, u);
		else this.#addMerit(r, u);
		const last = this.#sums.used;
		this.#sums.dots(c.at, 0, 0, 0, c.at, this.#system.length);
		const sums = this.#sums.reduce(own);
		const of = {
			energy: this.#energyOf,
			natural: this.#naturalOf,
			merit: this.#meritOf,
			gradient: this.#gradientOf,
		};
		return { value: of[name].call(this, sums, 0), norm: Math.sqrt(sums[last]!) };
	}

	/** Collective. */
	natural(r: Vector, u: Vector): number {
		this.#addNatural(r, u);
		return this.#naturalOf(this.#sums.reduce(), 0);
	}

	/** Collective. */
	merit(r: Vector, u: Vector): number {
		this.#addMerit(r, u);
		return this.#meritOf(this.#sums.reduce(), 0);
	}

	/** Collective. */
	gradient(r: Vector, u: Vector): number {
		this.#addGradient(r, u);
		return this.#gradientOf(this.#sums.reduce(), 0);
	}

	/** Collective. The measures of a report that are not `known`, in one reduction; the gradient if it is `wanted`. */
	all(r: Vector, u: Vector, known: Partial<MeasuresTaken> = {}, wanted: MeasureName = "energy"): MeasuresTaken {
		const own = known.energy === undefined ? this.#addEnergy(r, u) : 0;
		const natural = this.#sums.used;
		if (known.natural === undefined) this.#addNatural(r, u);
		const merit = this.#sums.used;
		if (known.merit === undefined) this.#addMerit(r, u);
		const gradient = this.#sums.used;
		const isWanted = wanted === "gradient";
		if (isWanted && known.gradient === undefined) this.#addGradient(r, u);
		const sums = this.#sums.reduce(own);
		return {
			energy: known.energy ?? this.#energyOf(sums, 0),
			natural: known.natural ?? this.#naturalOf(sums, natural),
			merit: known.merit ?? this.#meritOf(sums, merit),
			...(isWanted && { gradient: known.gradient ?? this.#gradientOf(sums, gradient) }),
		};
	}

	/** Adds the sums of crossing components; returns the largest squared error of the components on this rank. */
	#addEnergy(r: Vector, u: Vector): number {
		const { arena, blocks, cones, w, components } = this.#system;
		const { count, start, member } = components;
		cones.energyTerms(w, r, u, this.#scratch, this.#terms);
		const { crossings } = components;
		const sums = this.#sums.take(crossings);
		this.#addCrossing(sums, this.#sums.take(crossings));
		const { kernels, bins } = arena;
		const values = this.#sums.scratch.at;
		const terms = this.#terms.at;
		const own = this.#own.at;
		const denominators = this.#denominators.at;
		const from = start.at;
		const at = member.at;
		return kernels.largestSquare(blocks, count, from, at, terms, denominators, values, own, bins.at);
	}

	#addNatural(r: Vector, u: Vector): void {
		const { cones, s } = this.#system;
		cones.addNatural(s, r, u, this.#scratch, this.#sums.scratch, this.#sums.take(3));
	}

	/** Natural's terms where R counts for k^2 times what it does there: | k R - proj_K(k R - F / k) |, k = GRADIENT_SCALE. */
	#addGradient(r: Vector, u: Vector): void {
		const { arena, blocks, cones, s } = this.#system;
		arena.kernels.multiply(GRADIENT_SCALE, s.at, blocks);
		cones.multiplyReactions(GRADIENT_SCALE);
		this.#addNatural(r, u);
		arena.kernels.multiply(1 / GRADIENT_SCALE, s.at, blocks);
		cones.multiplyReactions(1 / GRADIENT_SCALE);
	}

	#addMerit(r: Vector, u: Vector): void {
		const { cones, s, w } = this.#system;
		cones.addMerit(s, w, r, u, this.#scratch, this.#sums.scratch, this.#sums.take(1));
	}

	/** The sums of crossing components begin at `at`. */
	#energyOf(sums: Float64Array, at: number): number {
		let { largest } = this.#sums;
		const { length } = this.#crossingDenominators;
		for (let i = 0; i < length; i += 1) {
			const square = sums[at + i]! / this.#crossingDenominators[i]!;
			const { kernels } = this.#system.arena;
			largest = Math.max(largest, kernels.tightened(square, sums[at + length + i]!));
		}
		return Math.sqrt(largest);
	}

	#naturalOf(sums: Float64Array, at: number): number {
		const scale = Math.max(this.#freeNorm, Math.sqrt(sums[at + 1]!), Math.sqrt(sums[at + 2]!));
		return Math.sqrt(sums[at]!) / (scale > 0 ? scale : 1);
	}

	/** An absolute number, in the problem's units. */
	#gradientOf(sums: Float64Array, at: number): number {
		const { unit, share } = this.#system;
		return (GRADIENT_SCALE * Math.sqrt(sums[at]!)) / (3 * Math.max(1, share.contacts) * unit);
	}

	#meritOf(sums: Float64Array, at: number): number {
		return sums[at]! / this.#meritFree;
	}
}
