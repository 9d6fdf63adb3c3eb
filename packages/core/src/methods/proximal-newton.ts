/**
 * Proximal point iterations by semismooth Newton: around an anchor A the problem of W + alpha D and q - alpha D A, D = diag(trace(W_aa) / 3), which is
 * regular where W is singular and has the solution A where A is one of the problem. Newton is on the residual C of Koziara 2017 with omega = 0:
 *
 *     repeat
 *         1)  U = W R + q + alpha D (R - A);  C, X, Y at (R, U)
 *         2)  (X (W + alpha D) + Y) dR = -C, Y with the coupling of rolling contacts
 *         3)  lambda = 1, halved while |C(R + lambda dR)|^2 > (1 - gamma lambda) times the highest of the last `window` values
 *         4)  R <- R + lambda dR
 *         5)  |C| <= share |C at the anchor|, or after `steps` steps: A = R;  alpha <- alpha / 2 where share was reached, else 2 alpha
 *
 * R leaves the cone on the way: what others see of it is its projection. The law is exact: C is that of F(U) = [U_N + mu |U_T|, U_T].
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";
import { addProximalTerm, meanDiagonal } from "./proximal-term.js";

export interface ProximalNewtonOptions {
	readonly alpha: number;
	readonly share: number;
	readonly steps: number;
	readonly window: number;
}

export const proximalNewtonDefaults: ProximalNewtonOptions = { alpha: 1e-2, share: 0.1, steps: 10, window: 5 };

/** What solves 2): P W + Q. */
export interface LinearSystem {
	/** Products with W so far. */
	readonly products: number;
	/** P and Q are nine numbers by rows for each block, the coupling three; false where there are no factors. */
	factor(p: Float64Array, q: Float64Array, shift: number, coupling?: Float64Array): boolean;
	/** x <- (P W + Q)^-1 x; x has room for ghosts. */
	solve(x: Vector): void;
}

const GAMMA = 1e-4;
const LAMBDA_MIN = 1e-4;
const ALPHA_MIN = 1e-8;
const ALPHA_MAX = 1;
const ALPHA_FACTOR = 2;

/** `first`: |C|^2 at the anchor; `c0` and so on: the last values of |C|^2. */
type Numbers = Record<string, number> & { alpha: number; first: number; step: number };

export class ProximalNewton extends DeclaredMethod<Numbers> {
	readonly #options: ProximalNewtonOptions;
	readonly #linear: LinearSystem;
	/** R of the method, not in the cone, and W R + q. */
	readonly #z: Vector;
	readonly #v: Vector;
	readonly #anchor: Vector;
	readonly #d: Float64Array;
	readonly #c: Vector;
	readonly #step: Vector;
	readonly #change: Vector;
	readonly #trialR: Vector;
	readonly #trialU: Vector;
	readonly #x: Vector;
	readonly #y: Vector;
	readonly #coupling: Vector | undefined;

	constructor(system: System, linear: LinearSystem, options: ProximalNewtonOptions) {
		const [z, anchor] = [system.operand(), system.room()];
		const numbers: Numbers = { alpha: options.alpha, first: 0, step: 0 };
		for (let j = 0; j < options.window; j += 1) numbers[`c${j}`] = 0;
		super("proximal-newton", system, numbers, { z, anchor }, 1);
		this.#options = options;
		this.#linear = linear;
		this.#z = z;
		this.#anchor = anchor;
		this.#step = system.operand();
		const [v, c, change, trialR, trialU] = system.vectors(5);
		this.#v = v!;
		this.#c = c!;
		this.#change = change!;
		this.#trialR = trialR!;
		this.#trialU = trialU!;
		this.#x = system.arena.room(9 * system.blocks);
		this.#y = system.arena.room(9 * system.blocks);
		this.#coupling = system.cones.coupling();
		this.#d = meanDiagonal(system);
	}

