/**
 * The matrix-free operator of rigid bodies: assembly/bodies.ts has formulas and layout. 15 numbers and two body ids per contact in
 * storage order, 13 numbers per body; a Gauss-Seidel sweep runs in body space and costs a contact its two bodies, not its row of W.
 */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import type { RigidContacts } from "../problem/problem.js";
import type { Layout } from "./layout.js";
import type { Operator, SweepData } from "./operator.js";

const OF_CONTACT = 15;
const OF_BODY = 7;

export class MatrixFreeOperator implements Operator {
	readonly kind = "matrix-free";
	readonly coupling: string;
	readonly bytes: number;
	readonly #arena: Arena;
	readonly #runs: Int32Array;
	readonly #contacts: number;
	readonly #bodies: number;
	/** Contact data, body ids, body data, body velocities. */
	readonly #h: Vector;
	readonly #body: IntVector;
	readonly #m: Vector;
	readonly #v: Vector;
	readonly #scratch: Vector;

	constructor(arena: Arena, rigid: RigidContacts, layout: Layout, scale: Float64Array) {
		const before = arena.bytes;
		this.#arena = arena;
		this.#runs = layout.runs;
		this.#contacts = rigid.body.length / 2;
		this.#bodies = rigid.inverseMass.length;
		const even = 2 * Math.ceil(this.#contacts / 2);
		this.#h = arena.vector(OF_CONTACT * even);
		this.#body = arena.integers(2 * even);
		this.#body.values.fill(this.#bodies);
		// One more than there are: the obstacle, which has no inverse mass.
		this.#m = arena.vector(OF_BODY * (this.#bodies + 1));
		this.#v = arena.vector(6 * (this.#bodies + 1));
		this.#scratch = arena.vector(6);
		for (let at = 0; at < this.#contacts; at += 1) {
			const id = layout.order[at] as number;
			const s = scale[at] as number;
			const first = 2 * OF_CONTACT * (at >> 1) + (at & 1);
			for (let i = 0; i < 9; i += 1) this.#h.values[first + 2 * i] = s * (rigid.frame[9 * id + i] as number);
			for (let i = 0; i < 6; i += 1) this.#h.values[first + 18 + 2 * i] = rigid.arm[6 * id + i] as number;
			for (let side = 0; side < 2; side += 1) {
				const body = rigid.body[2 * id + side] as number;
				if (body >= 0) this.#body.values[2 * at + side] = body;
			}
		}
		for (let b = 0; b < this.#bodies; b += 1) {
			this.#m.values[OF_BODY * b] = rigid.inverseMass[b] as number;
			this.#m.values.set(rigid.inverseInertia.subarray(6 * b, 6 * b + 6), OF_BODY * b + 1);
		}
		this.bytes = arena.bytes - before;
		this.coupling = `${this.#bodies} bodies`;
	}

	/** Body velocities v = M^-1 H^T x. */
	#gather(x: Vector): void {
		const { kernels } = this.#arena;
		kernels.bodyVelocities(this.#contacts, this.#bodies, this.#h.at, this.#body.at, this.#m.at, x.at, this.#v.at);
	}

	apply(x: Vector, y: Vector): void {
		this.#gather(x);
		this.#arena.kernels.contactVelocities(this.#contacts, this.#h.at, this.#body.at, this.#v.at, y.at);
	}

	sweep(data: SweepData, r: Vector, backward: boolean, relax: number): void {
		this.#gather(r);
		const { kernels } = this.#arena;
		const runs = this.#runs.length / 2;
		for (let i = 0; i < runs; i += 1) {
			const run = backward ? runs - 1 - i : i;
			kernels.rigidSweep(
				this.#runs[2 * run] as number,
				this.#runs[2 * run + 1] as number,
				backward ? 1 : 0,
				this.#contacts,
				this.#h.at,
				this.#body.at,
				this.#bodies,
				this.#m.at,
				this.#v.at,
				relax,
				data.q.at,
				data.w.at,
				data.mu.at,
				r.at,
				this.#scratch.at,
			);
		}
	}

	triangle(p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		kernels.fill(z.at, 0, z.values.length);
		kernels.fill(this.#v.at, 0, this.#v.values.length);
		for (let run = 0; run < this.#runs.length / 2; run += 1) {
			kernels.rigidTriangle(
				this.#runs[2 * run] as number,
				this.#runs[2 * run + 1] as number,
				this.#h.at,
				this.#body.at,
				this.#m.at,
				this.#v.at,
				p.at,
				x.at,
				c.at,
				z.at,
				this.#scratch.at,
			);
		}
	}
}
