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

/** The diagonal blocks W_aa, nine numbers each, in id order: sum over the bodies of F (1/m) F^T + L I^-1 L^T, L = arm x F. */
export function rigidDiagonal(rigid: RigidContacts): Float64Array {
	const contacts = rigid.body.length / 2;
	const diagonal = new Float64Array(9 * contacts);
	const lever = new Float64Array(9);
	for (let a = 0; a < contacts; a += 1) {
		for (let side = 0; side < 2; side += 1) {
			const body = rigid.body[2 * a + side] as number;
			if (body < 0) continue;
			writeLevers(rigid, a, side, lever);
			addSide(diagonal, 9 * a, rigid, a, body, lever);
		}
	}
	return diagonal;
}

/** Rows arm x N, arm x T1, arm x T2. */
function writeLevers(rigid: RigidContacts, a: number, side: number, lever: Float64Array): void {
	const [a0 = 0, a1 = 0, a2 = 0] = rigid.arm.subarray(6 * a + 3 * side, 6 * a + 3 * side + 3);
	for (let i = 0; i < 3; i += 1) {
		const [f0 = 0, f1 = 0, f2 = 0] = rigid.frame.subarray(9 * a + 3 * i, 9 * a + 3 * i + 3);
		lever[3 * i] = a1 * f2 - a2 * f1;
		lever[3 * i + 1] = a2 * f0 - a0 * f2;
		lever[3 * i + 2] = a0 * f1 - a1 * f0;
	}
}

function addSide(
	diagonal: Float64Array,
	at: number,
	rigid: RigidContacts,
	a: number,
	body: number,
	lever: Float64Array,
): void {
	const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = rigid.inverseInertia.subarray(6 * body, 6 * body + 6);
	const mass = rigid.inverseMass[body] as number;
	for (let j = 0; j < 3; j += 1) {
		const [l0 = 0, l1 = 0, l2 = 0] = lever.subarray(3 * j, 3 * j + 3);
		const [f0 = 0, f1 = 0, f2 = 0] = rigid.frame.subarray(9 * a + 3 * j, 9 * a + 3 * j + 3);
		const s0 = xx * l0 + xy * l1 + xz * l2;
		const s1 = xy * l0 + yy * l1 + yz * l2;
		const s2 = xz * l0 + yz * l1 + zz * l2;
		for (let i = 0; i < 3; i += 1) {
			const [g0 = 0, g1 = 0, g2 = 0] = rigid.frame.subarray(9 * a + 3 * i, 9 * a + 3 * i + 3);
			const [k0 = 0, k1 = 0, k2 = 0] = lever.subarray(3 * i, 3 * i + 3);
			const moved = mass * (g0 * f0 + g1 * f1 + g2 * f2) + (k0 * s0 + k1 * s1 + k2 * s2);
			diagonal[at + 3 * i + j] = (diagonal[at + 3 * i + j] as number) + moved;
		}
	}
}

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
