/**
 * The alternating direction method of multipliers for the exact law: X minimises the quadratic objective, Z stays in K, and Lambda, which becomes F, holds
 * them together. With s = [mu |U_T|, 0, 0] taken anew in each iteration, everything is in one vector P of which both are parts:
 *
 *     a)  Z = proj_K(P),  Lambda = rho (Z - P),  U(Z): a product;  R is Z
 *     b)  (W + rho I) D = Lambda - U(Z) - s(Lambda),  X = Z + D           (shifted-solver.ts)
 *     c)  P <- P + alpha D,  alpha: over-relaxation; or Anderson's mix of the last of these
 *     d)  now and then another rho (penalty-rule.ts), Lambda staying what it is: P = Z - Lambda / rho
 *
 * s is that of Lambda, which is in the dual cone and becomes F, so that Lambda_T becomes U_T; with s(U(Z)) iterations wander where friction is high.
 * This is Acary, Bremond and Huber's ADMM with s updated inside, in the variable of Douglas and Rachford. b) begins at X = Z, where the residual costs no product.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";
import type { MethodState } from "./method.js";
import { Mixing } from "./mixing.js";
import {
	balancedFactor,
	bounded,
	isWorthwhile,
	type PenaltyRule,
	spectralCurvature,
	spectralRho,
} from "./penalty-rule.js";
import type { ShiftedSolver } from "./shifted-solver.js";

export interface AdmmOptions {
	readonly rho: number;
	readonly rule: PenaltyRule;
	/** Over-relaxation alpha. */
	readonly relax: number;
	/** Iterations mixed by Anderson; 0 for plain ones. */
	readonly window: number;
}

/** Iterations from one look at rho to the next, and where they are mixed: with another rho the window is empty. */
const PERIOD = 2;
const MIXED_PERIOD = 10;

type Numbers = { rho: number; steps: number };

/** X with the gradient there, and Z with Lambda. */
interface Pair {
	readonly x: Vector;
	readonly gradient: Vector;
	readonly z: Vector;
	readonly lambda: Vector;
}

export class Admm extends DeclaredMethod<Numbers> {
	override readonly remedies: readonly string[];
	readonly #options: AdmmOptions;
	readonly #solver: ShiftedSolver;
	readonly #mixing: Mixing | undefined;
	/** P, and with a window the point that was mixed last. */
	readonly #p: Vector;
	readonly #plain: Vector;
	readonly #right: Vector;
	readonly #d: Vector;
	readonly #now: Pair;
	/** What `now` was when rho was looked at last; of spectral rho alone. */
	readonly #then: Pair | undefined;

	constructor(system: System, solver: ShiftedSolver, options: AdmmOptions) {
		const [p, plain, right, d] = system.vectors(4) as [Vector, Vector, Vector, Vector];
		const then = options.rule === "spectral" ? pairOf(system) : undefined;
		const kept = then && { thenX: then.x, thenGradient: then.gradient, thenZ: then.z, thenLambda: then.lambda };
		const numbers = { rho: options.rho, steps: 0 };
		super("admm", system, numbers, { p, ...(options.window > 0 && { plain }), ...kept }, 6);
		this.#options = options;
		this.#solver = solver;
		this.#p = p;
		this.#plain = plain;
		this.#right = right;
		this.#d = d;
		this.#now = pairOf(system);
		this.#then = then;
		if (options.window > 0) this.#mixing = new Mixing(system, options.window, false);
		this.remedies = this.#mixing?.remedies ?? [];
	}

