/**
 * Semismooth Newton, Koziara and Bicanic 2008, algorithm SCSOL with its linearisations NEWT, HYB, FIX and UNIL (contact-states.ts):
 *
 *     3)       Omega dR = Pi,  Omega_ab = P_a W_ab + [a = b] Q_a
 *     4, 5)    alpha = 1; while M(R + alpha dR) > max of the last M - 2 gamma alpha M, alpha > beta (not FIX and UNIL, not at first): alpha = sigma alpha
 *     6, 7)    R <- R + alpha dR,  U = W R + q
 *     10)-13)  FIX: |dR| <= share |R|: b_N = R_N
 *     14)      SCALE, after L iterations: rho_a = phi rho_a where a contact has changed between stick and slip, L times at most;
 *              the line search of the same iteration still has the old rho
 *
 * Where mu = 0 all of them are UNIL, but for the line search. R leaves the cone on the way: what others see of it is its projection. Differs from the
 * paper: W of a pile is singular, so `shift` is added to its diagonal, in the scaled system, less as the merit falls (UNIL: a thousandth in each
 * iteration), but never less than SHIFT_MIN: Pi is exact, so that this costs no digit, and of all the reactions that W cannot tell apart the step
 * takes the least; U is formed anew with R, so that
 * T = W R + q - U is zero but for the first step from R = U = 0; FIX has new bounds where |dR| is below `share` |R|, not the tolerance.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import {
	contactMerit,
	type Linearisation,
	lineariseContact,
	lineariseFirst,
	lineariseMoment,
	STATE,
	scaleRows,
	tangentialMerit,
} from "./contact-states.js";
import { DeclaredMethod } from "./declared-method.js";
import type { NewtonSystem } from "./newton-system.js";

export interface NewtonOptions {
	readonly linearisation: Linearisation;
	readonly sigma: number;
	readonly gamma: number;
	readonly beta: number;
	readonly J: number;
	readonly phi: number;
	readonly L: number;
	readonly shift: number;
	/** Of |R|: dR of FIX that is small enough for new bounds. */
	readonly share: number;
	/** What the first step from R = 0 takes U for: zero, as the paper does, or the free velocity. */
	readonly first: "zero" | "free";
}

/** `m0` and so on: the last values of the merit; `isAtZero`: 1 before the first step where R = 0. */
type Numbers = Record<string, number> & { steps: number; first: number; isAtZero: number };

/** Of what shift is left. */
const SHIFT_MIN = 1e-8;
const UNIL_SHARE = 1e-3;

export class Newton extends DeclaredMethod<Numbers> {
	readonly #options: NewtonOptions;
	readonly #linear: NewtonSystem;
	/** R of the method, not in the cone, and its U. */
	readonly #x: Vector;
	readonly #u: Vector;
	readonly #step: Vector;
	readonly #change: Vector;
	/** rho, b_N and what the contact was taken for with how often rho grew, for each block. */
	readonly #contact: Vector;
	/** rho of all blocks to begin with. */
	readonly #rho: Float64Array;
	readonly #p: Float64Array;
	readonly #q: Float64Array;
	readonly #coupling: Float64Array;
	/** 1 for each block that 3) found to have changed between stick and slip; valid until 14) of the same iteration. */
	readonly #isChanged: Uint8Array;
	/** mu_r and mu_s of each block that is a moment, NaN of all others. */
	readonly #rolling: Float64Array;
	readonly #spinning: Float64Array;

