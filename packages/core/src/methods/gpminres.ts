/**
 * Gradient-projected MINRES (Anitescu 2014, algorithm GPMINRES; Heyn, Anitescu, Tasora and Negrut 2013), for bounds (bounds.ts), where
 * f(R) = R.WR / 2 + R.q. One iteration:
 *
 *     3)-8)      R = P(R - alpha U), alpha = s.s / s.Ws of the step s before, while that changes which unknowns are at a bound and lowers f by
 *                more than eta1 times what it did at most
 *     9)-17)     among unknowns between their bounds: w = argmin |W w + U|, by MINRES from zero, until a step lowers |W w + U|^2 by less than eta2
 *                times what one did at most
 *     18)        R = P(R + lambda w), lambda = 1, or halved while f does not fall
 *
 * MINRES is written as conjugate residuals (Stiefel): the same iterates where W is positive semidefinite, and W w comes with them.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { Bounds } from "./bounds.js";
import { DeclaredMethod } from "./declared-method.js";

export interface GpminresOptions {
	readonly eta1: number;
	readonly eta2: number;
	/** Steps of MINRES among the same unknowns, at most. */
	readonly steps: number;
}

/** Gradient steps of one iteration, and trials of one step. */
const GRADIENT_STEPS_MAX = 25;
const TRIALS_MAX = 30;
/** Of the decrease that the slope promises. */
const DECREASE = 0.1;
/** Less left than this, relative to where MINRES began, is rounding (squares). */
const NOTHING = 1e-28;
/** Of gradient steps: where f falls for ever, R grows no faster. */
const ALPHA_MAX = 1e4;

/** `alpha`: of the next gradient step. */
type Numbers = { alpha: number };

export class Gpminres extends DeclaredMethod<Numbers> {
	readonly #options: GpminresOptions;
	readonly #bounds: Bounds;
	readonly #lastR: Vector;
	readonly #lastU: Vector;
	/** A step and W times it. */
	readonly #s: Vector;
	readonly #wS: Vector;
	/** Of MINRES: what is left, W times it, the direction, W times it, and w. */
	readonly #left: Vector;
	readonly #wLeft: Vector;
	readonly #p: Vector;
	readonly #wP: Vector;
	readonly #w: Vector;

	constructor(system: System, options: GpminresOptions) {
		super("gpminres", system, { alpha: 1 }, {}, 4);
		this.#options = options;
		this.#bounds = new Bounds(system);
		this.#left = system.operand();
		const [lastR, lastU, s, wS, wLeft, p, wP, w] = system.vectors(8);
		this.#lastR = lastR!;
		this.#lastU = lastU!;
		this.#s = s!;
		this.#wS = wS!;
		this.#wLeft = wLeft!;
		this.#p = p!;
		this.#wP = wP!;
		this.#w = w!;
	}

	protected begin(): void {
		const { r } = this.system;
		this.exhausted = false;
		this.numbers.alpha = 1;
		this.#bounds.addProjected(0, r, r);
	}

	iterate(): void {
		const isMoved = this.#projectGradients();
		this.#minimiseResidual();
		const { decrease } = this.#move(this.#w, 1); // 18
		this.exhausted = !isMoved && !(decrease > 0);
	}

	/** Steps 3 to 8; whether R has moved. */
	#projectGradients(): boolean {
		const { numbers } = this;
		const { eta1 } = this.#options;
		let most = 0;
		for (let step = 0; step < GRADIENT_STEPS_MAX; step += 1) {
			const { decrease, size, bent, changes } = this.#move(this.system.u, -numbers.alpha); // 5
			if (!(decrease > 0)) return step > 0;
			numbers.alpha = bent > 0 ? Math.min(ALPHA_MAX, size / bent) : ALPHA_MAX;
			if (changes === 0 || decrease <= eta1 * most) break;
			most = Math.max(most, decrease);
		}
		return true;
	}

	/** R = P(R + length d) with U, length a half as long as f falls too little; how much it falls (0: R is what it was), and s.s, s.Ws, changes of the set. */
	#move(d: Vector, length: number): { decrease: number; size: number; bent: number; changes: number } {
		const { r, u } = this.system;
		const [s, wS] = [this.#s, this.#wS];
		this.copy(d, this.#p);
		this.copy(r, this.#lastR);
		this.copy(u, this.#lastU);
		for (let trial = 0, step = length; trial < TRIALS_MAX; trial += 1, step /= 2) {
			this.copy(this.#lastR, r);
			this.#bounds.addProjected(step, this.#p, r);
			this.product();
			this.subtract(r, this.#lastR, s);
			this.subtract(u, this.#lastU, wS);
			this.addDot(this.#lastU, s);
			this.addDot(s, wS);
			this.addDot(s, s);
			this.#bounds.addChanges(this.#lastR, r, this.sums);
			const [slope = 0, bent = 0, size = 0, changes = 0] = this.sums.reduce();
			const decrease = -(slope + 0.5 * bent);
			if (slope < 0 && decrease >= -DECREASE * slope) return { decrease, size, bent, changes };
			if (size === 0) break;
		}
		this.copy(this.#lastR, r);
		this.copy(this.#lastU, u);
		return { decrease: 0, size: 0, bent: 0, changes: 0 };
	}

	/** Steps 9 to 17: w. */
	#minimiseResidual(): void {
		const { arena, length, u } = this.system;
		const { kernels } = arena;
		const { eta2, steps } = this.#options;
		const [left, wLeft, p, wP, w] = [this.#left, this.#wLeft, this.#p, this.#wP, this.#w];
		kernels.fill(w.at, 0, length); // 10
		kernels.fill(left.at, 0, length);
		kernels.axpby(-1, u.at, 1, left.at, length);
		this.#mask(left);
		this.#applyMasked(left, wLeft);
		this.copy(left, p);
		this.copy(wLeft, wP);
		this.addDot(left, wLeft);
		this.addDot(wLeft, wLeft);
		this.addDot(left, left);
		let [along = 0, square = 0, first = 0] = this.sums.reduce();
		let most = 0;
		for (let step = 1; step <= steps && along > NOTHING * first && square > 0; step += 1) {
			const alpha = along / square; // 12
			const decrease = alpha * along;
			kernels.axpby(alpha, p.at, 1, w.at, length);
			kernels.axpby(-alpha, wP.at, 1, left.at, length);
			if (decrease <= eta2 * most) return; // 14
			most = Math.max(most, decrease);
			this.#applyMasked(left, wLeft);
			this.addDot(left, wLeft);
			this.addDot(wLeft, wLeft);
			this.addDot(wLeft, wP);
			const [next = 0, own = 0, mixed = 0] = this.sums.reduce();
			const beta = next / along;
			kernels.axpby(1, left.at, beta, p.at, length);
			kernels.axpby(1, wLeft.at, beta, wP.at, length);
			square = own + beta * (2 * mixed + beta * square);
			along = next;
		}
	}

	/** y = W x among unknowns between their bounds. */
	#applyMasked(x: Vector, y: Vector): void {
		this.system.operator.apply(x, y);
		this.products += 1;
		this.#mask(y);
	}

	#mask(x: Vector): void {
		this.#bounds.mask(this.system.r, x);
	}
}