	protected begin(): void {
		const { arena, length, r } = this.system;
		Object.assign(this.numbers, { rho: this.#options.rho, steps: 0 });
		this.#mixing?.start();
		this.exhausted = false;
		// Lambda is zero.
		this.copy(r, this.#p);
		this.copy(r, this.#plain);
		if (this.#then) for (const { at } of Object.values(this.#then) as Vector[]) arena.kernels.fill(at, 0, length);
	}

	override get state(): MethodState {
		const { scalars, vectors } = super.state;
		const mixing = this.#mixing?.state;
		return { scalars: { ...scalars, ...mixing?.scalars }, vectors: { ...vectors, ...mixing?.vectors } };
	}

	override resume(from: SavedRecord, vectors: SavedSpace): void {
		super.resume(from, vectors);
		this.#mixing?.resume(from, vectors, this.#plain);
	}

	iterate(): void {
		const { r, arena, length } = this.system;
		const { kernels } = arena;
		const { numbers } = this;
		const { x, gradient, z, lambda } = this.#now;
		const [right, d] = [this.#right, this.#d];
		this.#multiplier(); // a
		this.law(gradient, lambda);
		this.subtract(gradient, lambda, gradient); // s
		kernels.axpby(1, this.system.u.at, 1, gradient.at, length);
		this.subtract(lambda, gradient, right);
		const before = this.#solver.products;
		const isSolved = this.#solver.solve(numbers.rho, right, d); // b
		this.products += this.#solver.products - before;
		if (!isSolved) {
			this.exhausted = true;
			return;
		}
		this.copy(r, z);
		this.copy(r, x);
		kernels.axpby(1, d.at, 1, x.at, length);
		this.copy(lambda, gradient);
		kernels.axpby(-numbers.rho, d.at, 1, gradient.at, length);
		const isTaken = this.#move(); // c
		this.copy(this.#p, r);
		this.system.project(r);
		this.product();
		numbers.steps += 1;
		const period = this.#mixing?.mixes ? MIXED_PERIOD : PERIOD;
		if (isTaken && this.#options.rule !== "fixed" && numbers.steps % period === 0) this.#adapt(); // d
	}

	/** Lambda = rho (Z - P), where R is Z. */
	#multiplier(): void {
		const { arena, length, r } = this.system;
		const { lambda } = this.#now;
		this.subtract(r, this.#p, lambda);
		arena.kernels.multiply(this.numbers.rho, lambda.at, length);
	}

	/** P goes on; false where a mix has led astray, and P is back at the last plain point. */
	#move(): boolean {
		const { arena, length } = this.system;
		const [p, plain] = [this.#p, this.#plain];
		this.copy(p, plain);
		arena.kernels.axpby(this.#options.relax, this.#d.at, 1, plain.at, length);
		if (this.#mixing?.take(p, plain, undefined, p) === false) return false;
		this.copy(plain, p);
		this.#mixing?.mix(p);
		return true;
	}

	#adapt(): void {
		const { r, arena, length } = this.system;
		const { numbers } = this;
		this.#multiplier();
		const wanted = this.#then ? this.#spectral(this.#then) : numbers.rho * this.#balance();
		if (!isWorthwhile(numbers.rho, wanted)) return;
		const rho = bounded(numbers.rho, wanted, numbers.steps);
		numbers.rho = rho;
		this.copy(r, this.#p);
		arena.kernels.axpby(-1 / rho, this.#now.lambda.at, 1, this.#p.at, length);
		this.#mixing?.forget();
	}

	#balance(): number {
		const { r } = this.system;
		const { x, gradient, z, lambda } = this.#now;
		const { rho } = this.numbers;
		this.subtract(x, r, gradient);
		this.addDot(gradient, gradient);
		this.addDot(r, r);
		this.subtract(r, z, gradient);
		this.addDot(gradient, gradient);
		this.addDot(lambda, lambda);
		const [primal = 0, size = 0, dual = 0, multiplier = 0] = this.sums.reduce();
		return balancedFactor(primal, size, rho * rho * dual, multiplier);
	}

	#spectral(then: Pair): number {
		const { r } = this.system;
		const { x, gradient, lambda } = this.#now;
		this.subtract(x, then.x, then.x);
		this.subtract(gradient, then.gradient, then.gradient);
		this.subtract(r, then.z, then.z);
		// The multiplier is minus a gradient of what keeps Z in K.
		this.subtract(then.lambda, lambda, then.lambda);
		for (const [one, other] of [
			[then.x, then.gradient],
			[then.z, then.lambda],
		] as const) {
			this.addDot(one, one);
			this.addDot(one, other);
			this.addDot(other, other);
		}
		const [a = 0, b = 0, c = 0, e = 0, f = 0, g = 0] = this.sums.reduce();
		this.copy(x, then.x);
		this.copy(gradient, then.gradient);
		this.copy(r, then.z);
		this.copy(lambda, then.lambda);
		return spectralRho(this.numbers.rho, spectralCurvature(a, b, c), spectralCurvature(e, f, g));
	}
}

function pairOf(system: System): Pair {
	const [x, gradient, z, lambda] = system.vectors(4) as [Vector, Vector, Vector, Vector];
	return { x, gradient, z, lambda };
}
