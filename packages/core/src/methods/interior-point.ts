/**
 * Primal-dual interior points for F(U) = V, U = W R + q, R in K, V in its dual, R.V = 0 (Anitescu 2014, algorithm PD-IP, on cones of second order;
 * predictor and corrector of Mehrotra, scaling of Nesterov and Todd). With x = D R and y = D^-1 V, D = diag(mu, 1, 1), both in one cone, their
 * scaling T (lorentz.ts), J = dF/dU and nu = sum R.V / contacts, one iteration:
 *
 *     1)  predictor:  t = -T y
 *     2)  sigma = (nu after the largest step that keeps x and y in the cone / nu)^3
 *     3)  corrector:  t = -T y + (T y) \ (sigma nu e - (T^-1 dx) o (T dy))
 *     4)  alpha = min(1, reach times the largest step):  x += alpha dx,  y += alpha dy,  U = W R + q
 *
 *     where  dV = F(U) - V + J W dR  and  dy = T^-1 t - T^-2 dx
 *
 * J = I solves the relaxed problem, F = U, and with F = [U_N + mu |U_T|, U_T] each step takes mu |U_T| as it stands: a fixed-point iteration on it.
 * Newton's J has its derivative. W has alpha D on its diagonal, D = diag(trace(W_aa) / 3), in the matrix but not in the right-hand side: each step is one
 * of proximal points around R. Where contacts are many more than freedoms W is singular, and so is the matrix in the end, as T^-2 vanishes. Of the two equations for dx and dy each direction takes that which is exact where T^-2 is as large as it is there.
 * A contact without friction has one unknown, R_N.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";
import * as lorentz from "./lorentz.js";
import type { NewtonSystem } from "./newton-system.js";
import { addProximalTerm, meanDiagonal } from "./proximal-term.js";
import { type SecondOrderCones, secondOrderCones } from "./second-order-cones.js";

export interface InteriorPointOptions {
	/** Of the way to the boundary. */
	readonly reach: number;
	/** How mu |U_T| enters a step. */
	readonly shift: "newton" | "fixed-point";
	/** Of the proximal term, relative to W's diagonal blocks. */
	readonly alpha: number;
}

export const interiorPointDefaults: InteriorPointOptions = { reach: 0.95, shift: "newton", alpha: 2e-5 };

/** `short`: steps in a row that were shorter than SHORT; `isInside`: 1 when R and V have come inside their cones. */
type Numbers = { short: number; isInside: number };

/** So many steps in a row that are shorter than this end it: nothing is left to gain. */
const SHORT = 1e-3;
const SHORT_MAX = 10;
/** Of the scaled R of a block, in the mean: what is so far has no solution, and U would be rounding. */
const FAR = 1e10;

export class InteriorPoint extends DeclaredMethod<Numbers> {
	readonly #options: InteriorPointOptions;
	readonly #linear: NewtonSystem;
	readonly #cones: SecondOrderCones;
	readonly #f: Vector;
	/** V, and what x and y have left to the boundary. */
	readonly #v: Vector;
	readonly #left: Vector;
	readonly #scaling: lorentz.Scaling;
	/** Of the basis: dx, dy, T^-1 t. */
	readonly #dx: Float64Array;
	readonly #dy: Float64Array;
	readonly #t: Float64Array;
	readonly #d: Float64Array;
	readonly #p: Float64Array;
	readonly #q: Float64Array;
	/** dR and W dR. */
	readonly #step: Vector;
	readonly #change: Vector;
	readonly #nearest = new Float64Array(1);

	constructor(system: System, linear: NewtonSystem, options: InteriorPointOptions) {
		const [v, left] = [system.room(), system.room()];
		super("interior-point", system, { short: 0, isInside: 0 }, { v, left }, 1);
		const { contacts, blocks } = system;
		const numbers = () => new Float64Array(3 * contacts);
		this.#options = options;
		this.#linear = linear;
		this.#cones = secondOrderCones(system);
		this.#v = v;
		this.#left = left;
		this.#f = system.room();
		this.#scaling = { w: new Float64Array(2 * contacts), t: numbers(), x: numbers(), y: numbers() };
		this.#dx = numbers();
		this.#dy = numbers();
		this.#t = numbers();
		this.#d = meanDiagonal(system);
		this.#p = new Float64Array(9 * blocks);
		this.#q = new Float64Array(9 * blocks);
		this.#step = system.operand();
		this.#change = system.room();
	}

	protected begin(): void {
		this.exhausted = false;
		this.numbers.short = 0;
		this.numbers.isInside = 0;
	}

