/**
 * P W + Q of rigid bodies, W = H M^-1 H^T, solved in the space of bodies, where a body has six unknowns and not three for each of its contacts:
 *
 *     dR = Q^-1 (b - P H dV),  (M + H^T G H) dV = H^T Q^-1 b,  G_a = Q_a^-1 P_a
 *
 * so that Q needs an inverse, which a proximal point gives it. Rows are multiplied by M^-1: a body that cannot move has a row of the identity.
 */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { BlockLu } from "./block-lu.js";

/** Contacts and bodies as the kernels of rigid bodies have them (assembly/bodies.ts); a contact of no body has the last one, an obstacle. */
export interface StoredBodies {
	readonly contacts: number;
	readonly bodies: number;
	readonly h: Vector;
	readonly body: IntVector;
	readonly m: Vector;
}

/** The contacts of a rank, and what others have at the bodies of its own, by place: their two bodies, the last one for any that nobody shares. */
export interface StoredOfRank extends StoredBodies {
	readonly sharedPlace: Int32Array;
	readonly sharedBody: IntVector;
}

/** Numbers of a contact: its three rows of H at either body. */
const ROWS = 36;

export class BodyMatrix {
	readonly #contacts: number;
	readonly #bodies: number;
	readonly #lu: BlockLu;
	readonly #start: Int32Array;
	/** Three rows of six for the first body of each contact, then for the second; its bodies, -1 for an obstacle. */
	readonly #h: Float64Array;
	readonly #body: Int32Array;
	/** Six by six for each body, by rows. */
	readonly #inverseMass: Float64Array;
	/** Where the blocks of a contact begin: both of its bodies with both. */
	readonly #target: Int32Array;
	readonly #diagonal: Int32Array;
	readonly #inverse: Float64Array;
	readonly #g: Float64Array;
	readonly #sums: Float64Array;
	readonly #v: Float64Array;
	readonly #half = new Float64Array(18);

	constructor(arena: Arena, stored: StoredBodies) {
		const { contacts, bodies } = stored;
		this.#contacts = contacts;
		this.#bodies = bodies;
		this.#h = rowsOf(stored);
		this.#body = Int32Array.from({ length: 2 * contacts }, (_, k) =>
			stored.body.values[k]! < bodies ? stored.body.values[k]! : -1,
		);
		this.#inverseMass = inverseMassOf(stored);
		const { start, column, at } = patternOf(this.#body, bodies);
		this.#start = start;
		this.#lu = new BlockLu(arena, bodies, start, column);
		this.#target = at.map((k) => (k < 0 ? -1 : 36 * this.#lu.slot[k]!));
		this.#diagonal = Int32Array.from({ length: bodies }, (_, b) => 36 * this.#lu.slot[start[b]!]!);
		this.#inverse = new Float64Array(9 * contacts);
		this.#g = new Float64Array(9 * contacts);
		this.#sums = new Float64Array(6 * bodies);
		this.#v = new Float64Array(6 * bodies);
	}

	get factorBlocks(): number {
		return this.#lu.factorBlocks;
	}

	get flops(): number {
		return this.#lu.flops;
	}

