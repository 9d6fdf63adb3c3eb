/**
 * The cones of a system's blocks: all that methods and measures ask of the law of contact. Contacts of one law stand side by side, so that each
 * of these calls a kernel once per range, and no kernel asks a contact for its law. Coulomb's has kernels of its own, the others share theirs.
 */
import type { Arena, Vector } from "../kernels/arena.js";
import type { Share } from "../parallel/share.js";
import { lawCode, lawOf, PARAMETERS } from "../problem/laws.js";
import { ROLLING, ROLLING_FRICTION, SPIN_FRICTION } from "../problem/rolling.js";
import { COULOMB, type ConeRange, coneRanges } from "./cone-ranges.js";

const COHESIVE = lawCode("cohesive");
const PRELOADED = lawCode("preloaded");
/** Laws whose set has its tip, or its lowest disc, away from R = 0. */
const SHIFTED = [COHESIVE, PRELOADED];
const FRICTIONLESS = lawCode("frictionless");
const BILATERAL = lawCode("bilateral");
const NONE = Number.POSITIVE_INFINITY;
const BOX = lawCode("box");

/** Numbers of scratch that a diagonal step takes. */
export const DIAGONAL_STEP_WORK = 54;

function traceOf(w: Float64Array, a: number): number {
	return w[9 * a]! + w[9 * a + 4]! + w[9 * a + 8]!;
}

/** True if a contact, on whatever rank, has a law of such a set. */
export function isShifted(lawsUsed: Int32Array): boolean {
	return SHIFTED.some((law) => lawsUsed.includes(law));
}

export class Cones {
	readonly ranges: readonly ConeRange[];
	/** Friction of each own contact; zero where its law knows none. */
	readonly mu: Vector;
	/** Own contacts; the blocks behind them are free. */
	readonly contacts: number;
	readonly #arena: Arena;
	/** Numbers of the laws, PARAMETERS for each own contact, in the system's units. */
	readonly #scaled: Vector | undefined;
	/** The same in the units of natural and merit, which are the problem's times the system's unit. */
	readonly #given: Vector | undefined;
	/** Where they stand. */
	readonly parametersAt: number;
	readonly #givenAt: number;
	/** Whether contacts roll, on this rank or another. */
	readonly hasRolling: boolean;
	/** Places of reactions among them. */
	readonly #reactions: number[] = [];

	constructor(arena: Arena, share: Pick<Share, "ownContacts" | "ids" | "mu" | "laws" | "lawsUsed">) {
		const blocks = share.ids.length;
		this.#arena = arena;
		this.contacts = share.ownContacts;
		this.hasRolling = share.lawsUsed.includes(ROLLING);
		this.ranges = coneRanges(this.contacts, blocks, share.laws?.law);
		this.mu = arena.room(blocks, blocks - this.contacts);
		this.mu.values.set(share.mu);
		for (const { law, from, to } of this.ranges) if (law === FRICTIONLESS) this.mu.values.fill(0, from, to);
		this.#scaled = share.laws && arena.room(PARAMETERS * this.contacts);
		this.#given = share.laws && arena.room(PARAMETERS * this.contacts);
		this.parametersAt = this.#scaled?.at ?? -1;
		this.#givenAt = this.#given?.at ?? -1;
	}

