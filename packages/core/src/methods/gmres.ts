/**
 * Restarted GMRES, right-preconditioned: minimise | b - A x | over x_0 + P span(v_0, ..., v_j). The preconditioner is fixed within
 * a solve, so x = x_0 + P (V y) and preconditioned directions are never stored. Saad, Iterative Methods, algorithm 9.5.
 *
 * Orthogonalisation is modified Gram-Schmidt with one fused reduction per step, in the inverse compact form of K. Swirydowicz et al.
 * ("Low synchronization Gram-Schmidt and GMRES algorithms", 2020): MGS projects w on one direction after the other,
 *
 *     h_i = v_i.(w - sum_{k<i} h_k v_k) = (V^T w)_i - sum_{k<i} (v_i.v_k) h_k
 *
 * so V^T w and the products among directions are all it needs. Those of a new direction with the others ride along in its own step,
 * and only where it was left by cancellation: otherwise they are zero to rounding. |w - V h| follows from the same numbers. Where that
 * cancels too its last digits are wrong, and so is the length of the new direction; its product with itself puts that right, and is
 * always taken: an error in a length that is taken for 1 grows by |w|^2 / |w - V h|^2 from step to step.
 */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";

/** Of |w|^2: with less than this left, a direction is not orthogonal to the others to rounding (the half of Daniel, Gragg, Kaufman, Stewart, 1976). */
const OBLIQUE = 0.5;
/** With less than this left, what is left is rounding: the directions hold all that A P makes of them. */
const NOTHING = 1e-14;

/** The linear problem, as functions on vectors; `apply` may be slow, `precondition` is local, a sweep or Schwarz. */
export interface LinearProblem {
	/** y = A x; x has room for ghosts. */
	apply(x: Vector, y: Vector): void;
	/** y = P x. */
	precondition(x: Vector, y: Vector): void;
}

export interface SolveOptions {
	/** | b |. */
	readonly norm: number;
	/** Absolute target for | b - A x |. */
	readonly target: number;
	/** Most inner iterations. */
	readonly iterationsMax: number;
}

export interface LinearSolver {
	/** Products with A so far. */
	readonly products: number;
	/** Solves A x = b from zero; x is overwritten. Returns the iterations done. */
	solve(problem: LinearProblem, b: Vector, x: Vector, options: SolveOptions): number;
}

export interface GmresOptions extends SolveOptions {
	/** Whether x holds a start; otherwise it is zero and the first residual costs no product. */
	readonly startGiven?: boolean;
}

export class Gmres implements LinearSolver {
	readonly #system: System;
	readonly #restart: number;
	readonly #sums: Sums;
	/** restart + 1 directions, one after another; where they begin. */
	readonly #direction: readonly Vector[];
	readonly #basis: number;
	readonly #preconditioned: Vector;
	readonly #coefficients: Vector;
	/** v_i.v_k for k <= i (overlaps), by rows; zero for k < i where it is so to rounding. */
	#overlaps: Float64Array;
	#isOblique = false;
	/** Columns of the Hessenberg matrix, turned to a triangle as they come; the rotations; the turned right-hand side. */
	#triangle: Float64Array;
	readonly #cosine: Float64Array;
	readonly #sine: Float64Array;
	readonly #right: Float64Array;
	products = 0;

	/** Takes restart + 1 vectors that follow one another in memory, for directions. */
	constructor(system: System, pool: readonly Vector[]) {
		const restart = pool.length - 1;
		this.#system = system;
		this.#restart = restart;
		this.#sums = new Sums(system.arena, system.reducer, 2 * restart + 2);
		this.#direction = pool;
		this.#basis = pool[0]!.at;
		this.#preconditioned = system.operand();
		// Made by the first solve: most relays are over before they come to it, and set-up would take as long as they do.
		this.#overlaps = new Float64Array(0);
		this.#coefficients = system.arena.vector(restart + 1);
		this.#triangle = new Float64Array(0);
		this.#cosine = new Float64Array(restart);
		this.#sine = new Float64Array(restart);
		this.#right = new Float64Array(restart + 1);
	}

	/** Solves A x = b to the target or the limit; x is overwritten. Returns the inner iterations done. */
	solve(problem: LinearProblem, b: Vector, x: Vector, options: GmresOptions): number {
		if (this.#triangle.length === 0) {
			this.#overlaps = new Float64Array(this.#restart * this.#restart);
			this.#triangle = new Float64Array((this.#restart + 1) * this.#restart);
		}
		let done = 0;
		let startGiven = options.startGiven === true;
		for (;;) {
			const norm = startGiven ? this.#startResidual(problem, b, x) : this.#startAtZero(b, x, options.norm);
			// A norm that is not finite ends it too: nothing may be scaled by it, since NaN times the zeros of the padding is NaN.
			if (norm <= options.target || done >= options.iterationsMax || !(norm > 0) || norm === Number.POSITIVE_INFINITY) {
				return done;
			}
			const steps = Math.min(this.#restart, options.iterationsMax - done);
			const { used, claimed } = this.#cycle(problem, norm, steps, options.target);
			done += used;
			this.#addSolution(problem, x, used);
			if (done >= options.iterationsMax && !claimed) return done;
			// The claim is checked on the true residual, which also starts the next cycle.
			startGiven = true;
		}
	}

	/** x = 0, v_0 = b / |b|; returns the norm. */
	#startAtZero(b: Vector, x: Vector, norm: number): number {
		const { arena, length } = this.#system;
		const first = this.#direction[0]!;
		arena.kernels.fill(x.at, 0, length);
		arena.kernels.copy(b.at, first.at, length);
		this.#normalise(first, norm);
		return norm;
	}

