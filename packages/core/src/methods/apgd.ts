/**
 * Accelerated projected gradient descent (Nesterov), with s frozen and taken anew (frozen-shift.ts), a step that adapts itself, and restarts:
 *
 *     a)  Y = R + beta (R - R_last),  U(Y) = U(R) + beta (U(R) - U(R_last)): W is linear, no product
 *     b)  X = proj_K(Y - rho (U(Y) + s)),  U(X): the product;  D = X - Y,  W D = U(X) - U(Y)
 *     c)  ratio 1 = rho |W D| / |D|  or  ratio 2 = rho D.W D / |D|^2; too long: a shorter rho, again from b)
 *     d)  (U(Y) + s).(X - R) > 0: the objective would rise, theta = 1 and Y = R, so that the next step is one without acceleration
 *     e)  theta' = (sqrt(theta^4 + 4 theta^2) - theta^2) / 2,  beta = theta (1 - theta) / (theta^2 + theta')
 *
 * With a window Y is Anderson's mix of the last steps (mixing.ts), U(Y) by the same weights, as long as s rests. The first rho is a number or by one of the reference's rules (rho-rules.ts). The ratios of the reference (eqs. 20, 21) are taken at R, here at Y, from where the step is made: that costs no product.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { isTooLong, nextStep, type StepRule, shorter, TRIALS_MAX } from "./adaptive-step.js";
import { FrozenShift, type FrozenShiftOptions } from "./frozen-shift.js";
import type { MethodState } from "./method.js";
import { Mixing } from "./mixing.js";
import { firstRho, needsEigenvalues, type RhoRule } from "./rho-rules.js";

export interface ApgdOptions extends FrozenShiftOptions, StepRule {
	readonly rho: number | RhoRule;
	/** Steps that Anderson mixes for Y, in place of Nesterov's extrapolation; 0: Nesterov's. */
	readonly window: number;
	/** By which ratio rho adapts itself, if it does. */
	readonly ratio: 1 | 2 | "no";
}

type Numbers = { since: number; rho: number; theta: number; beta: number };

export class Apgd extends FrozenShift<Numbers> {
	readonly #options: ApgdOptions;
	/** R and U(R) of the iteration before, and of this one where X takes R's place. */
	readonly #lastR: Vector;
	readonly #lastU: Vector;
	readonly #keptR: Vector;
	readonly #keptU: Vector;
	readonly #y: Vector;
	readonly #uY: Vector;
	readonly #g: Vector;
	readonly #difference: Vector;
	readonly #change: Vector;
	override readonly remedies: readonly string[];
	readonly #mixing: Mixing | undefined;
	/** What Lanczos' method multiplies by W, for rules that need eigenvalues. */
	readonly #lanczos: Vector | undefined;

	constructor(system: System, options: ApgdOptions) {
		const [lastR, lastU, keptR, keptU, y, uY, g, difference, change] = system.vectors(9) as [
			Vector,
			Vector,
			...Vector[],
		];
		const numbers = { since: 0, rho: 1, theta: 1, beta: 0 };
		super("apgd", system, options, numbers, { lastR, lastU }, 4);
		this.#options = options;
		this.#lastR = lastR;
		this.#lastU = lastU;
		this.#keptR = keptR!;
		this.#keptU = keptU!;
		this.#y = y!;
		this.#uY = uY!;
		this.#g = g!;
		this.#difference = difference!;
		this.#change = change!;
		if (options.window > 0) this.#mixing = new Mixing(system, options.window, true);
		this.remedies = this.#mixing?.remedies ?? [];
		this.#lanczos = needsEigenvalues(options.rho) ? system.operand() : undefined;
	}