	/** Writes the laws' numbers, which a system knows how to scale when it has been made: reactions are divided by s and multiplied by the unit. */
	scale({ laws, mu }: Pick<Share, "laws" | "mu">, s: Float64Array, unit: number): void {
		if (laws === undefined || this.#scaled === undefined || this.#given === undefined) return;
		const { law, parameters } = laws;
		for (const values of [this.#scaled.values, this.#given.values]) values.set(parameters);
		for (let a = 0; a < this.contacts; a += 1) {
			const at = PARAMETERS * a;
			this.#scaled.values[at] = this.#given.values[at] = mu[a]!;
			for (const [index, { kind }] of (lawOf(law[a]!)?.doc.parameters ?? []).entries()) {
				// A length relates a contact's moment, in the block behind its force, to the force.
				if (kind === "length" && a + 1 < this.contacts) this.#scaled.values[at + 1 + index]! *= s[a]! / s[a + 1]!;
				if (kind !== "reaction") continue;
				this.#reactions.push(at + 1 + index);
				this.#given.values[at + 1 + index]! *= unit;
				this.#scaled.values[at + 1 + index] = this.#given.values[at + 1 + index]! / s[a]!;
			}
		}
	}

	/** Multiplies what natural and merit take for the laws' reactions by a power of two, which loses nothing. */
	multiplyReactions(factor: number): void {
		if (this.#given === undefined) return;
		const { values } = this.#given;
		for (const at of this.#reactions) values[at]! *= factor;
	}

	/** Sets x to c, zero elsewhere, where R + c e_N is the unknown that measures know: the cohesion, or less the preload. */
	writeShift(x: Vector): void {
		x.values.fill(0);
		for (const { law, from, to } of this.ranges) {
			if (!SHIFTED.includes(law)) continue;
			const sign = law === PRELOADED ? -1 : 1;
			for (let a = from; a < to; a += 1) x.values[3 * a] = sign * this.#scaled!.values[PARAMETERS * a + 1]!;
		}
	}

	/** mu_r and mu_s of all rolling contacts, where their moments are. */
	writeRollingFriction(rolling: Float64Array, spinning: Float64Array): void {
		for (const { law, from, to } of this.ranges) {
			if (law !== ROLLING) continue;
			for (let a = from; a < to; a += 2) {
				rolling[a + 1] = this.#scaled!.values[PARAMETERS * a + ROLLING_FRICTION]!;
				spinning[a + 1] = this.#scaled!.values[PARAMETERS * a + SPIN_FRICTION]!;
			}
		}
	}

	/** Bounds of all numbers of R, by place, for cones that are boxes; those of Coulomb's are the ones of mu = 0, and equality blocks have none. */
	writeBounds(low: Float64Array, high: Float64Array): void {
		for (const { law, from, to } of this.ranges) {
			for (let a = from; a < to; a += 1) {
				const at = 3 * a;
				if (law === BOX) {
					const limits = this.#scaled!.values.subarray(PARAMETERS * a + 1, PARAMETERS * a + 7);
					low.set(limits.subarray(0, 3), at);
					high.set(limits.subarray(3), at);
					continue;
				}
				const isFree = law === BILATERAL || a >= this.contacts;
				low.fill(isFree ? -NONE : 0, at, at + 3);
				high.fill(isFree ? NONE : 0, at, at + 3);
				high[at] = NONE;
			}
		}
	}

	/** f <- B f, B = 3 / trace(W_aa) of each block; of the two of a rolling contact, which have one cone, 6 over both traces. */
	divideByDiagonal(w: Vector, f: Vector): void {
		for (const { law, from, to } of this.ranges) {
			const width = law === ROLLING ? 2 : 1;
			for (let a = from; a < to; a += width) {
				let trace = traceOf(w.values, a);
				if (width === 2) trace += traceOf(w.values, a + 1);
				const weight = (3 * width) / trace;
				for (let i = 3 * a; i < 3 * (a + width); i += 1) f.values[i]! *= weight;
			}
		}
	}

	/** r <- proj_K(r) */
	project(r: Vector): void {
		this.#project(0, -1, r);
	}

	/** r <- proj_K(r + factor d) */
	addProjected(factor: number, d: Vector, r: Vector): void {
		this.#project(factor, d.at, r);
	}

	#project(factor: number, d: number, r: Vector): void {
		const { kernels } = this.#arena;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) kernels.addProjected(from, to, this.contacts, this.mu.at, factor, d, r.at);
			else kernels.lawProject(law, from, to, this.parametersAt, factor, d, r.at);
		}
	}

	/** f <- F(u) */
	velocity(u: Vector, f: Vector): void {
		const { kernels } = this.#arena;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) kernels.lawVelocity(from, to, this.contacts, this.mu.at, u.at, f.at);
			else kernels.lawVelocities(law, from, to, this.parametersAt, u.at, f.at);
		}
	}

	/**
	 * C at (R, U), smoothed by omega, and X, Y and the coupling where they are given (assembly/smoothing.ts): three numbers for each block, what R_N of
	 * a rolling contact does to C of its moment, which stands in the block behind (assembly/laws/rolling-newton.ts).
	 */
	linearise(omega: number, r: Vector, u: Vector, c: Vector, x?: Vector, y?: Vector, coupling?: Vector): void {
		const { kernels } = this.#arena;
		const [xAt, yAt, couplingAt] = [x?.at ?? -1, y?.at ?? -1, coupling?.at ?? -1];
		for (const { law, from, to } of this.ranges) {
			const p = this.parametersAt;
			if (law === COULOMB) kernels.linearise(from, to, this.contacts, omega, this.mu.at, r.at, u.at, c.at, xAt, yAt);
			else if (law === ROLLING) kernels.rollingLinearise(from, to, p, r.at, u.at, c.at, xAt, yAt, couplingAt);
			else kernels.lawLinearise(law, from, to, p, omega, r.at, u.at, c.at, xAt, yAt);
		}
	}

	/** Room for the coupling, zero where nothing rolls; undefined where nothing in the problem does. */
	coupling(): Vector | undefined {
		return this.hasRolling ? this.#arena.vector(3 * this.mu.values.length) : undefined;
	}

	/** y <- y + factor Z x, Z what `linearise` has as the coupling. */
	addCoupling(factor: number, coupling: Vector | undefined, x: Vector, y: Vector): void {
		if (coupling === undefined) return;
		for (const { law, from, to } of this.ranges) {
			if (law === ROLLING) this.#arena.kernels.addCoupling(from, to, factor, coupling.at, x.at, y.at);
		}
	}

	/** d <- (1 - theta) d - theta A_aa^-1 C_a (assembly/newton.ts); work has room for DIAGONAL_STEP_WORK numbers. */
	diagonalStep(omega: number, theta: number, w: Vector, r: Vector, u: Vector, d: Vector, work: Vector): void {
		const { kernels } = this.#arena;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) {
				kernels.diagonalStep(from, to, this.contacts, omega, theta, this.mu.at, w.at, r.at, u.at, d.at, work.at);
			} else if (law === ROLLING) {
				kernels.rollingDiagonalStep(from, to, this.parametersAt, theta, w.at, r.at, u.at, d.at, work.at);
			} else {
				kernels.lawDiagonalStep(law, from, to, this.parametersAt, omega, theta, w.at, r.at, u.at, d.at, work.at);
			}
		}
	}

