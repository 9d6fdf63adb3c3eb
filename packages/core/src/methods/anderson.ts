/**
 * Anderson mixing, type II, for a map g: with f_k = g(R_k) - R_k and the last differences dF, dG as columns,
 *
 *     gamma = argmin | f_k - dF gamma |,    R_k+1 = g_k - dG gamma
 *
 * by normal equations with a trace of regularisation: all inner products of a step in one reduction of w + 2 numbers.
 * Differences are formed before the Gram matrix, or the mix would lose its digits. What depends on R as U = W R + q does can be carried along:
 * mixed with the same weights it stays what belongs to the mixed R, without a product.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";
import type { MethodState } from "./method.js";

/** Of the trace of the normal equations; keeps the window's near-dependence out of gamma. */
const REGULARISATION = 1e-10;

/** Vectors that a window takes, and those of what is carried along. */
export function andersonVectors(window: number): number {
	return 2 * window + 3;
}

export function carriedVectors(window: number): number {
	return window + 1;
}

export class Anderson {
	readonly #system: System;
	readonly #window: number;
	readonly #sums: Sums;
	/** The columns of dF, and then those of dG; where both start, column j being `length` numbers later. */
	readonly #columns: readonly Vector[];
	readonly #dF: number;
	readonly #dG: number;
	/** f of this step and of the last, changing places when a step is accepted. */
	#f: Vector;
	#lastF: Vector;
	readonly #lastG: Vector;
	/** Of what is carried along: that of the last g, and the differences; none where nothing is. */
	readonly #lastU: Vector | undefined;
	readonly #dU: readonly Vector[];
	readonly #gamma: Vector;
	readonly #gram: Float64Array;
	readonly #right: Float64Array;
	readonly #factor: Float64Array;
	#held = 0;
	#next = 0;
	#hasLast = false;