	protected begin(): void {
		const { kernels } = this.system.arena;
		Object.assign(this.numbers, { since: 0, rho: this.#firstRho(), theta: 1, beta: 0 });
		for (const { at } of [this.s, this.#lastR, this.#lastU]) kernels.fill(at, 0, this.system.length);
	}

	override get state(): MethodState {
		const { scalars, vectors } = super.state;
		const mixing = this.#mixing?.state;
		return { scalars: { ...scalars, ...mixing?.scalars }, vectors: { ...vectors, ...mixing?.vectors } };
	}

	override resume(from: SavedRecord, vectors: SavedSpace): void {
		super.resume(from, vectors);
		this.#mixing?.resume(from, vectors, this.system.r, this.system.u);
	}

	override start(): void {
		this.#mixing?.start();
		super.start();
		this.takeFirstShift();
	}

	#firstRho(): number {
		const { rho: wanted } = this.#options;
		if (typeof wanted === "number") return wanted;
		const { rho, products } = firstRho(wanted, this.system, {
			v: this.#lanczos ?? this.#y,
			last: this.#difference,
			next: this.#change,
			dot: (x, y) => {
				this.addDot(x, y);
				return this.sums.reduce()[0]!;
			},
		});
		this.products += products;
		return rho;
	}

	iterate(): void {
		const { r, u } = this.system;
		const options = this.#options;
		const { numbers } = this;
		this.#mixOrExtrapolate(); // a
		this.gradient(this.#uY, this.#g);
		this.copy(r, this.#keptR);
		this.copy(u, this.#keptU);
		let tried = this.#try(); // b
		for (let trial = 1; options.ratio !== "no" && isTooLong(options, tried.ratio) && trial < TRIALS_MAX; trial += 1) {
			numbers.rho = shorter(options, numbers.rho, tried.ratio); // c
			tried = this.#try();
		}
		const isShiftDue = this.isShiftDue(tried.left, tried.change);
		const mixing = this.#mixing;
		mixing?.take(this.#y, r, u);
		if (tried.rise > 0 || isShiftDue)
			this.#restart(); // d
		else this.#accelerate(); // e
		if (options.ratio !== "no" && !mixing?.mixes) numbers.rho = nextStep(options, numbers.rho, tried.ratio);
		if (!isShiftDue) return;
		this.takeShift();
		mixing?.forget();
	}

	#mixOrExtrapolate(): void {
		const { r, u } = this.system;
		if (this.#mixing?.mixes) {
			this.copy(r, this.#y);
			this.copy(u, this.#uY);
			this.#mixing.mix(this.#y, this.#uY);
			return;
		}
		this.#extrapolate(r, this.#lastR, this.#y);
		this.#extrapolate(u, this.#lastU, this.#uY);
	}

	/** y = x + beta (x - last). */
	#extrapolate(x: Vector, last: Vector, y: Vector): void {
		const { arena, length } = this.system;
		const { beta } = this.numbers;
		this.subtract(x, last, y);
		arena.kernels.axpby(1, x.at, beta, y.at, length);
	}

	/** X in R's place: its ratio, how far the objective's slope says that it rose, and squares of what is left and of s(U) - s. */
	#try(): { ratio: number; rise: number; left: number; change: number } {
		const { r, u } = this.system;
		const { rho } = this.numbers;
		this.project(this.#y, rho, this.#g, r);
		this.product();
		this.subtract(r, this.#y, this.#difference);
		this.subtract(u, this.#uY, this.#change);
		this.addDot(this.#difference, this.#difference);
		this.addDot(this.#change, this.#options.ratio === 2 ? this.#difference : this.#change);
		this.subtract(r, this.#keptR, this.#difference);
		this.addDot(this.#g, this.#difference);
		this.addShiftChange();
		const [moved = 0, bent = 0, rise = 0, change = 0] = this.sums.reduce();
		const ratio = this.#options.ratio === 2 ? bent / moved : Math.sqrt(bent / moved);
		return { ratio: moved > 0 ? rho * ratio : 0, rise, left: moved / (rho * rho), change };
	}

	#accelerate(): void {
		const { numbers } = this;
		const square = numbers.theta * numbers.theta;
		const next = (Math.sqrt(square * square + 4 * square) - square) / 2;
		numbers.beta = (numbers.theta * (1 - numbers.theta)) / (square + next);
		numbers.theta = next;
		this.copy(this.#keptR, this.#lastR);
		this.copy(this.#keptU, this.#lastU);
	}

	/** The next Y is R. */
	#restart(): void {
		const { r, u } = this.system;
		this.numbers.theta = 1;
		this.numbers.beta = 0;
		this.copy(r, this.#lastR);
		this.copy(u, this.#lastU);
	}
}