	/** Writes energy's terms by place; e has room for 27 numbers, `values` for 64 of each sum, here and below. */
	energyTerms(w: Vector, r: Vector, u: Vector, e: Vector, terms: Vector): void {
		const { kernels } = this.#arena;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) {
				kernels.energyTerms(from, to, this.contacts, this.mu.at, w.at, r.at, u.at, e.at, terms.at);
			} else kernels.lawEnergyTerms(law, from, to, this.parametersAt, w.at, r.at, u.at, e.at, terms.at);
		}
	}

	/** Adds natural's terms to three sums. */
	addNatural(s: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void {
		const { kernels, bins } = this.#arena;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) {
				kernels.naturalTerms(from, to, this.contacts, this.mu.at, s.at, r.at, u.at, e.at, values.at, sum, bins.at);
			} else kernels.lawNaturalTerms(law, from, to, this.#givenAt, s.at, r.at, u.at, e.at, values.at, sum, bins.at);
		}
	}

	/** Adds merit's terms to the sum. */
	addMerit(s: Vector, w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void {
		const { kernels, bins } = this.#arena;
		const { contacts, mu } = this;
		for (const { law, from, to } of this.ranges) {
			if (law === COULOMB) {
				kernels.meritTerms(from, to, contacts, mu.at, s.at, w.at, r.at, u.at, e.at, values.at, sum, bins.at);
			} else {
				const p = this.#givenAt;
				kernels.lawMeritTerms(law, from, to, p, s.at, w.at, r.at, u.at, e.at, values.at, sum, bins.at);
			}
		}
	}
}