	protected begin(): void {
		this.exhausted = false;
		this.numbers.alpha = this.#options.alpha;
		this.copy(this.system.r, this.#z);
		this.system.velocity(this.#z, this.#v);
		this.#takeAnchor();
	}

	protected override refresh(): void {
		super.refresh();
		this.system.velocity(this.#z, this.#v);
	}

	#takeAnchor(): void {
		const { numbers } = this;
		this.copy(this.#z, this.#anchor);
		numbers.step = 0;
		numbers.first = this.#residual(0);
	}

	iterate(): void {
		const { cones, arena, length } = this.system;
		const { numbers } = this;
		const { window, share, steps } = this.#options;
		const before = this.#residual(0);
		numbers[`c${numbers.step % window}`] = before;
		cones.linearise(0, this.#trialR, this.#trialU, this.#c, this.#x, this.#y, this.#coupling); // 1
		// Filled first: what stood there before any step may be no number, and zero times it is none either.
		arena.kernels.fill(this.#step.at, 0, length);
		arena.kernels.axpby(-1, this.#c.at, 1, this.#step.at, length);
		if (!this.#factor()) {
			this.exhausted = true;
			return;
		}
		const products = this.#linear.products;
		this.#linear.solve(this.#step); // 2
		this.products += this.#linear.products - products;
		this.#apply(this.#step, this.#change);
		const lambda = this.#lineSearch(before); // 3
		this.#move(lambda); // 4
		numbers.step += 1;
		const after = this.#residual(0); // 5
		const isDone = after <= share * share * numbers.first;
		if (!isDone && numbers.step < steps) return;
		const alpha = isDone ? numbers.alpha / ALPHA_FACTOR : numbers.alpha * ALPHA_FACTOR;
		numbers.alpha = Math.min(ALPHA_MAX, Math.max(ALPHA_MIN, alpha));
		this.#takeAnchor();
	}

	/** |C|^2 at R + lambda dR. */
	#residual(lambda: number): number {
		const { arena, length, blocks, cones } = this.system;
		const { kernels } = arena;
		const { alpha } = this.numbers;
		this.copy(this.#z, this.#trialR);
		this.copy(this.#v, this.#trialU);
		if (lambda > 0) {
			kernels.axpby(lambda, this.#step.at, 1, this.#trialR.at, length);
			kernels.axpby(lambda, this.#change.at, 1, this.#trialU.at, length);
		}
		const [r, u, anchor] = [this.#trialR.values, this.#trialU.values, this.#anchor.values];
		for (let a = 0, i = 0; a < blocks; a += 1) {
			const weight = alpha * this.#d[a]!;
			for (const end = i + 3; i < end; i += 1) u[i]! += weight * (r[i]! - anchor[i]!);
		}
		cones.linearise(0, this.#trialR, this.#trialU, this.#c);
		this.addDot(this.#c, this.#c);
		return this.sums.reduce()[0]!;
	}

	/** X (W + alpha D) + Y. */
	#factor(): boolean {
		const [x, y] = [this.#x.values, this.#y.values];
		addProximalTerm(this.numbers.alpha, this.#d, x, y);
		return this.#linear.factor(x, y, 0, this.#coupling?.values);
	}

	#apply(x: Vector, y: Vector): void {
		this.system.operator.apply(x, y);
		this.products += 1;
	}

	#lineSearch(before: number): number {
		const { numbers } = this;
		const { window } = this.#options;
		let highest = before;
		for (let j = 0; j < Math.min(numbers.step + 1, window); j += 1) highest = Math.max(highest, numbers[`c${j}`]!);
		let lambda = 1;
		while (lambda > LAMBDA_MIN && !(this.#residual(lambda) <= (1 - GAMMA * lambda) * highest)) lambda /= 2;
		return lambda;
	}

	#move(lambda: number): void {
		const { arena, length, r } = this.system;
		arena.kernels.axpby(lambda, this.#step.at, 1, this.#z.at, length);
		this.#apply(this.#z, this.#v);
		arena.kernels.axpby(1, this.system.q.at, 1, this.#v.at, length);
		this.copy(this.#z, r);
		this.system.project(r);
		this.product();
	}
}
