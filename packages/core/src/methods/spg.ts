/**
 * Preconditioned spectral projected gradients with fall-back (Birgin, Martinez and Raydan; Anitescu 2014, algorithm P-SPG-FB) with s frozen and taken
 * anew (frozen-shift.ts), and the nonmonotone line search of Grippo, Lampariello and Lucidi:
 *
 *     4, 5)      G = U(R) + s,  D = proj_K(R - alpha P^-1 G) - R
 *     6, 7)      D.G >= 0: D = proj_K(R - alpha G) - R
 *     8)-16)     U(R + D): the product;  W D = U(R + D) - U(R);  lambda = 1, or while f(R + lambda D) > max of the last f + gamma lambda G.D the
 *                least point of f along D, within .1 to .5 of the lambda before; f is quadratic: no product but one more where lambda is not 1
 *     10)        R <- R + lambda D
 *     19)-23)    alpha = D.PD / D.WD and D.WD / WD.P^-1 WD in turn, the first one first
 *     24)-27)    the best iterate is the answer: kept for every method, by the measure of the law itself (system/best.ts)
 *
 * P is I, as the system is scaled by its diagonal blocks, or with precondition=diagonal what W has on its diagonal. That is not what K is
 * projected in, so that D may point upwards: then 7).
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { FrozenShift, type FrozenShiftOptions } from "./frozen-shift.js";

export interface SpgOptions extends FrozenShiftOptions {
	/** Values of f that a step may not rise above. */
	readonly window: number;
	/** What P is. */
	readonly precondition: "none" | "diagonal";
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
	/** P of each number; none where it is I. */
	readonly #diagonal: Float64Array | undefined;
	readonly #scratch: Vector;

	constructor(system: System, options: SpgOptions) {
		super("spg", system, options, { since: 0, alpha: 1, f: 0, steps: 0 }, {}, 5);
		this.#window = options.window;
		const [g, lastR, lastU, d, wD, scratch] = system.vectors(6);
		this.#scratch = scratch!;
		this.#diagonal = options.precondition === "diagonal" ? diagonalOf(system) : undefined;
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
		this.gradient(u, this.#g); // 4
		this.copy(r, this.#lastR);
		this.copy(u, this.#lastU);
		this.#project(this.#weighted(this.#g, -1)); // 5
		if (this.#diagonal !== undefined && !this.#isDownhill()) this.#project(this.#g); // 6, 7
		this.product(); // 11
		this.subtract(u, this.#lastU, this.#wD);
		this.addDot(this.#g, this.#d);
		this.addDot(this.#d, this.#wD);
		this.addDot(this.#d, this.#weighted(this.#d, 1));
		this.addDot(this.#wD, this.#weighted(this.#wD, -1));
		this.addShiftChange();
		const [slope = 0, bent = 0, moved = 0, square = 0, change = 0] = this.sums.reduce();
		const left = moved / (numbers.alpha * numbers.alpha);
		const lambda = this.#lineSearch(slope, bent); // 9, 13, 14
		if (lambda !== 1) this.#shorten(lambda); // 10
		numbers.f += lambda * slope + 0.5 * lambda * lambda * bent;
		numbers[`f${numbers.steps % this.#window}`] = numbers.f;
		numbers.steps += 1;
		const alpha = numbers.steps % 2 === 1 ? moved / bent : bent / square; // 20, 22
		numbers.alpha = bent > 0 ? Math.min(ALPHA_MAX, Math.max(ALPHA_MIN, alpha)) : ALPHA_MAX; // 23
		if (!this.isShiftDue(left, change)) return;
		this.takeShift();
		this.#forget();
	}

	/** R = proj_K(R - alpha g), D. */
	#project(g: Vector): void {
		const { r } = this.system;
		this.project(this.#lastR, this.numbers.alpha, g, r);
		this.subtract(r, this.#lastR, this.#d);
	}

	/** P^power x, in place of what was so weighted before; x itself where P is I. */
	#weighted(x: Vector, power: 1 | -1): Vector {
		const diagonal = this.#diagonal;
		if (diagonal === undefined) return x;
		const [from, to] = [x.values, this.#scratch.values];
		for (let i = 0; i < diagonal.length; i += 1) {
			to[i] = power === 1 ? from[i]! * diagonal[i]! : from[i]! / diagonal[i]!;
		}
		return this.#scratch;
	}

	#isDownhill(): boolean {
		this.addDot(this.#g, this.#d);
		return this.sums.reduce()[0]! < 0;
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

/** Of W's diagonal blocks; a direction that nothing moves in has one. */
function diagonalOf({ w, blocks }: System): Float64Array {
	return Float64Array.from({ length: 3 * blocks }, (_, i) => w.values[9 * Math.floor(i / 3) + 4 * (i % 3)]! || 1);
}
