/**
 * Spectral projected gradients (Birgin, Martinez and Raydan) with s frozen and taken anew (frozen-shift.ts) and a nonmonotone line search:
 *
 *     a)  G = U(R) + s,  D = proj_K(R - alpha G) - R
 *     b)  U(R + D): the product;  W D = U(R + D) - U(R)
 *     c)  lambda = 1, or while f(R + lambda D) > max of the last f + gamma lambda G.D the least point of f along D, within .1 to .5 of the lambda
 *         before; f is quadratic: no product but one more where lambda is not 1
 *     d)  R <- R + lambda D
 *     e)  alpha = D.D / D.WD and D.WD / WD.WD in turn
 *
 * The system is scaled by its diagonal blocks, which is what the reference preconditions with. Its fall-back, the best iterate, is kept for every method.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { FrozenShift, type FrozenShiftOptions } from "./frozen-shift.js";

export interface SpgOptions extends FrozenShiftOptions {
	/** Values of f that a step may not rise above. */
	readonly window: number;
}

const ALPHA_MIN = 1e-10;
const ALPHA_MAX = 1e10;
/** Of the decrease that the slope promises. */
const GAMMA = 1e-4;

/** `f0` and so on: the last values of f, less that where s was taken. */
type Numbers = Record<string, number> & { since: number; alpha: number; f: number; steps: number };

export class Spg extends FrozenShift<Numbers> {
	readonly #window: number;
	readonly #g: Vector;
	readonly #lastR: Vector;
	readonly #lastU: Vector;
	readonly #d: Vector;
	readonly #wD: Vector;

	constructor(system: System, options: SpgOptions) {
		super("spg", system, options, { since: 0, alpha: 1, f: 0, steps: 0 }, {}, 5);
		this.#window = options.window;
		const [g, lastR, lastU, d, wD] = system.vectors(5);
		this.#g = g!;
		this.#lastR = lastR!;
		this.#lastU = lastU!;
		this.#d = d!;
		this.#wD = wD!;
		this.#forget();
	}

	protected begin(): void {
		this.numbers.alpha = 1;
		this.#forget();
	}

	override start(): void {
		super.start();
		this.takeFirstShift();
	}

	iterate(): void {
		const { r, u } = this.system;
		const { numbers } = this;
		this.gradient(u, this.#g); // a
		this.copy(r, this.#lastR);
		this.copy(u, this.#lastU);
		this.project(this.#lastR, numbers.alpha, this.#g, r);
		this.product(); // b
		this.subtract(r, this.#lastR, this.#d);
		this.subtract(u, this.#lastU, this.#wD);
		this.addDot(this.#g, this.#d);
		this.addDot(this.#d, this.#d);
		this.addDot(this.#d, this.#wD);
		this.addDot(this.#wD, this.#wD);
		this.addShiftChange();
		const [slope = 0, moved = 0, bent = 0, square = 0, change = 0] = this.sums.reduce();
		const left = moved / (numbers.alpha * numbers.alpha);
		const lambda = this.#lineSearch(slope, bent); // c
		if (lambda !== 1) this.#shorten(lambda); // d
		numbers.f += lambda * slope + 0.5 * lambda * lambda * bent;
		numbers[`f${numbers.steps % this.#window}`] = numbers.f;
		numbers.steps += 1;
		const alpha = numbers.steps % 2 === 1 ? moved / bent : bent / square; // e
		numbers.alpha = bent > 0 ? Math.min(ALPHA_MAX, Math.max(ALPHA_MIN, alpha)) : ALPHA_MAX;
		if (!this.isShiftDue(left, change)) return;
		this.takeShift();
		this.#forget();
	}

	#lineSearch(slope: number, bent: number): number {
		const { numbers } = this;
		let highest = numbers.f;
		for (let i = 0; i < Math.min(numbers.steps, this.#window); i += 1) highest = Math.max(highest, numbers[`f${i}`]!);
		let lambda = 1;
		const isHigh = () =>
			numbers.f + lambda * slope + 0.5 * lambda * lambda * bent > highest + GAMMA * lambda * slope && lambda > 1e-10;
		while (isHigh()) lambda = Math.min(0.5 * lambda, Math.max(0.1 * lambda, -slope / bent));
		return lambda;
	}

	/** R = R_last + lambda D; the cone is convex. */
	#shorten(lambda: number): void {
		const { r, arena, length } = this.system;
		this.copy(this.#lastR, r);
		arena.kernels.axpby(lambda, this.#d.at, 1, r.at, length);
		this.system.project(r);
		this.product();
	}

	/** Values of f belong to one s. */
	#forget(): void {
		const { numbers } = this;
		numbers.f = 0;
		numbers.steps = 0;
		for (let i = 0; i < this.#window; i += 1) numbers[`f${i}`] = 0;
	}
}
