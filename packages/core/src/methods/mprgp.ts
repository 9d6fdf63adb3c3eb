/**
 * Modified proportioning with reduced gradient projections (Dostal and Schoeberl 2005; Anitescu 2014, algorithm KUCERA), for bounds (bounds.ts):
 * conjugate gradients among unknowns between their bounds, as long as what they have left outweighs what draws others off theirs.
 *
 *     5)         strictly proportional: beta~.U <= Gamma^2 phi~.U
 *     6, 7)      alpha_cg = U.P / P.WP,  alpha_f the largest step within the bounds
 *     8)-12)     alpha_cg < alpha_f, conjugate gradients: R -= alpha_cg P, U -= alpha_cg WP, P = phi - (phi.WP / P.WP) P
 *     14)-17)    or else expansion: R -= alpha_f P, then R = P(R - alpha phi), U anew, P = phi
 *     19)-21)    not proportional: R = P(R - alpha beta), U anew, P = phi
 *
 * The reference has a fixed alpha of at most 1 / |W|. Here alpha = step / (the largest s.Ws / s.s of any s so far): a step of 14 or 19 on which
 * that turns out to be too small is taken again, so that each lowers the objective and |W| need not be known. phi~ = (R - P(R - alpha phi)) / alpha,
 * beta~ the same of beta.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { Bounds } from "./bounds.js";
import { DeclaredMethod } from "./declared-method.js";

export interface MprgpOptions {
	/** What draws unknowns off their bounds may weigh so many times what the others have left. */
	readonly gamma: number;
	/** Of a gradient step, relative to 1 / |W|. */
	readonly step: number;
}

/** Steps of conjugate gradients after which U is taken anew, against rounding. */
const FRESH = 100;
/** A step is taken again so often at most; with the last, alpha is smaller than any that is needed. */
const TRIALS_MAX = 30;

/** `norm`: of W, as far as it is known; `phi`, `beta`: phi~.U and beta~.U; `since`: steps since U was taken anew. */
type Numbers = { norm: number; phi: number; beta: number; since: number };

export class Mprgp extends DeclaredMethod<Numbers> {
	readonly #options: MprgpOptions;
	readonly #bounds: Bounds;
	readonly #p: Vector;
	readonly #wP: Vector;
	readonly #phi: Vector;
	readonly #beta: Vector;
	readonly #lastR: Vector;
	readonly #lastU: Vector;

	constructor(system: System, options: MprgpOptions) {
		const p = system.operand();
		super("mprgp", system, { norm: 1, phi: 0, beta: 0, since: 0 }, { p, u: system.u }, 4);
		this.#options = options;
		this.#bounds = new Bounds(system);
		this.#p = p;
		const [wP, phi, beta, lastR, lastU] = system.vectors(5);
		this.#wP = wP!;
		this.#phi = phi!;
		this.#beta = beta!;
		this.#lastR = lastR!;
		this.#lastU = lastU!;
	}

	protected begin(): void {
		const { r, u } = this.system;
		this.exhausted = false;
		this.numbers.norm = 1;
		this.#bounds.addProjected(0, r, r);
		this.system.velocity(r, u);
		this.#startAgain();
	}

	/** U goes on from step to step: it is part of the state. */
	protected override refresh(): void {
		this.#bounds.split(this.system.r, this.system.u, this.#phi, this.#beta);
	}

	iterate(): void {
		const { numbers } = this;
		const { gamma } = this.#options;
		if (!(numbers.beta <= gamma * gamma * numbers.phi))
			this.#project(this.#beta); // 5, 19-21
		else if (numbers.phi > 0) this.#descend();
		else this.exhausted = true;
	}

	#descend(): void {
		const { arena, length, operator, r, u } = this.system;
		const { numbers } = this;
		const [p, wP] = [this.#p, this.#wP];
		operator.apply(p, wP);
		this.products += 1;
		this.addDot(u, p);
		this.addDot(p, wP);
		this.addDot(p, p);
		const [slope = 0, bent = 0, size = 0] = this.sums.reduce();
		this.#learn(bent, size);
		const alphaCg = bent > 0 ? slope / bent : Number.POSITIVE_INFINITY; // 6
		const alphaF = this.#bounds.feasibleStep(r, p); // 7
		const alpha = Math.min(alphaCg, alphaF);
		if (!Number.isFinite(alpha)) {
			// The objective falls for ever.
			this.exhausted = true;
			return;
		}
		this.#bounds.addProjected(-alpha, p, r); // 9, 14
		arena.kernels.axpby(-alpha, wP.at, 1, u.at, length); // 10
		this.#bounds.split(r, u, this.#phi, this.#beta);
		if (alphaCg < alphaF) this.#conjugate(bent);
		else this.#project(this.#phi);
		numbers.since += 1;
		if (numbers.since >= FRESH) this.#takeFresh();
	}

	/** P = phi - (phi.WP / P.WP) P. */
	#conjugate(bent: number): void {
		const { arena, length } = this.system;
		this.addDot(this.#phi, this.#wP);
		this.#addBalance();
		const [along = 0, phi = 0, beta = 0] = this.sums.reduce(); // 11
		this.#take(phi, beta);
		arena.kernels.axpby(1, this.#phi.at, -along / bent, this.#p.at, length); // 12
	}

	/** R = P(R - alpha d), U anew: a step along a part of the gradient. */
	#project(d: Vector): void {
		const { r, u } = this.system;
		this.copy(r, this.#lastR);
		this.copy(u, this.#lastU);
		for (let trial = 1; trial <= TRIALS_MAX; trial += 1) {
			this.copy(this.#lastR, r);
			this.#bounds.addProjected(-this.#alpha, d, r); // 15, 19
			this.product(); // 16, 20
			this.subtract(r, this.#lastR, this.#p);
			this.subtract(u, this.#lastU, this.#wP);
			this.addDot(this.#p, this.#wP);
			this.addDot(this.#p, this.#p);
			const [bent = 0, size = 0] = this.sums.reduce();
			if (!this.#learn(bent, size)) break;
		}
		this.#startAgain();
	}

	get #alpha(): number {
		return this.#options.step / this.numbers.norm;
	}

	/** Takes s.Ws / s.s for |W| where it is larger; says so. */
	#learn(bent: number, size: number): boolean {
		const { numbers } = this;
		const isLarger = bent > numbers.norm * size;
		if (isLarger) numbers.norm = bent / size;
		return isLarger;
	}

	#takeFresh(): void {
		this.product();
		this.numbers.since = 0;
		this.refresh();
	}

	/** Conjugate gradients begin: P = phi. */
	#startAgain(): void {
		this.refresh();
		this.numbers.since = 0;
		this.copy(this.#phi, this.#p);
		this.#addBalance();
		const [phi = 0, beta = 0] = this.sums.reduce();
		this.#take(phi, beta);
	}

	/** Adds phi~.U and beta~.U to the sums of the next reduction. */
	#addBalance(): void {
		const { r, u } = this.system;
		for (const part of [this.#phi, this.#beta]) {
			this.#bounds.reduced(r, this.#alpha, part, this.#lastR);
			this.addDot(this.#lastR, u);
		}
	}

	#take(phi: number, beta: number): void {
		this.numbers.phi = phi;
		this.numbers.beta = beta;
	}
}
