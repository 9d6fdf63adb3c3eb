/** The measures of error at (R, U), each one reduction. docs/conventions.md has their formulas, assembly/{natural,merit,energy}.ts what is computed. */
import type { Arena, Vector } from "../kernels/arena.js";
import { type Reducer, SUM_NUMBERS } from "../sums/reducer.js";
import { CHUNK, Sums } from "../sums/sums.js";
import { blockedTerm, energyDenominator, meritDenominator } from "./denominator.js";

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

/** What ordinary problems of all sizes reach (docs/decisions/0011); the merit is quadratic in the error, the others are linear. */
export const DEFAULT_TOLERANCES: Readonly<Record<MeasureName, number>> = {
	energy: 1e-3,
	natural: 1e-3,
	merit: 1e-6,
	gradient: 1e-3,
};

/** The root of 1 / g_d, g_d = 2^-20 being the step of the gradient measure, 1e-6 in the reference: a power of two multiplies without rounding. */
const GRADIENT_SCALE = 1024;

/** What the law of contact adds to the sums, first of these at `sum` (system/cones.ts). */
export interface MeasuredCones {
	addEnergy(w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void;
	addNatural(s: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void;
	addMerit(s: Vector, w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void;
	/** Multiplies the reactions among the laws' numbers that natural takes. */
	multiplyReactions(factor: number): void;
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
	/** The free velocity of the unknown that is measured, scaled, and in the problem's own units. */
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
	readonly #energyFree: number;
	readonly #meritFree: number;
	readonly #freeNorm: number;
	/** The root of energy's denominator: |dR| / energyScale estimates the energy error in a scaled system. */
	readonly energyScale: number;

	/** Collective. */
	constructor(system: MeasuredSystem) {
		this.#system = system;
		// The most at once: all measures, or the setting up.
		this.#sums = new Sums(system.arena, system.reducer, 8);
		this.#scratch = system.arena.vector(SCRATCH);
		const { unit } = system;
		this.#addFree();
		const [energy = 0, merit = 0, norm = 0, blocked = 0] = this.#sums.reduce();
		this.#energyFree = energyDenominator(energy, blocked);
		this.#meritFree = meritDenominator(merit, unit);
		this.#freeNorm = Math.sqrt(norm);
		this.energyScale = Math.sqrt(this.#energyFree);
	}

	/** Terms of four sums: energy's and merit's denominators, |q|^2 in the problem's units, and what blocked contacts would add to energy's. */
	#addFree(): void {
		const { arena, contacts, singular, w, free, unit, givenFree } = this.#system;
		const sum = this.#sums.take(4);
		const { values, at } = this.#sums.scratch;
		const before = arena.bytes;
		const given = arena.room(3 * CHUNK);
		const { kernels } = arena;
		for (let from = 0; from < contacts; from += CHUNK) {
			const count = Math.min(CHUNK, contacts - from);
			given.values.set(givenFree.subarray(3 * from, 3 * (from + count)));
			// Free of scales: W_aa^-1 takes s^-2 and q_a takes s. All three measures are ratios, in which the unit cancels.
			kernels.freeTerms(count, w.at + 9 * from, free.at + 3 * from, given.at, unit, at);
			for (let i = 0; singular.size > 0 && i < count; i += 1) {
				const isBlocked = singular.has(from + i);
				if (isBlocked) values[i] = values[CHUNK + i] = 0;
				values[3 * CHUNK + i] = isBlocked ? blockedTerm(from + i, w.values, free.values) : 0;
			}
			const sums = singular.size > 0 ? 4 : 3;
			for (let j = 0; j < sums; j += 1) kernels.deposit(at + j * CHUNK, count, sum + SUM_NUMBERS * j, arena.bins.at);
		}
		arena.rewind(before);
	}

	/** Collective. */
	measure(name: MeasureName, r: Vector, u: Vector): number {
		if (name === "energy") return this.energy(r, u);
		if (name === "gradient") return this.gradient(r, u);
		return name === "natural" ? this.natural(r, u) : this.merit(r, u);
	}

	/** Collective. */
	energy(r: Vector, u: Vector): number {
		this.#addEnergy(r, u);
		return this.#energyOf(this.#sums.reduce(), 0);
	}

	/** Collective. A measure and |c|, in one reduction. */
	measureAndNorm(
		name: MeasureName,
		r: Vector,
		u: Vector,
		c: Vector,
	): { readonly value: number; readonly norm: number } {
		if (name === "energy") this.#addEnergy(r, u);
		else if (name === "natural") this.#addNatural(r, u);
		else if (name === "gradient") this.#addGradient(r, u);
		else this.#addMerit(r, u);
		const last = this.#sums.used;
		this.#sums.dots(c.at, 0, 0, 0, c.at, this.#system.length);
		const sums = this.#sums.reduce();
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

	/** Collective. Those of a report, in one reduction, and the gradient where it is wanted; what is known of them already is not taken again. */
	all(r: Vector, u: Vector, known: Partial<MeasuresTaken> = {}, wanted: MeasureName = "energy"): MeasuresTaken {
		if (known.energy === undefined) this.#addEnergy(r, u);
		const natural = this.#sums.used;
		if (known.natural === undefined) this.#addNatural(r, u);
		const merit = this.#sums.used;
		if (known.merit === undefined) this.#addMerit(r, u);
		const gradient = this.#sums.used;
		const isWanted = wanted === "gradient";
		if (isWanted && known.gradient === undefined) this.#addGradient(r, u);
		const sums = this.#sums.reduce();
		return {
			energy: known.energy ?? this.#energyOf(sums, 0),
			natural: known.natural ?? this.#naturalOf(sums, natural),
			merit: known.merit ?? this.#meritOf(sums, merit),
			...(isWanted && { gradient: known.gradient ?? this.#gradientOf(sums, gradient) }),
		};
	}

	#addEnergy(r: Vector, u: Vector): void {
		const { cones, w } = this.#system;
		cones.addEnergy(w, r, u, this.#scratch, this.#sums.scratch, this.#sums.take(1));
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

	#energyOf(sums: Float64Array, at: number): number {
		return Math.sqrt(sums[at]! / this.#energyFree);
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
