/**
 * Omega dR = Pi with Omega_ab = P_a (W_ab + [a = b] shift I) + [a = b] Q_a and the coupling of rolling contacts, on any number of ranks with the same bits: by one whole LU, which
 * one rank makes and all use, or by GMRES with additive Schwarz, an LU for each subdomain; where Omega is symmetric by CG or MINRES, an L D L^T for each. What is chosen
 * depends on the size alone.
 */
import { InputError } from "../base/errors.js";
import type { Vector } from "../kernels/arena.js";
import { schwarzOfRows } from "../schwarz/rows.js";
import type { Schwarz } from "../schwarz/schwarz.js";
import { WholeFactor } from "../schwarz/whole.js";
import type { System } from "../system/system.js";
import { Cg } from "./cg.js";
import { Gmres, type LinearProblem, type LinearSolver } from "./gmres.js";
import { Minres } from "./minres.js";
import { integer, notNegative, type OptionDoc, type Options, oneOf } from "./options.js";

export interface NewtonSystemOptions {
	readonly linear: "by-size" | "lu" | "krylov";
	/** Blocks of a subdomain. */
	readonly subdomain: number;
	/** How far subdomains reach into their neighbours, in blocks. */
	readonly overlap: number;
	/** Of |Pi|: what GMRES may leave. */
	readonly reduction: number;
	/** Most iterations of GMRES for a system. */
	readonly inner: number;
}

/** What is known of Omega: W symmetric, P_a = I and Q_a symmetric, and positive definite or not; the preconditioner has to be definite in any case. */
export type Symmetry = "none" | "definite" | "indefinite";

/** More blocks than this by-size does not factor as a whole: fill-in grows with the square and more. */
const WHOLE_MAX = 20_000;
/** Directions after which GMRES restarts. */
const RESTART = 60;

/** For methods that have such a system, in their entries. */
export const linearOptions: readonly OptionDoc[] = [
	oneOf(
		"linear",
		"how linear systems are solved: one whole LU, or GMRES with an LU for each subdomain; by-size: lu up to 20,000 contacts",
		"by-size",
		["by-size", "lu", "krylov"],
	),
	integer("subdomain", "krylov: contacts of a subdomain", 500, 1, 65_536),
	integer("overlap", "krylov: how far subdomains reach into their neighbours, in contacts", 1, 0, 10),
	notNegative("reduction", "krylov: residual that GMRES may leave, relative to the right-hand side", 1e-6),
	integer("inner", "krylov: maximum number of iterations of GMRES for a system", 500, 1, 1e6),
];

export function linearOptionsOf(options: Options): NewtonSystemOptions {
	return {
		linear: options.linear as NewtonSystemOptions["linear"],
		subdomain: Number(options.subdomain),
		overlap: Number(options.overlap),
		reduction: Number(options.reduction),
		inner: Number(options.inner),
	};
}

/** A whole LU whatever the size. */
export const WHOLE_LU: NewtonSystemOptions = { linear: "lu", subdomain: 1, overlap: 0, reduction: 0, inner: 1 };

/** Of all factors: multiplications and additions, and blocks of 6x6 that are kept. */
export interface FactorSize {
	readonly flops: number;
	readonly blocks: number;
}

export class NewtonSystem implements LinearProblem {
	/** Products with W. */
	products = 0;
	/** Iterations for the last system. */
	iterations = 0;
	readonly isWhole: boolean;
	/** Of the largest share that a rank has: all of it, where it is whole. */
	readonly size: FactorSize;
	readonly #system: System;
	readonly #options: NewtonSystemOptions;
	readonly #factors: Schwarz | WholeFactor;
	readonly #krylov: LinearSolver | undefined;
	readonly #p: Vector;
	readonly #q: Vector;
	readonly #coupling: Vector | undefined;
	readonly #right: Vector;

	/** Collective. `method` is who asks, for its refusals. */
	constructor(system: System, method: string, options: NewtonSystemOptions, symmetry: Symmetry = "none") {
		const { rows, kind } = system.operator;
		if (rows === undefined) {
			const lack = `${method} factors rows of W, and the ${kind} operator has none`;
			throw new InputError(
				system.share.name,
				"operator",
				lack,
				"use operator=assembled, or a method without factors, such as auto",
			);
		}
		this.#system = system;
		this.#options = options;
		const { blocks } = system.share;
		this.isWhole = options.linear === "by-size" ? blocks <= WHOLE_MAX : options.linear === "lu";
		const { size, overlap } = this.isWhole
			? { size: blocks, overlap: 0 }
			: { size: options.subdomain, overlap: options.overlap };
		const symmetric = symmetry !== "none";
		const isHere = this.isWhole && system.share.ranks === 1 && !system.cones.hasRolling;
		this.#factors = isHere
			? new WholeFactor(system, rows, symmetric)
			: schwarzOfRows(system, rows, { size, overlap, symmetric });
		const largest = Float64Array.of(this.#factors.flops, this.#factors.factorBlocks);
		system.reducer.largest(largest);
		this.size = { flops: largest[0]!, blocks: largest[1]! };
		this.#p = system.arena.room(9 * system.blocks);
		this.#q = system.arena.room(9 * system.blocks);
		this.#coupling = system.cones.coupling();
		this.#right = system.room();
		if (!this.isWhole) this.#krylov = krylovOf(system, symmetry, options.inner);
	}

	/** Collective. P and Q are nine numbers by rows for each own block, the coupling (cones.ts) three; false where there are no factors. */
	factor(p: Float64Array, q: Float64Array, shift: number, coupling?: Float64Array): boolean {
		const [ownP, ownQ] = [this.#p.values, this.#q.values];
		for (let i = 0; i < 9 * this.#system.blocks; i += 1) {
			ownP[i] = p[i]!;
			ownQ[i] = q[i]! + shift * p[i]!;
		}
		const ownCoupling = this.#coupling?.values;
		for (let i = 0; ownCoupling !== undefined && i < ownCoupling.length; i += 1) ownCoupling[i] = coupling?.[i] ?? 0;
		return this.#factors.factor(ownP, ownQ, ownCoupling);
	}

	/** Collective. x <- Omega^-1 x; x has room for ghosts. */
	solve(x: Vector): void {
		const krylov = this.#krylov;
		if (krylov === undefined) {
			this.#factors.apply(x, x);
			return;
		}
		const { arena, length } = this.#system;
		const { reduction, inner } = this.#options;
		arena.kernels.copy(x.at, this.#right.at, length);
		const norm = this.#system.norm(this.#right);
		const before = krylov.products;
		this.iterations = krylov.solve(this, this.#right, x, {
			norm,
			target: reduction * norm,
			iterationsMax: inner,
		});
		this.products += krylov.products - before;
	}

	/** y = Omega x. */
	apply(x: Vector, y: Vector): void {
		const { operator, arena, blocks, w, cones } = this.#system;
		operator.apply(x, y);
		arena.kernels.newtonProduct(0, blocks, 0, 0, w.at, this.#p.at, this.#q.at, x.at, y.at);
		cones.addCoupling(1, this.#coupling, x, y);
	}

	precondition(x: Vector, y: Vector): void {
		this.#factors.apply(x, y);
	}
}

function krylovOf(system: System, symmetry: Symmetry, inner: number): LinearSolver {
	if (symmetry === "definite") return new Cg(system);
	if (symmetry === "indefinite") return new Minres(system);
	return new Gmres(system, system.vectors(Math.min(inner, RESTART) + 1));
}