	/** Forms and factors the matrix of P and Q, nine numbers by rows for each contact; false where that is not possible. */
	factor(p: Float64Array, q: Float64Array): boolean {
		const a = this.#lu.a.values;
		a.fill(0);
		for (let c = 0; c < this.#contacts; c += 1) {
			invert(q, this.#inverse, 9 * c);
			multiply(this.#inverse, p, this.#g, 9 * c);
			for (let side = 0; side < 2; side += 1) this.#addContact(a, c, side);
		}
		this.#multiplyByInverseMass(a);
		for (let b = 0; b < this.#bodies; b += 1) for (let k = 0; k < 6; k += 1) a[this.#diagonal[b]! + 7 * k]! += 1;
		return this.#lu.factor();
	}

	/** Adds H_s^T G H of a contact for one side s and both others; blocks by columns. */
	#addContact(a: Float64Array, c: number, side: number): void {
		const h = this.#h;
		const half = this.#half;
		if (this.#body[2 * c + side]! < 0) return;
		// G H_side, three rows of six: the column of blocks.
		for (let i = 0; i < 3; i += 1) {
			for (let j = 0; j < 6; j += 1) {
				let sum = 0;
				for (let k = 0; k < 3; k += 1) sum += this.#g[9 * c + 3 * i + k]! * h[ROWS * c + 18 * side + 6 * k + j]!;
				half[6 * i + j] = sum;
			}
		}
		for (let other = 0; other < 2; other += 1) {
			const to = this.#target[4 * c + 2 * other + side]!;
			if (to < 0) continue;
			const from = ROWS * c + 18 * other;
			for (let j = 0; j < 6; j += 1) {
				for (let i = 0; i < 6; i += 1) {
					a[to + 6 * j + i]! +=
						h[from + i]! * half[j]! + h[from + 6 + i]! * half[6 + j]! + h[from + 12 + i]! * half[12 + j]!;
				}
			}
		}
	}

	#multiplyByInverseMass(a: Float64Array): void {
		const { slot } = this.#lu;
		const start = this.#start;
		for (let b = 0; b < this.#bodies; b += 1) {
			for (let k = start[b]!; k < start[b + 1]!; k += 1) {
				for (let j = 0; j < 6; j += 1) timesInverseMass(this.#inverseMass, b, a, 36 * slot[k]! + 6 * j);
			}
		}
	}

	/** x <- (P W + Q)^-1 x, three numbers per contact. */
	solve(x: Float64Array): void {
		const [h, sums, v] = [this.#h, this.#sums, this.#v];
		sums.fill(0);
		for (let c = 0; c < this.#contacts; c += 1) {
			const [x0, x1, x2] = [x[3 * c]!, x[3 * c + 1]!, x[3 * c + 2]!];
			for (let i = 0, k = 9 * c; i < 3; i += 1, k += 3) {
				const value = this.#inverse[k]! * x0 + this.#inverse[k + 1]! * x1 + this.#inverse[k + 2]! * x2;
				x[3 * c + i] = value;
				for (let side = 0; side < 2; side += 1) {
					const b = this.#body[2 * c + side]!;
					for (let j = 0; j < 6 && b >= 0; j += 1) sums[6 * b + j]! += h[ROWS * c + 18 * side + 6 * i + j]! * value;
				}
			}
		}
		v.set(sums);
		for (let b = 0; b < this.#bodies; b += 1) timesInverseMass(this.#inverseMass, b, v, 6 * b);
		this.#lu.solve(v);
		for (let c = 0; c < this.#contacts; c += 1) {
			let [u0, u1, u2] = [0, 0, 0];
			for (let side = 0; side < 2; side += 1) {
				const b = this.#body[2 * c + side]!;
				const from = ROWS * c + 18 * side;
				for (let j = 0; j < 6 && b >= 0; j += 1) {
					u0 += h[from + j]! * v[6 * b + j]!;
					u1 += h[from + 6 + j]! * v[6 * b + j]!;
					u2 += h[from + 12 + j]! * v[6 * b + j]!;
				}
			}
			for (let i = 0, k = 9 * c; i < 3; i += 1, k += 3) {
				x[3 * c + i]! -= this.#g[k]! * u0 + this.#g[k + 1]! * u1 + this.#g[k + 2]! * u2;
			}
		}
	}
}

/** The rows of H: a body's velocity (v, w) moves a contact by frame (v + w x arm), against it at the first body. */
function rowsOf({ contacts, h }: StoredBodies): Float64Array {
	const rows = new Float64Array(ROWS * contacts);
	for (let c = 0; c < contacts; c += 1) {
		const of = (k: number) => h.values[30 * (c >> 1) + 2 * k + (c & 1)]!;
		for (let side = 0; side < 2; side += 1) {
			const sign = side === 1 ? 1 : -1;
			const [a0, a1, a2] = [of(9 + 3 * side), of(10 + 3 * side), of(11 + 3 * side)];
			for (let i = 0; i < 3; i += 1) {
				const [n0, n1, n2] = [sign * of(3 * i), sign * of(3 * i + 1), sign * of(3 * i + 2)];
				rows.set([n0, n1, n2, a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0], ROWS * c + 18 * side + 6 * i);
			}
		}
	}
	return rows;
}

/** 1 / mass, and the inverse inertia by rows. */
function inverseMassOf({ bodies, m }: StoredBodies): Float64Array {
	const inverse = new Float64Array(10 * bodies);
	for (let b = 0; b < bodies; b += 1) {
		const [mass, xx, yy, zz, xy, xz, yz] = m.values.subarray(7 * b, 7 * b + 7);
		inverse.set([mass!, xx!, xy!, xz!, xy!, yy!, yz!, xz!, yz!, zz!], 10 * b);
	}
	return inverse;
}

/** Six numbers at `at` <- M_b^-1 times them. */
function timesInverseMass(inverse: Float64Array, b: number, x: Float64Array, at: number): void {
	const m = inverse[10 * b]!;
	for (let i = at; i < at + 3; i += 1) x[i]! *= m;
	const [x0, x1, x2] = [x[at + 3]!, x[at + 4]!, x[at + 5]!];
	for (let i = 0, k = 10 * b + 1; i < 3; i += 1, k += 3) {
		x[at + 3 + i] = inverse[k]! * x0 + inverse[k + 1]! * x1 + inverse[k + 2]! * x2;
	}
}

/** Which bodies touch, a body itself first in its row; where the blocks (first or second body, first or second body) of each contact are, -1 for none. */
function patternOf(body: Int32Array, bodies: number): { start: Int32Array; column: Int32Array; at: Int32Array } {
	const neighbours: Map<number, number>[] = Array.from({ length: bodies }, (_, b) => new Map([[b, 0]]));
	const touch = (one: number, other: number) => {
		const known = neighbours[one]!;
		if (!known.has(other)) known.set(other, known.size);
	};
	for (let k = 0; k < body.length; k += 2) {
		const [one, other] = [body[k]!, body[k + 1]!];
		if (one < 0 || other < 0) continue;
		touch(one, other);
		touch(other, one);
	}
	const start = new Int32Array(bodies + 1);
	for (let b = 0; b < bodies; b += 1) start[b + 1] = start[b]! + neighbours[b]!.size;
	const column = Int32Array.from(neighbours.flatMap((known) => [...known.keys()]));
	const at = new Int32Array(2 * body.length).fill(-1);
	for (let k = 0; k < at.length; k += 1) {
		const [row, to] = [body[2 * (k >> 2) + ((k >> 1) & 1)]!, body[2 * (k >> 2) + (k & 1)]!];
		if (row >= 0 && to >= 0) at[k] = start[row]! + neighbours[row]!.get(to)!;
	}
	return { start, column, at };
}

/** The inverse of a 3x3 block, at the same place of b. */
function invert(a: Float64Array, b: Float64Array, at: number): void {
	const [a00, a01, a02, a10, a11, a12, a20, a21, a22] = a.subarray(at, at + 9) as unknown as number[];
	const c00 = a11! * a22! - a12! * a21!;
	const c10 = a12! * a20! - a10! * a22!;
	const c20 = a10! * a21! - a11! * a20!;
	const inverse = 1 / (a00! * c00 + a01! * c10 + a02! * c20);
	b[at] = inverse * c00;
	b[at + 1] = inverse * (a02! * a21! - a01! * a22!);
	b[at + 2] = inverse * (a01! * a12! - a02! * a11!);
	b[at + 3] = inverse * c10;
	b[at + 4] = inverse * (a00! * a22! - a02! * a20!);
	b[at + 5] = inverse * (a02! * a10! - a00! * a12!);
	b[at + 6] = inverse * c20;
	b[at + 7] = inverse * (a01! * a20! - a00! * a21!);
	b[at + 8] = inverse * (a00! * a11! - a01! * a10!);
}

/** c = a b of 3x3 blocks at the same place. */
function multiply(a: Float64Array, b: Float64Array, c: Float64Array, at: number): void {
	for (let i = 0; i < 9; i += 3) {
		for (let j = 0; j < 3; j += 1) {
			c[at + i + j] = a[at + i]! * b[at + j]! + a[at + i + 1]! * b[at + 3 + j]! + a[at + i + 2]! * b[at + 6 + j]!;
		}
	}
}
