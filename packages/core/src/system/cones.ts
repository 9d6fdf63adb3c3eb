/**
 * The cones of a system's blocks: all that methods and measures ask of the law of contact. Contacts of one law stand side by side, so that each
 * of these calls a kernel once per range, and no kernel asks a contact for its law.
 */
import type { Arena, Vector } from "../kernels/arena.js";
import type { Share } from "../parallel/share.js";
import { type ConeRange, coneRanges } from "./cone-ranges.js";

export class Cones {
	readonly ranges: readonly ConeRange[];
	/** Friction of each own contact. */
	readonly mu: Vector;
	/** Own contacts; the blocks behind them are free. */
	readonly contacts: number;
	readonly #arena: Arena;

	constructor(arena: Arena, share: Pick<Share, "ownContacts" | "ids" | "mu">) {
		const blocks = share.ids.length;
		this.#arena = arena;
		this.contacts = share.ownContacts;
		this.ranges = coneRanges(this.contacts, blocks);
		this.mu = arena.room(blocks, blocks - this.contacts);
		this.mu.values.set(share.mu);
	}

	/** r <- proj_K(r) */
	project(r: Vector): void {
		const { kernels } = this.#arena;
		for (const { from, to } of this.ranges) kernels.addProjected(from, to, this.contacts, this.mu.at, 0, -1, r.at);
	}

	/** r <- proj_K(r + factor d) */
	addProjected(factor: number, d: Vector, r: Vector): void {
		const { kernels } = this.#arena;
		for (const { from, to } of this.ranges)
			kernels.addProjected(from, to, this.contacts, this.mu.at, factor, d.at, r.at);
	}

	/** f <- F(u) */
	velocity(u: Vector, f: Vector): void {
		const { kernels } = this.#arena;
		for (const { from, to } of this.ranges) kernels.lawVelocity(from, to, this.contacts, this.mu.at, u.at, f.at);
	}

	/** C at (R, U), smoothed by omega, and X and Y where they are given (assembly/smoothing.ts). */
	linearise(omega: number, r: Vector, u: Vector, c: Vector, x?: Vector, y?: Vector): void {
		const { kernels } = this.#arena;
		const [xAt, yAt] = [x?.at ?? -1, y?.at ?? -1];
		for (const { from, to } of this.ranges) {
			kernels.linearise(from, to, this.contacts, omega, this.mu.at, r.at, u.at, c.at, xAt, yAt);
		}
	}

	/** d <- (1 - theta) d - theta A_aa^-1 C_a (assembly/newton.ts); work has room for 30 numbers. */
	diagonalStep(omega: number, theta: number, w: Vector, r: Vector, u: Vector, d: Vector, work: Vector): void {
		const { kernels } = this.#arena;
		for (const { from, to } of this.ranges) {
			kernels.diagonalStep(from, to, this.contacts, omega, theta, this.mu.at, w.at, r.at, u.at, d.at, work.at);
		}
	}

	/** Adds energy's terms to the sum; e has room for 12 numbers, values for 64 of each sum, here and below. */
	addEnergy(w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void {
		const { kernels, bins } = this.#arena;
		for (const { from, to } of this.ranges) {
			kernels.energyTerms(from, to, this.contacts, this.mu.at, w.at, r.at, u.at, e.at, values.at, sum, bins.at);
		}
	}

	/** Adds natural's terms to three sums. */
	addNatural(s: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void {
		const { kernels, bins } = this.#arena;
		for (const { from, to } of this.ranges) {
			kernels.naturalTerms(from, to, this.contacts, this.mu.at, s.at, r.at, u.at, e.at, values.at, sum, bins.at);
		}
	}

	/** Adds merit's terms to the sum. */
	addMerit(s: Vector, w: Vector, r: Vector, u: Vector, e: Vector, values: Vector, sum: number): void {
		const { kernels, bins } = this.#arena;
		for (const { from, to } of this.ranges) {
			kernels.meritTerms(from, to, this.contacts, this.mu.at, s.at, w.at, r.at, u.at, e.at, values.at, sum, bins.at);
		}
	}
}
