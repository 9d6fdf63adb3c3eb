/**
 * Newton on the active contacts: full steps on the natural map of the scaled system, whose blocks W_aa have norm 1, by a sparse LU.
 *
 *     a)  U = W Z + q,  C = Z - P(Z - F(U)),  grad C = X W + Y              (C, X and Y of Koziara 2017, eqs. 41 to 50, with omega next to nothing)
 *     b)  (X (W + alpha I) + Y) dZ = C,  alpha = shift min(1, |C| / |C_0|)
 *     c)  Z = Z - dZ;  R = proj_K(Z)
 *
 * X is zero where a contact is open, and Y the identity there: what is left to solve is W of the contacts that touch. No line search: near a solution
 * the full step is right even where it makes the error larger for once, and steps that descend only get stuck where contacts change their state. Z
 * leaves the cone on the way: to project it there costs the convergence (decision 0041).
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import type { Measurement, Method, MethodState } from "./method.js";
import type { LinearSystem } from "./proximal-newton.js";

/** alpha of the first step. */
const SHIFT = 1e-3;

export class ActiveNewton implements Method {
	readonly name = "newton";
	exhausted = false;
	readonly remedies: readonly string[] = [];
	readonly velocityFresh = true;
	error = Number.POSITIVE_INFINITY;
	measured: Measurement | undefined;
	products = 0;
	readonly #system: System;
	readonly #linear: LinearSystem;
	readonly #omega: number;
	readonly #z: Vector;
	/** C, and what is left of it in a step. */
	readonly #c: Vector;
	readonly #dZ: Vector;
	readonly #x: Vector;
	readonly #y: Vector;
	/** |C| and |C_0|. */
	#norm = 0;
	#first = 0;

	constructor(system: System, linear: LinearSystem, omega: number) {
		this.#system = system;
		this.#linear = linear;
		this.#omega = omega;
		this.#z = system.operand();
		this.#dZ = system.operand();
		this.#c = system.room();
		this.#x = system.arena.room(9 * system.blocks);
		this.#y = system.arena.room(9 * system.blocks);
	}

	start(): void {
		this.exhausted = false;
		this.#copy(this.#system.r, this.#z);
		this.#refresh();
		this.#first = this.#norm;
	}

	get state(): MethodState {
		return { scalars: { name: this.name, first: this.#first }, vectors: { z: this.#z } };
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		this.#first = from.number("first");
		vectors.vector("z", 3, this.#z.values);
		this.exhausted = false;
		this.#refresh();
	}

	iterate(): void {
		const { arena, length } = this.#system;
		const share = this.#first > 0 ? Math.min(1, this.#norm / this.#first) : 0;
		if (!this.#linear.factor(this.#x.values, this.#y.values, SHIFT * share)) {
			this.exhausted = true;
			return;
		}
		this.#copy(this.#c, this.#dZ);
		const before = this.#linear.products;
		this.#linear.solve(this.#dZ); // b
		this.products += this.#linear.products - before;
		arena.kernels.axpby(-1, this.#dZ.at, 1, this.#z.at, length); // c
		this.#refresh();
		this.products += 2;
	}

	/** a) at Z, and the measure of R with the U that belongs to it. */
	#refresh(): void {
		const { cones, r, u, measures } = this.#system;
		this.#system.velocity(this.#z, u);
		cones.linearise(this.#omega, this.#z, u, this.#c, this.#x, this.#y);
		this.#copy(this.#z, r);
		this.#system.project(r);
		this.#system.velocity(r, u);
		const { value, norm } = measures.measureAndNorm("energy", r, u, this.#c);
		this.measured = { name: "energy", value };
		this.error = value;
		this.#norm = norm;
	}

	#copy(from: Vector, to: Vector): void {
		this.#system.arena.kernels.copy(from.at, to.at, this.#system.length);
	}
}