	/** v_0 = (b - A x) / |b - A x|; returns the norm. */
	#startResidual(problem: LinearProblem, b: Vector, x: Vector): number {
		const { arena, length } = this.#system;
		const first = this.#direction[0]!;
		problem.apply(x, first);
		this.products += 1;
		arena.kernels.axpby(1, b.at, -1, first.at, length);
		const norm = this.#norm(first);
		this.#normalise(first, norm);
		return norm;
	}

	#norm(x: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, x.at, this.#system.length);
		return Math.sqrt(this.#sums.reduce()[0]!);
	}

	#normalise(x: Vector, norm: number): void {
		const { arena, length } = this.#system;
		if (norm > 0 && norm < Number.POSITIVE_INFINITY) arena.kernels.axpby(0, x.at, 1 / norm, x.at, length);
	}

	/** One cycle of at most `steps` directions; stops where the estimated residual reaches the target. */
	#cycle(problem: LinearProblem, norm: number, steps: number, target: number): { used: number; claimed: boolean } {
		const { arena, length } = this.#system;
		this.#isOblique = false;
		this.#right.fill(0);
		this.#right[0] = norm;
		for (let j = 0; j < steps; j += 1) {
			const w = this.#direction[j + 1]!;
			problem.precondition(this.#direction[j]!, this.#preconditioned);
			problem.apply(this.#preconditioned, w);
			this.products += 1;
			const left = this.#orthogonalise(j, w);
			const residual = this.#rotate(j, left);
			if (residual <= target || !(left > 0)) return { used: j + 1, claimed: true };
			arena.kernels.axpby(0, w.at, 1 / left, w.at, length);
		}
		return { used: steps, claimed: false };
	}

	/** w <- w - V h, h as MGS has it; column j of the triangle takes h; returns |w| after. */
	#orthogonalise(j: number, w: Vector): number {
		const { arena, length } = this.#system;
		const last = this.#direction[j]!.at;
		const column = j * (this.#restart + 1);
		const row = j * this.#restart;
		this.#sums.dots(w.at, this.#basis, length, j + 1, w.at, length);
		this.#sums.dots(last, this.#basis, length, this.#isOblique ? j : 0, last, length);
		const sums = this.#sums.reduce();
		const before = sums[j + 1]!;
		if (!Number.isFinite(before)) return 0;
		for (let k = 0; k < j; k += 1) this.#overlaps[row + k] = this.#isOblique ? sums[j + 2 + k]! : 0;
		this.#overlaps[row + j] = sums[j + 2 + (this.#isOblique ? j : 0)]!;
		let removed = 0;
		for (let i = 0; i <= j; i += 1) {
			const own = i * this.#restart;
			let mixed = 0;
			for (let k = 0; k < i; k += 1) mixed += this.#overlaps[own + k]! * this.#triangle[column + k]!;
			const h = (sums[i]! - mixed) / this.#overlaps[own + i]!;
			// |w|^2 - |w - V h|^2 = 2 h.V^T w - h.(V^T V) h, row by row.
			removed += h * (2 * (sums[i]! - mixed) - this.#overlaps[own + i]! * h);
			this.#triangle[column + i] = h;
			this.#coefficients.values[i] = -h;
		}
		arena.kernels.addCombination(w.at, this.#coefficients.at, this.#basis, length, j + 1, length);
		const left = before - removed;
		this.#isOblique = !(left > OBLIQUE * before);
		return left > NOTHING * before ? Math.sqrt(left) : 0;
	}

	/** Givens rotations on column j; returns the estimated residual. */
	#rotate(j: number, below: number): number {
		const column = j * (this.#restart + 1);
		const h = this.#triangle;
		for (let i = 0; i < j; i += 1) {
			const a = h[column + i]!;
			const b = h[column + i + 1]!;
			const c = this.#cosine[i]!;
			const s = this.#sine[i]!;
			h[column + i] = c * a + s * b;
			h[column + i + 1] = c * b - s * a;
		}
		const a = h[column + j]!;
		const length = Math.sqrt(a * a + below * below);
		const c = length > 0 ? a / length : 1;
		const s = length > 0 ? below / length : 0;
		this.#cosine[j] = c;
		this.#sine[j] = s;
		h[column + j] = length;
		const right = this.#right[j]!;
		this.#right[j] = c * right;
		this.#right[j + 1] = -s * right;
		return Math.abs(s * right);
	}

	/** x <- x + P V y, y from the triangle. */
	#addSolution(problem: LinearProblem, x: Vector, used: number): void {
		const { arena, length } = this.#system;
		const y = this.#coefficients.values;
		for (let i = used - 1; i >= 0; i -= 1) {
			let sum = this.#right[i]!;
			for (let k = i + 1; k < used; k += 1) sum -= this.#triangle[k * (this.#restart + 1) + i]! * y[k]!;
			const share = sum / this.#triangle[i * (this.#restart + 1) + i]!;
			y[i] = Number.isFinite(share) ? share : 0;
		}
		// The last direction is no longer needed: it holds V y.
		const combination = this.#direction[used]!;
		arena.kernels.fill(combination.at, 0, length);
		arena.kernels.addCombination(combination.at, this.#coefficients.at, this.#basis, length, used, length);
		problem.precondition(combination, this.#preconditioned);
		arena.kernels.axpby(1, this.#preconditioned.at, 1, x.at, length);
	}
}