	constructor(system: System, linear: NewtonSystem, options: NewtonOptions) {
		const x = system.operand();
		const contact = system.room();
		const numbers: Numbers = { steps: 0, first: 0, isAtZero: 0 };
		for (let j = 0; j <= options.J; j += 1) numbers[`m${j}`] = 0;
		super("newton", system, numbers, { x, contact }, 2);
		this.#options = options;
		this.#linear = linear;
		this.#x = x;
		this.#contact = contact;
		this.#u = system.room();
		this.#step = system.operand();
		this.#change = system.room();
		this.#rho = Float64Array.from({ length: system.blocks }, (_, a) => 1 / largestEigenvalue(system.w.values, 9 * a));
		this.#p = new Float64Array(9 * system.blocks);
		this.#q = new Float64Array(9 * system.blocks);
		this.#coupling = new Float64Array(3 * system.blocks);
		this.#isChanged = new Uint8Array(system.blocks);
		this.#rolling = new Float64Array(system.blocks).fill(Number.NaN);
		this.#spinning = new Float64Array(system.blocks);
		system.cones.writeRollingFriction(this.#rolling, this.#spinning);
	}

	protected begin(): void {
		const { r, blocks } = this.system;
		this.exhausted = false;
		this.copy(r, this.#x);
		for (let a = 0; a < blocks; a += 1) {
			this.#contact.values[3 * a] = this.#rho[a]!;
			this.#contact.values[3 * a + 1] = r.values[3 * a]!;
			this.#contact.values[3 * a + 2] = -1;
		}
		this.numbers.steps = 0;
		this.numbers.first = 0;
		this.numbers.isAtZero = this.#options.first === "zero" && this.system.norm(r) === 0 ? 1 : 0;
	}

	protected override refresh(): void {
		super.refresh();
		this.system.velocity(this.#x, this.#u);
	}

	iterate(): void {
		const { numbers } = this;
		const { J, L, linearisation } = this.#options;
		const merit = this.#meritAt(0);
		if (numbers.steps === 0) numbers.first = merit;
		numbers[`m${numbers.steps % (J + 1)}`] = merit;
		const { values } = this.#step;
		this.#linearise(values); // 3
		numbers.isAtZero = 0;
		if (!this.#linear.factor(this.#p, this.#q, this.#shiftAt(merit), this.#coupling)) {
			this.exhausted = true;
			return;
		}
		const before = this.#linear.products;
		this.#linear.solve(this.#step);
		this.products += this.#linear.products - before;
		this.#apply(this.#step, this.#change);
		const alpha = this.#lineSearch(merit); // 4, 5
		this.#move(alpha); // 6, 7
		if (numbers.steps >= L && linearisation !== "fix") this.#scale(); // 14
		numbers.steps += 1;
	}

	#shiftAt(merit: number): number {
		const { shift, linearisation } = this.#options;
		const { first, steps } = this.numbers;
		let share = first > 0 ? Math.min(1, merit / first) : 0;
		if (linearisation === "unil") {
			share = 1;
			for (let k = 0; k < steps && share * shift > SHIFT_MIN; k += 1) share *= UNIL_SHARE;
		}
		return Math.max(Math.min(shift, SHIFT_MIN), share * shift);
	}

	/** y = W x, counted. */
	#apply(x: Vector, y: Vector): void {
		this.system.operator.apply(x, y);
		this.products += 1;
	}

	/** P, Q and Pi of all contacts, and which of them changed between stick and slip. */
	#linearise(right: Float64Array): void {
		const { contacts, blocks } = this.system;
		const { mu } = this.system.cones;
		const { linearisation } = this.#options;
		const { isAtZero } = this.numbers;
		const w = this.system.w.values;
		const step = { p: this.#p, q: this.#q, right, coupling: this.#coupling };
		const [x, u, contact] = [this.#x.values, this.#u.values, this.#contact.values];
		for (let a = 0; a < contacts; a += 1) {
			const at = 3 * a;
			const rho = contact[at]!;
			const isMoment = this.#isMoment(a);
			let state: number;
			if (isAtZero === 1) state = lineariseFirst(u, at, isMoment, step);
			else if (isMoment) {
				const [rolling, spinning] = [this.#rolling[a]!, this.#spinning[a]!];
				const [rhoForce, bound] = [contact[at - 3]!, contact[at - 2]!];
				state = lineariseMoment(linearisation, rolling, spinning, rhoForce, rho, bound, x, u, at, step);
			} else state = lineariseContact(linearisation, mu.values[a]!, rho, contact[at + 1]!, x, u, at, step);
			scaleRows(state, isMoment, w, at, step);
			const code = contact[at + 2]!;
			const [last, grown] = code < 0 ? [state, 0] : [code % 4, Math.floor(code / 4)];
			this.#isChanged[a] = state !== last && state !== STATE.open && last !== STATE.open ? 1 : 0;
			contact[at + 2] = state + 4 * grown;
		}
		for (let a = contacts; a < blocks; a += 1) {
			for (let k = 0; k < 9; k += 1) {
				this.#p[9 * a + k] = k % 4 === 0 ? 1 : 0;
				this.#q[9 * a + k] = 0;
			}
			for (let i = 3 * a; i < 3 * a + 3; i += 1) right[i] = -u[i]!;
		}
	}

	/** SCALE. */
	#scale(): void {
		const { phi, L } = this.#options;
		const contact = this.#contact.values;
		for (let a = 0, at = 0; a < this.system.contacts; a += 1, at += 3) {
			if (this.#isChanged[a] === 0 || contact[at + 2]! >= 4 * L) continue;
			contact[at]! *= phi;
			contact[at + 2]! += 4;
		}
	}

	#isMoment(a: number): boolean {
		return this.#rolling[a]! >= 0;
	}

	/** M(R + alpha dR). */
	#meritAt(alpha: number): number {
		const { contacts } = this.system;
		return 0.5 * this.system.sumOver((a) => (a < contacts ? this.#contactMerit(a, alpha) : 0));
	}

	#contactMerit(a: number, alpha: number): number {
		const [x, u, contact] = [this.#x.values, this.#u.values, this.#contact.values];
		const [dx, du] = [this.#step.values, this.#change.values];
		const at = (from: Float64Array, by: Float64Array, i: number) =>
			alpha === 0 ? from[i]! : from[i]! + alpha * by[i]!;
		const i = 3 * a;
		const rho = contact[i]!;
		const [r0, r1, r2] = [at(x, dx, i), at(x, dx, i + 1), at(x, dx, i + 2)];
		const [u0, u1, u2] = [at(u, du, i), at(u, du, i + 1), at(u, du, i + 2)];
		if (!this.#isMoment(a)) return contactMerit(this.system.cones.mu.values[a]!, rho, r0, r1, r2, u0, u1, u2);
		const dN = at(x, dx, i - 3) - contact[i - 3]! * at(u, du, i - 3);
		return (
			tangentialMerit(this.#rolling[a]!, rho, dN, r1, r2, u1, u2) +
			tangentialMerit(this.#spinning[a]!, rho, dN, r0, 0, u0, 0)
		);
	}

	#lineSearch(merit: number): number {
		const { linearisation, sigma, gamma, beta, J } = this.#options;
		const { numbers } = this;
		if (linearisation === "fix" || linearisation === "unil" || numbers.steps === 0) return 1;
		let highest = merit;
		for (let j = 0; j < Math.min(numbers.steps + 1, J + 1); j += 1) highest = Math.max(highest, numbers[`m${j}`]!);
		let alpha = 1;
		while (alpha > beta && !(this.#meritAt(alpha) <= highest - 2 * gamma * alpha * merit)) alpha *= sigma;
		return alpha;
	}

	/** R of the method, and its projection for everybody else. */
	#move(alpha: number): void {
		const { arena, blocks, length, r } = this.system;
		arena.kernels.axpby(alpha, this.#step.at, 1, this.#x.at, length);
		if (this.#options.linearisation === "fix" && this.#isSmall()) {
			for (let i = 0; i < 3 * blocks; i += 3) this.#contact.values[i + 1] = this.#x.values[i]!;
		}
		this.#apply(this.#x, this.#u);
		arena.kernels.axpby(1, this.system.q.at, 1, this.#u.at, length);
		this.copy(this.#x, r);
		this.system.project(r);
		this.product();
	}

	#isSmall(): boolean {
		this.addDot(this.#step, this.#step);
		this.addDot(this.#x, this.#x);
		const [step = 0, all = 0] = this.sums.reduce();
		return step <= this.#options.share * this.#options.share * all;
	}
}

/** Of the symmetric part of a 3x3 block, by so many steps of the power method that rho is known to a percent or so. */
function largestEigenvalue(w: Float64Array, at: number): number {
	let [x, y, z] = [1, 0.5, 0.25];
	let value = 0;
	const [xy, xz, yz] = [w[at + 1]! + w[at + 3]!, w[at + 2]! + w[at + 6]!, w[at + 5]! + w[at + 7]!].map(
		(sum) => sum / 2,
	) as [number, number, number];
	for (let step = 0; step < 20; step += 1) {
		const next = [
			w[at]! * x + xy * y + xz * z,
			xy * x + w[at + 4]! * y + yz * z,
			xz * x + yz * y + w[at + 8]! * z,
		] as const;
		value = Math.sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
		if (!(value > 0)) return 1;
		[x, y, z] = [next[0] / value, next[1] / value, next[2] / value];
	}
	return value;
}
