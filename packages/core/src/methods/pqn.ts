/**
 * Projected quasi-Newton, Koziara 2017, algorithm 1, on the system it is given (scaled or in the problem's own units):
 *
 *     a)  U = W R + B                                      refreshed at the end of the iteration before
 *     b)  C_omega, A = grad C_omega + delta I              eqs. 41-52;  grad C = X W + Y
 *     c)  dR = A^-1 C by GMRES(epsilon |C|, m)             right-preconditioned
 *     d)  R = proj_K(R - dR)
 *
 * Differs from algorithm 1 where `damping` is not zero: delta I is then d D, D the diagonal blocks of grad C, with
 * d = max(1e-6, damping min(1, E)) in the energy measure E, so that regularisation fades as the error does. And where `triangle`
 * is set GMRES is preconditioned by the block lower triangle of A in sweep order instead of its diagonal blocks.
 */
import type { Vector } from "../kernels/arena.js";
import type { MeasureName } from "../measures/measures.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import { badState } from "../state/state.js";
import type { System } from "../system/system.js";
import type { Gmres } from "./gmres.js";
import type { Measurement, Method, MethodState } from "./method.js";

const DAMPING_MIN = 1e-6;

export interface PqnSettings {
	/** Absolute delta of eq. 52. */
	readonly delta: number;
	/** kappa in d = kappa min(1, E); 0 for the paper's delta alone. */
	readonly damping: number;
	readonly epsilon: number;
	/** Most inner iterations. */
	readonly m: number;
	/** Smoothing, in the units of the system. */
	readonly omega: number;
	readonly triangle: boolean;
	/** Start GMRES from the last increment, as Koziara's own program does; from zero otherwise. */
	readonly keepIncrement: boolean;
	/** The measure that is taken with every U. Damping and a relay need the energy error; the published form takes what the run asks for. */
	readonly measure: MeasureName;
}

/** Vectors taken from the pool, besides GMRES' basis: C. */
export const PQN_VECTORS = 1;

export class Pqn implements Method {
	readonly name = "pqn";
	readonly exhausted = false;
	readonly remedies: readonly string[] = [];
	velocityFresh = false;
	error = Number.POSITIVE_INFINITY;
	measured: Measurement | undefined;
	settings: PqnSettings;
	readonly #system: System;
	readonly #gmres: Gmres;
	readonly #c: Vector;
	readonly #dR: Vector;
	readonly #x: Vector;
	readonly #y: Vector;
	readonly #coupling: Vector | undefined;
	readonly #p: Vector;
	#delta = 0;
	#d = 0;
	/** |C|, taken with the measure. */
	#norm = 0;

	constructor(system: System, settings: PqnSettings, gmres: Gmres, pool: readonly Vector[]) {
		this.#system = system;
		this.settings = settings;
		this.#gmres = gmres;
		this.#c = pool[0]!;
		this.#dR = system.operand();
		this.#x = system.arena.room(9 * system.blocks);
		this.#y = system.arena.room(9 * system.blocks);
		this.#coupling = system.cones.coupling();
		this.#p = system.arena.room(9 * system.blocks);
	}

	get products(): number {
		return this.#gmres.products;
	}

	start(): void {
		this.#dR.values.fill(0);
		this.#refresh();
	}

	/** C, X and Y follow from R; the increment counts only where GMRES starts from it. */
	get state(): MethodState {
		const { keepIncrement } = this.settings;
		return { scalars: { name: this.name, keepIncrement }, vectors: keepIncrement ? { dR: this.#dR } : {} };
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		const { keepIncrement } = this.settings;
		if (from.flag("keepIncrement") !== keepIncrement) throw badState("keepIncrement", `is not ${keepIncrement}`);
		this.#dR.values.fill(0);
		if (keepIncrement) vectors.vector("dR", 3, this.#dR.values);
		this.#refresh();
	}

	iterate(): void {
		const system = this.#system;
		const { settings } = this;
		const norm = this.#norm; // |C|
		this.#regularise(); // b
		this.#gmres.solve(this, this.#c, this.#dR, {
			norm,
			target: settings.epsilon * norm,
			iterationsMax: settings.m,
			startGiven: settings.keepIncrement,
		}); // c
		system.addProjected(-1, this.#dR, system.r); // d
		this.#refresh(); // a
	}

	/** a) U = W R + B, C, X and Y at it. */
	#refresh(): void {
		const system = this.#system;
		const { cones, r, u, measures } = system;
		system.velocity(r, u);
		this.velocityFresh = true;
		cones.linearise(this.settings.omega, r, u, this.#c, this.#x, this.#y, this.#coupling);
		const { measure } = this.settings;
		const { value, norm } = measures.measureAndNorm(measure, r, u, this.#c);
		this.measured = { name: measure, value };
		if (measure === "energy") this.error = value;
		this.#norm = norm;
	}

	/** b) The inverted diagonal blocks of A. */
	#regularise(): void {
		const { arena, blocks, w } = this.#system;
		const { delta, damping } = this.settings;
		this.#delta = delta;
		this.#d = damping > 0 ? Math.max(DAMPING_MIN, damping * Math.min(1, this.error)) : 0;
		arena.kernels.invertDiagonal(0, blocks, this.#delta, this.#d, w.at, this.#x.at, this.#y.at, this.#p.at);
	}

	/** y = A x. */
	apply(x: Vector, y: Vector): void {
		const { operator, arena, blocks, w, cones } = this.#system;
		operator.apply(x, y);
		arena.kernels.newtonProduct(0, blocks, this.#delta, this.#d, w.at, this.#x.at, this.#y.at, x.at, y.at);
		cones.addCoupling(1, this.#coupling, x, y);
	}

	/** y = P x. */
	precondition(x: Vector, y: Vector): void {
		const { operator, arena, blocks } = this.#system;
		if (this.settings.triangle && operator.triangle) operator.triangle(this.#p, this.#x, x, y);
		else arena.kernels.blockProduct(0, blocks, this.#p.at, x.at, y.at);
	}
}
