/**
 * Methods for convex problems, on the exact law: with s = [mu |U_T|, 0, 0] frozen, R minimises f(R) = R.WR / 2 + R.(q + s) over K; s is
 * taken anew, s = s(U), whenever what is left of the convex problem is less than a share of what that would change; or, as Acary and Cariaga's
 * algorithm 3 has it, whenever the convex problem is solved to a tolerance of its own, the first being that with s = 0 (the relaxed law).
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";

export interface FrozenShiftOptions {
	/** Of |s(U) - s|: s is taken anew when the convex problem's residual is below. */
	readonly share: number;
	/** Iterations after which s is taken anew at the latest. */
	readonly patience: number;
	/** Of the convex problems, in the gradient measure, where s is taken anew by algorithm 3. */
	readonly inner?: number;
}

/** `since`: iterations since s was taken. */
export type FrozenShiftNumbers = { since: number };

export abstract class FrozenShift<Numbers extends FrozenShiftNumbers> extends DeclaredMethod<Numbers> {
	/** s, zero but for normal components. */
	protected readonly s: Vector;
	/** s(U) - s, as `addShiftChange` left it. */
	readonly #change: Vector;
	readonly #shift: FrozenShiftOptions;

	constructor(
		name: string,
		system: System,
		options: FrozenShiftOptions,
		numbers: Numbers,
		vectors: Readonly<Record<string, Vector>>,
		width: number,
	) {
		const s = system.room();
		super(name, system, numbers, { s, ...vectors }, width);
		this.s = s;
		this.#change = system.room();
		this.#shift = options;
	}

	/** The first s: that of U, or zero. */
	protected takeFirstShift(): void {
		if (this.#shift.inner === undefined) {
			this.takeShift();
			return;
		}
		this.system.arena.kernels.fill(this.s.at, 0, this.system.length);
		this.numbers.since = 0;
	}

	/** s = s(U). */
	protected takeShift(): void {
		const { u } = this.system;
		this.law(this.#change);
		this.subtract(this.#change, u, this.s);
		this.numbers.since = 0;
	}

	/** g = U + s of a velocity. */
	protected gradient(u: Vector, g: Vector): void {
		const { arena, length } = this.system;
		this.copy(u, g);
		arena.kernels.axpby(1, this.s.at, 1, g.at, length);
	}

	/** Adds |s(U) - s|^2 to the sums of the next reduction. */
	protected addShiftChange(): void {
		const { arena, length, u } = this.system;
		this.law(this.#change);
		arena.kernels.axpby(-1, u.at, 1, this.#change.at, length);
		arena.kernels.axpby(-1, this.s.at, 1, this.#change.at, length);
		this.addDot(this.#change, this.#change);
	}

	/** Whether s is to be taken anew, by squares: of what is left of the convex problem (a velocity), and of |s(U) - s|. */
	protected isShiftDue(left: number, change: number): boolean {
		const { share, patience, inner } = this.#shift;
		const { share: of, unit } = this.system;
		this.numbers.since += 1;
		if (inner !== undefined) {
			return Math.sqrt(left) <= 3 * of.contacts * inner * unit || this.numbers.since >= patience;
		}
		return left <= share * share * change || this.numbers.since >= patience;
	}
}