	/** Takes `andersonVectors(window)` vectors from the pool, and `carriedVectors(window)` to carry something along. */
	constructor(system: System, window: number, pool: readonly Vector[], carried: readonly Vector[] = []) {
		this.#system = system;
		this.#window = window;
		this.#sums = new Sums(system.arena, system.reducer, window + 2);
		const [f, lastF, lastG, ...rest] = pool as [Vector, Vector, Vector, ...Vector[]];
		this.#f = f;
		this.#lastF = lastF;
		this.#lastG = lastG;
		this.#columns = rest.slice(0, 2 * window);
		this.#dF = window > 0 ? rest[0]!.at : 0;
		this.#dG = window > 0 ? rest[window]!.at : 0;
		[this.#lastU] = carried;
		this.#dU = carried.slice(1);
		this.#gamma = system.arena.vector(window);
		this.#gram = new Float64Array(window * window);
		this.#right = new Float64Array(window);
		this.#factor = new Float64Array(window * window);
	}

	/** The map has changed by a constant: differences stay what they are, the last point is none of the new map. */
	carryOver(): void {
		this.#hasLast = false;
	}

	clear(): void {
		this.#held = 0;
		this.#next = 0;
		this.#hasLast = false;
	}

	/** Whether the last point was a mixed one. */
	get mixes(): boolean {
		return this.#held > 0;
	}

	/** What is held, between an accepted point, which is the system's R, and the next. Without a window there is nothing to mix. */
	get state(): MethodState {
		const held = this.#held;
		const isEmpty = this.#window === 0 || !this.#hasLast;
		const vectors: Record<string, Vector> = isEmpty ? {} : { lastF: this.#lastF };
		const gram: number[] = [];
		for (let j = 0; j < held; j += 1) {
			vectors[`dF${j}`] = this.#columns[j]!;
			vectors[`dG${j}`] = this.#columns[this.#window + j]!;
			if (this.#lastU) vectors[`dU${j}`] = this.#dU[j]!;
			for (let i = 0; i < held; i += 1) gram.push(this.#gram[j * this.#window + i]!);
		}
		const right = [...this.#right.subarray(0, held)];
		return { scalars: { held, next: this.#next, hasLast: this.#hasLast, gram, right }, vectors };
	}

	/** g is the point accepted last, u what belongs to it. */
	resume(from: SavedRecord, vectors: SavedSpace, g: Vector, u?: Vector): void {
		const held = from.integer("held", 0, this.#window);
		this.#held = held;
		this.#next = from.integer("next", 0, Math.min(held, Math.max(0, this.#window - 1)));
		this.#hasLast = from.flag("hasLast");
		const gram = from.numbers("gram", held * held);
		for (let j = 0; j < held; j += 1) {
			vectors.vector(`dF${j}`, 3, this.#columns[j]!.values);
			vectors.vector(`dG${j}`, 3, this.#columns[this.#window + j]!.values);
			if (this.#lastU) vectors.vector(`dU${j}`, 3, this.#dU[j]!.values);
			for (let i = 0; i < held; i += 1) this.#gram[j * this.#window + i] = gram[j * held + i]!;
		}
		this.#right.set(from.numbers("right", held));
		if (this.#window > 0 && this.#hasLast) vectors.vector("lastF", 3, this.#lastF.values);
		this.#copy(g, this.#lastG);
		if (this.#lastU && u) this.#copy(u, this.#lastU);
	}

	#copy(from: Vector, to: Vector): void {
		this.#system.arena.kernels.copy(from.at, to.at, this.#system.length);
	}

	/** Takes g = g(x) as a candidate and returns |g - x|^2; to be followed by `accept` or `reject`. */
	offer(x: Vector, g: Vector): number {
		const { length, arena } = this.#system;
		const { kernels } = arena;
		let rest = 0;
		if (this.#hasLast && this.#window > 0) {
			const newF = this.#dF + this.#next * length;
			const newG = this.#dG + this.#next * length;
			kernels.differences(g.at, x.at, this.#f.at, this.#lastF.at, newF, this.#lastG.at, newG, length);
			const held = Math.min(this.#held + 1, this.#window);
			this.#sums.dots(newF, this.#dF, length, held - 1, this.#dF + (held - 1) * length, length);
			this.#sums.dots(this.#f.at, newF, 0, 1, this.#f.at, length);
			rest = held + 1;
		} else {
			kernels.subtract(g.at, x.at, this.#f.at, length);
			this.#sums.dots(this.#f.at, this.#dF, length, this.#held, this.#f.at, length);
		}
		const sums = this.#sums.reduce();
		if (rest === 0) {
			for (let j = 0; j < this.#held; j += 1) this.#right[j] = sums[j]!;
			return sums[this.#held]!;
		}
		for (let j = 0; j < rest - 1; j += 1) {
			this.#gram[this.#next * this.#window + j] = sums[j]!;
			this.#gram[j * this.#window + this.#next] = sums[j]!;
			// f.dF_j = f_last.dF_j + dF_new.dF_j: of these only the new one's own is a sum of its own.
			this.#right[j] = j === this.#next ? sums[rest - 1]! : this.#right[j]! + sums[j]!;
		}
		return sums[rest]!;
	}

	/** Keeps the candidate, and what belongs to it. */
	accept(g: Vector, u?: Vector): void {
		if (this.#lastU && u) {
			const { length, arena } = this.#system;
			if (this.#hasLast) arena.kernels.subtract(u.at, this.#lastU.at, this.#dU[this.#next]!.at, length);
			this.#copy(u, this.#lastU);
		}
		if (this.#hasLast && this.#window > 0) {
			this.#held = Math.min(this.#held + 1, this.#window);
			this.#next = (this.#next + 1) % this.#window;
		}
		const swap = this.#f;
		this.#f = this.#lastF;
		this.#lastF = swap;
		this.#copy(g, this.#lastG);
		this.#hasLast = true;
	}

	/** Drops the candidate and the window; r and u go back to the last plain point. */
	reject(r: Vector, u?: Vector): void {
		this.#copy(this.#lastG, r);
		if (this.#lastU && u) this.#copy(this.#lastU, u);
		this.clear();
	}

	/** r <- r - dG gamma, r being the point accepted last, and so u; true where they changed. */
	mix(r: Vector, u?: Vector): boolean {
		if (this.#held === 0 || !this.#solve()) return false;
		const { arena, length } = this.#system;
		const { kernels } = arena;
		kernels.addCombination(r.at, this.#gamma.at, this.#dG, length, this.#held, length);
		if (this.#lastU && u) kernels.addCombination(u.at, this.#gamma.at, this.#dU[0]!.at, length, this.#held, length);
		return true;
	}

	/** -gamma from the normal equations, by Cholesky; false where they are not positive. */
	#solve(): boolean {
		const n = this.#held;
		const w = this.#window;
		const l = this.#factor;
		let trace = 0;
		for (let i = 0; i < n; i += 1) trace += this.#gram[i * w + i]!;
		if (!(trace > 0)) return false;
		for (let i = 0; i < n; i += 1) {
			for (let j = 0; j <= i; j += 1) {
				let sum = this.#gram[i * w + j]! + (i === j ? REGULARISATION * trace : 0);
				for (let k = 0; k < j; k += 1) sum -= l[i * w + k]! * l[j * w + k]!;
				if (i === j && !(sum > 0)) return false;
				l[i * w + j] = i === j ? Math.sqrt(sum) : sum / l[j * w + j]!;
			}
		}
		const gamma = this.#gamma.values;
		for (let i = 0; i < n; i += 1) {
			let sum = -this.#right[i]!;
			for (let k = 0; k < i; k += 1) sum -= l[i * w + k]! * gamma[k]!;
			gamma[i] = sum / l[i * w + i]!;
		}
		for (let i = n - 1; i >= 0; i -= 1) {
			let sum = gamma[i]!;
			for (let k = i + 1; k < n; k += 1) sum -= l[k * w + i]! * gamma[k]!;
			gamma[i] = sum / l[i * w + i]!;
			// Not even once: NaN times the zeros of the padding would stay there.
			if (!Number.isFinite(gamma[i]!)) return false;
		}
		return true;
	}
}