	/** R and V a way inside their cones: not before the first iteration, since a start may be the answer. */
	#enter(): void {
		const { r, q, share } = this.system;
		const { places } = this.#cones;
		const far = this.system.norm(q) / Math.sqrt(share.contacts) || 1;
		for (const a of places) this.#putInside(a, r, 1, 0, far);
		this.product();
		this.law(this.#f);
		this.copy(this.#f, this.#v);
		for (const a of places) this.#putInside(a, this.#v, -1, 1, far);
		this.numbers.isInside = 1;
	}

	/** D^power z comes so far inside the cone. */
	#putInside(a: number, z: Vector, power: 1 | -1, side: 0 | 1, far: number): void {
		const normal = power === 1 ? this.#cones.normal[a]! : 1 / this.#cones.normal[a]!;
		this.#write(a, z, normal, side, lorentz.pushed(this.#read(a, z, normal, side), far));
	}

	/** Of R alone. */
	#shift(a: number, side: 0 | 1): number {
		return side === 0 ? this.#cones.shift[3 * a]! : 0;
	}

	#write(a: number, z: Vector, normal: number, side: 0 | 1, { x0, x1, x2, left }: lorentz.Inside): void {
		z.values[3 * a] = x0 / normal - this.#shift(a, side);
		z.values[3 * a + 1] = x1;
		z.values[3 * a + 2] = x2;
		this.#left.values[3 * a + side] = left;
	}

	#read(a: number, z: Vector, normal: number, side: 0 | 1): lorentz.Inside {
		const i = 3 * a;
		const tangential = this.#cones.tangential[a]!;
		return {
			x0: normal * (z.values[i]! + this.#shift(a, side)),
			x1: tangential * z.values[i + 1]!,
			x2: tangential * z.values[i + 2]!,
			left: this.#left.values[i + side]!,
		};
	}

	iterate(): void {
		const { contacts, share, r } = this.system;
		if (this.numbers.isInside === 0) this.#enter();
		this.law(this.#f);
		for (const a of this.#cones.places) {
			const normal = this.#cones.normal[a]!;
			lorentz.scale(this.#read(a, r, normal, 0), this.#read(a, this.#v, 1 / normal, 1), a, this.#scaling);
		}
		const nu = this.#complementarity(0) / share.contacts;
		this.#linearise();
		if (!this.#linear.factor(this.#p, this.#q, 0)) {
			this.exhausted = true;
			return;
		}
		for (let i = 0; i < 3 * contacts; i += 1) this.#t[i] = -this.#scaling.y[i]!; // 1
		this.#solve();
		const fall = this.#complementarity(Math.min(1, this.#longest())) / share.contacts / nu; // 2
		const target = fall * fall * fall * nu;
		for (const a of this.#cones.places) lorentz.correction(this.#scaling, this.#dx, this.#dy, 3 * a, target, this.#t); // 3
		this.#solve();
		this.#move(Math.min(1, this.#options.reach * this.#longest())); // 4
	}

	/** Rows of J W + D T^-2 D by the basis, each divided by 1 + T^-2. */
	#linearise(): void {
		this.#p.fill(0);
		this.#q.fill(0);
		for (const a of this.#cones.free) for (let k = 0; k < 9; k += 4) this.#p[9 * a + k] = 1;
		for (const a of this.#cones.places) this.#lineariseCone(a);
		addProximalTerm(this.#options.alpha, this.#d, this.#p, this.#q);
	}

	#lineariseCone(a: number): void {
		const [p, q, at] = [this.#p, this.#q, 9 * a];
		const { w, t } = this.#scaling;
		if (this.#cones.tangential[a]! === 0) {
			p[at] = lorentz.rowScale(t[3 * a]!);
			q[at] = 1 - p[at]!;
			q[at + 4] = q[at + 8] = 1;
			return;
		}
		const mu = this.#cones.normal[a]!;
		const [s1, s2] = this.#slip(a);
		for (let k = 0, row = at; k < 3; k += 1, row += 3) {
			const [b0, b1, b2] = lorentz.basis(k, w[2 * a]!, w[2 * a + 1]!);
			const scale = lorentz.rowScale(t[3 * a + k]!);
			p[row] = (scale * b0) / mu;
			p[row + 1] = scale * (b1 + b0 * s1);
			p[row + 2] = scale * (b2 + b0 * s2);
			q[row] = (1 - scale) * b0 * mu;
			q[row + 1] = (1 - scale) * b1;
			q[row + 2] = (1 - scale) * b2;
		}
	}

	/** The derivative of |U_T| as far as J has it. */
	#slip(a: number): readonly [number, number] {
		const { values } = this.system.u;
		const [u1, u2] = [values[3 * a + 1]!, values[3 * a + 2]!];
		const speed = Math.sqrt(u1 * u1 + u2 * u2);
		const isTaken = this.#options.shift === "newton" && this.#cones.slips[a] === 1 && speed > 0;
		return isTaken ? [u1 / speed, u2 / speed] : [0, 0];
	}

	/** dx and dy from T^-1 t. */
	#solve(): void {
		this.#writeRight();
		const products = this.#linear.products;
		this.#linear.solve(this.#step);
		this.system.operator.apply(this.#step, this.#change);
		this.products += 1 + this.#linear.products - products;
		for (const a of this.#cones.places) this.#readStep(a);
	}

	/** V - F(U) + D T^-1 t by the basis, each divided by 1 + T^-2. */
	#writeRight(): void {
		const { t, w } = this.#scaling;
		const [f, v, step] = [this.#f.values, this.#v.values, this.#step.values];
		for (const a of this.#cones.free) for (let i = 3 * a; i < 3 * a + 3; i += 1) step[i] = -f[i]!;
		for (const a of this.#cones.places) {
			const i = 3 * a;
			const normal = this.#cones.normal[a]!;
			const n = (v[i]! - f[i]!) / normal;
			if (this.#cones.tangential[a]! === 0) {
				step[i] = lorentz.rowScale(t[i]!) * (n + Math.SQRT2 * this.#t[i]!);
				step[i + 1] = step[i + 2] = 0;
				continue;
			}
			const [t1, t2] = [v[i + 1]! - f[i + 1]!, v[i + 2]! - f[i + 2]!];
			for (let k = 0; k < 3; k += 1) {
				const [b0, b1, b2] = lorentz.basis(k, w[2 * a]!, w[2 * a + 1]!);
				step[i + k] = lorentz.rowScale(t[i + k]!) * (b0 * n + b1 * t1 + b2 * t2 + this.#t[i + k]!);
			}
		}
	}

	/** dx and dy of contact a, from dR and W dR. */
	#readStep(a: number): void {
		const { t, w } = this.#scaling;
		const [f, v, step, change] = [this.#f.values, this.#v.values, this.#step.values, this.#change.values];
		const [normal, tangential, [s1, s2]] = [this.#cones.normal[a]!, this.#cones.tangential[a]!, this.#slip(a)];
		const i = 3 * a;
		const y0 = (f[i]! - v[i]! + change[i]!) / normal + tangential * (s1 * change[i + 1]! + s2 * change[i + 2]!);
		const y1 = tangential * (f[i + 1]! - v[i + 1]! + change[i + 1]!);
		const y2 = tangential * (f[i + 2]! - v[i + 2]! + change[i + 2]!);
		const [x0, x1, x2] = [normal * step[i]!, tangential * step[i + 1]!, tangential * step[i + 2]!];
		for (let k = 0; k < 3; k += 1) {
			const [b0, b1, b2] = tangential === 0 ? lorentz.axis(k) : lorentz.basis(k, w[2 * a]!, w[2 * a + 1]!);
			const h = 1 / (t[i + k]! * t[i + k]!);
			if (h > 1) {
				this.#dy[i + k] = b0 * y0 + b1 * y1 + b2 * y2;
				this.#dx[i + k] = (this.#t[i + k]! - this.#dy[i + k]!) / h;
			} else {
				this.#dx[i + k] = b0 * x0 + b1 * x1 + b2 * x2;
				this.#dy[i + k] = this.#t[i + k]! - h * this.#dx[i + k]!;
			}
		}
	}

	#move(alpha: number): void {
		const { r, share } = this.system;
		this.#place(alpha);
		const isLost = !(this.system.norm(r) < FAR * Math.sqrt(share.blocks));
		if (isLost) this.#place(0);
		this.product();
		this.numbers.short = alpha < SHORT ? this.numbers.short + 1 : 0;
		this.exhausted = isLost || this.numbers.short >= SHORT_MAX;
	}

	/** R and V a step from where the scaling was taken. */
	#place(alpha: number): void {
		const { r } = this.system;
		const { w, x, y } = this.#scaling;
		for (const a of this.#cones.places) {
			const normal = this.#cones.normal[a]!;
			this.#write(a, r, normal, 0, lorentz.moved(x, alpha, this.#dx, a, w));
			this.#write(a, this.#v, 1 / normal, 1, lorentz.moved(y, alpha, this.#dy, a, w));
		}
		if (alpha === 0) return;
		for (const a of this.#cones.free)
			for (let i = 3 * a; i < 3 * a + 3; i += 1) r.values[i]! += alpha * this.#step.values[i]!;
	}

	/** Collective. The largest step within both cones. */
	#longest(): number {
		const { x, y } = this.#scaling;
		let longest = Number.POSITIVE_INFINITY;
		for (const a of this.#cones.places) {
			const i = 3 * a;
			longest = Math.min(longest, lorentz.stepInside(x, this.#dx, i), lorentz.stepInside(y, this.#dy, i));
		}
		this.#nearest[0] = -longest;
		this.system.reducer.largest(this.#nearest);
		return -this.#nearest[0]!;
	}

	/** Collective. The sum of (x + alpha dx).(y + alpha dy). */
	#complementarity(alpha: number): number {
		const { x, y } = this.#scaling;
		const [dx, dy] = [this.#dx, this.#dy];
		const term = (i: number) => (alpha === 0 ? x[i]! * y[i]! : (x[i]! + alpha * dx[i]!) * (y[i]! + alpha * dy[i]!));
		return this.system.sumOver((a) => term(3 * a) + term(3 * a + 1) + term(3 * a + 2));
	}
}
