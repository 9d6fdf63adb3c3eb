/**
 * Projection on the law of contact with a step that adapts itself, for the exact law (F is not the gradient of anything):
 *
 *     a)  X = proj_K(R - rho F(R)),  U(X): a product
 *     b)  ratio = rho |F(X) - F(R)| / |X - R|; too long: a shorter rho, again from a)
 *     c)  fixed-point:   R = X
 *         extragradient: R = proj_K(R - rho F(X)), U(R): another product (Korpelevich)
 *
 * With a window, R on the right is the mixed point of accelerated-method.ts, and rho is
 * never lengthened: longer and shorter steps in turn would be two maps, which do not mix. R / s is what is projected in the scaled system, where every diagonal block of W has norm 1, so that rho = 1 is where to begin.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { AcceleratedMethod } from "./accelerated-method.js";
import { isTooLong, nextStep, type StepRule, shorter, TRIALS_MAX } from "./adaptive-step.js";

export interface FixedPointOptions extends StepRule {
	readonly rho: number;
	readonly kind: "fixed-point" | "extragradient";
	/** Iterations mixed by Anderson; 0 for plain ones. */
	readonly window: number;
}

export class FixedPoint extends AcceleratedMethod<{ rho: number }> {
	readonly #options: FixedPointOptions;
	/** F(R). */
	readonly #f: Vector;
	/** R and F(R) where the trial began, and differences from them. */
	readonly #lastR: Vector;
	readonly #lastF: Vector;
	readonly #difference: Vector;

	constructor(system: System, options: FixedPointOptions) {
		super(options.kind, system, options.window, { rho: options.rho }, 2);
		this.#options = options;
		const [f, lastR, lastF, difference] = system.vectors(4);
		this.#f = f!;
		this.#lastR = lastR!;
		this.#lastF = lastF!;
		this.#difference = difference!;
	}

	protected begin(): void {
		this.numbers.rho = this.#options.rho;
	}

	protected map(y: Vector, u: Vector): void {
		const { r } = this.system;
		const options = this.#options;
		this.copy(y, this.#lastR);
		this.law(this.#lastF, u);
		let ratio = this.#try(); // a
		for (let trial = 1; isTooLong(options, ratio) && trial < TRIALS_MAX; trial += 1) {
			this.numbers.rho = shorter(options, this.numbers.rho, ratio); // b
			ratio = this.#try();
		}
		if (options.kind === "extragradient") {
			this.law(this.#f);
			this.project(this.#lastR, this.numbers.rho, this.#f, r); // c
			this.product();
		}
		if (!this.isMixing) this.numbers.rho = nextStep(options, this.numbers.rho, ratio);
	}

	/** A trial from the last R; returns its ratio, 0 where it does not move. */
	#try(): number {
		const { r } = this.system;
		const { rho } = this.numbers;
		this.project(this.#lastR, rho, this.#lastF, r);
		this.product();
		this.law(this.#f);
		this.subtract(r, this.#lastR, this.#difference);
		this.addDot(this.#difference, this.#difference);
		this.subtract(this.#f, this.#lastF, this.#difference);
		this.addDot(this.#difference, this.#difference);
		const [moved = 0, changed = 0] = this.sums.reduce();
		return moved > 0 ? rho * Math.sqrt(changed / moved) : 0;
	}
}
