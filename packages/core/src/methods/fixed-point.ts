/**
 * Projection on the law of contact with a step that adapts itself, for the exact law (F is not the gradient of anything):
 *
 *     a)  X = proj_K(R - rho F(R)),  U(X): a product;  D = X - R,  E = F(X) - F(R)
 *     b)  ratio = rho |E| / |D|; too long: a shorter rho, again from a)
 *     c)  fixed-point:   R = X
 *         extragradient: R = X as well where rho |E|^2 <= 2 turn E.D, since such a step makes distances shorter by itself; else
 *                        R = proj_K(R - gamma alpha rho F(X)),  U(R): another product;  alpha = D.G / |G|^2,  G = D - rho E
 *
 * With alpha = gamma = 1 and turn = 0 that is Korpelevich's method; alpha is He and Liao's (2002). With a window, R on the right is the mixed
 * point of accelerated-method.ts, and rho is never lengthened: longer and shorter steps in turn would be two maps, which do not mix.
 * R / s is what is projected in the scaled system, where every diagonal block of W has norm 1, so that rho = 1 is where to begin.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { AcceleratedMethod } from "./accelerated-method.js";
import { isTooLong, nextStep, type StepRule, shorter, TRIALS_MAX } from "./adaptive-step.js";

export interface FixedPointOptions extends StepRule {
	readonly rho: number;
	/** Iterations mixed by Anderson; 0 for plain ones. */
	readonly window: number;
	/** Extragradient: which steps are corrected, and how far; nothing for fixed-point. */
	readonly correction?: { readonly turn: number; readonly gamma: number };
}

export class FixedPoint extends AcceleratedMethod<{ rho: number }> {
	readonly #options: FixedPointOptions;
	/** F(X). */
	readonly #f: Vector;
	/** R and F(R) where the trial began, and differences from them. */
	readonly #lastR: Vector;
	readonly #lastF: Vector;
	readonly #moved: Vector;
	readonly #changed: Vector;
	/** Of the last trial, with whether it makes distances shorter, and He and Liao's alpha. */
	#ratio = 0;
	#isShortening = true;
	#alpha = 1;

	constructor(name: "fixed-point" | "extragradient", system: System, options: FixedPointOptions) {
		super(name, system, options.window, { rho: options.rho }, 3);
		this.#options = options;
		const [f, lastR, lastF, moved, changed] = system.vectors(5);
		this.#f = f!;
		this.#lastR = lastR!;
		this.#lastF = lastF!;
		this.#moved = moved!;
		this.#changed = changed!;
	}

	protected begin(): void {
		this.numbers.rho = this.#options.rho;
	}

	protected map(y: Vector, u: Vector): void {
		const { r } = this.system;
		const options = this.#options;
		const { numbers } = this;
		this.copy(y, this.#lastR);
		this.law(this.#lastF, u);
		this.#try(); // a
		for (let trial = 1; isTooLong(options, this.#ratio) && trial < TRIALS_MAX; trial += 1) {
			numbers.rho = shorter(options, numbers.rho, this.#ratio); // b
			this.#try();
		}
		if (options.correction !== undefined && !this.#isShortening) {
			this.project(this.#lastR, options.correction.gamma * this.#alpha * numbers.rho, this.#f, r); // c
			this.product();
		}
		if (!this.isMixing) numbers.rho = nextStep(options, numbers.rho, this.#ratio);
	}

	/** A trial from the last R; its ratio is 0 where it does not move. */
	#try(): void {
		const { r } = this.system;
		const { rho } = this.numbers;
		this.project(this.#lastR, rho, this.#lastF, r);
		this.product();
		this.law(this.#f);
		this.subtract(r, this.#lastR, this.#moved);
		this.subtract(this.#f, this.#lastF, this.#changed);
		this.addDot(this.#moved, this.#moved);
		this.addDot(this.#changed, this.#changed);
		const { correction } = this.#options;
		if (correction !== undefined) this.addDot(this.#moved, this.#changed);
		const [moved = 0, changed = 0, along = 0] = this.sums.reduce();
		this.#ratio = moved > 0 ? rho * Math.sqrt(changed / moved) : 0;
		if (correction === undefined) return;
		this.#isShortening = along > 0 && rho * changed <= 2 * correction.turn * along;
		const square = moved - 2 * rho * along + rho * rho * changed;
		this.#alpha = square > 0 ? (moved - rho * along) / square : 1;
	}
}
