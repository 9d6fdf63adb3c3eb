/**
 * Rows of W = H A^-1 H^T for bodies of any kind. A velocity of the point at arm a is v + w x a of a rigid body and v + F' X of a pseudo-rigid one, with
 * X = F^-1 a; so two contacts that share a body have the block
 *
 *     W_ab = +- frame_a D frame_b^T,   D = 1 / m + [a]^T (inertia^-1 [b])   or   1 / m + X_a . (inverse of the rates' masses X_b),
 *
 * with + where the body is on the same side of both. What stands in brackets is made once per contact and side. A moment has the identity in place of
 * [a], and does not move the centre (angular.ts has what it is for pseudo-rigid bodies).
 */
import type { BlockMatrix } from "@stickslip/core";
import { grown } from "../base/grow.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { InverseMasses } from "../bodies/generalized.js";
import { addCouple, halfCurl, writeInverseMap } from "./angular.js";
import { BodyContacts, moves } from "./body-contacts.js";
import type { Contacts } from "./contacts.js";
import { materialPoint } from "./material-point.js";

/** Which of the contacts get rows, and what all are called: both ascend. */
export interface RowNumbers {
	readonly rows: Int32Array;
	/** By contact. */
	readonly number: Int32Array;
}

/** Numbers per side: X or the arm, and 9 x 3 (3 x 3 of rigid bodies) that turn a force at the contact into rates. */
const SIDE = 30;

export class RowAssembly {
	readonly #bodyContacts = new BodyContacts();
	#side = new Float64Array(0);
	#rowStart = new Int32Array(0);
	#column = new Int32Array(0);
	#values = new Float64Array(0);
	readonly #block = new Float64Array(9);

	/**
	 * Rows with ascending columns, of all contacts or of those that `numbers` names; all contacts of the bodies that these touch have to be there. The
	 * arrays are used again by the next call.
	 */
	assemble(bodies: Bodies, contacts: Contacts, masses: InverseMasses, numbers?: RowNumbers): BlockMatrix {
		this.#bodyContacts.fill(bodies, contacts);
		this.#fillSides(bodies, contacts, masses);
		const rows = numbers?.rows.length ?? contacts.count;
		this.#rowStart = grown(this.#rowStart, rows + 1);
		this.#rowStart[0] = 0;
		let used = 0;
		for (let row = 0; row < rows; row += 1) {
			used = this.#addRow(bodies, contacts, masses, numbers?.rows[row] ?? row, used, numbers?.number);
			this.#rowStart[row + 1] = used;
		}
		return {
			rows,
			rowStart: this.#rowStart.subarray(0, rows + 1),
			column: this.#column.subarray(0, used),
			values: this.#values.subarray(0, 9 * used),
		};
	}

	#fillSides(bodies: Bodies, { count, body, arm, isMoment }: Contacts, masses: InverseMasses): void {
		this.#side = grown(this.#side, 2 * SIDE * count);
		for (let k = 0; k < 2 * count; k += 1) {
			const place = body[k]!;
			if (!moves(bodies, place)) continue;
			if (isMoment[k >> 1] === 1) writeTurns(bodies, masses, place, this.#side, SIDE * k);
			else if (bodies.kind[place] === KIND.pseudoRigid) {
				materialPoint(bodies.map, 9 * place, arm, 3 * k, point);
				this.#side.set(point, SIDE * k);
				writeRates(masses.rate, 81 * place, this.#side, SIDE * k);
			} else {
				for (let d = 0; d < 3; d += 1) this.#side[SIDE * k + d] = arm[3 * k + d]!;
				writeSpins(masses.inertia, 6 * place, this.#side, SIDE * k);
			}
		}
	}

	/** Appends the blocks of contact a: the contacts of its two bodies, merged. Returns how many blocks there are then. */
	#addRow(
		bodies: Bodies,
		contacts: Contacts,
		masses: InverseMasses,
		a: number,
		from: number,
		number: Int32Array | undefined,
	): number {
		const { start, side } = this.#bodyContacts;
		const { body, frame } = contacts;
		const one = body[2 * a]!;
		const other = body[2 * a + 1]!;
		let i = start[one]!;
		let j = start[other]!;
		const endI = start[one + 1]!;
		const endJ = start[other + 1]!;
		let at = from;
		this.#reserve(at + endI - i + endJ - j);
		while (i < endI || j < endJ) {
			const contactI = i < endI ? side[i]! >> 1 : contacts.count;
			const contactJ = j < endJ ? side[j]! >> 1 : contacts.count;
			const b = Math.min(contactI, contactJ);
			this.#block.fill(0);
			if (contactI === b) {
				this.#couple(bodies, contacts, masses, one, 2 * a, side[i]!);
				i += 1;
			}
			if (contactJ === b) {
				this.#couple(bodies, contacts, masses, other, 2 * a + 1, side[j]!);
				j += 1;
			}
			this.#column[at] = number === undefined ? b : number[b]!;
			turn(frame, 9 * a, this.#block, frame, 9 * b, this.#values, 9 * at);
			at += 1;
		}
		return at;
	}

	#reserve(blocks: number): void {
		if (this.#column.length >= blocks) return;
		this.#column = grown(this.#column, blocks);
		this.#values = grown(this.#values, 9 * this.#column.length);
	}

	/** Adds +-D of the body at a place, which two sides of contacts share. */
	#couple(
		bodies: Bodies,
		{ isMoment }: Contacts,
		masses: InverseMasses,
		place: number,
		one: number,
		other: number,
	): void {
		const block = this.#block;
		const values = this.#side;
		const sign = (one & 1) === (other & 1) ? 1 : -1;
		if (isMoment[one >> 1] === 1) {
			addTurns(bodies, place, sign, values, SIDE * other + 3, block);
			return;
		}
		const p = SIDE * one;
		const x = sign * values[p]!;
		const y = sign * values[p + 1]!;
		const z = sign * values[p + 2]!;
		const g = SIDE * other + 3;
		const mass = sign * masses.mass[place]!;
		if (bodies.kind[place] === KIND.pseudoRigid) {
			for (let d = 0; d < 3; d += 1) {
				for (let k = 0; k < 3; k += 1) {
					const r = g + 9 * d + k;
					block[3 * d + k]! += x * values[r]! + y * values[r + 3]! + z * values[r + 6]!;
				}
			}
		} else {
			// A column of D is spin x arm.
			for (let k = 0; k < 3; k += 1) {
				const sx = values[g + k]!;
				const sy = values[g + 3 + k]!;
				const sz = values[g + 6 + k]!;
				block[k]! += sy * z - sz * y;
				block[3 + k]! += sz * x - sx * z;
				block[6 + k]! += sx * y - sy * x;
			}
		}
		if (isMoment[other >> 1] === 1) return;
		block[0]! += mass;
		block[4]! += mass;
		block[8]! += mass;
	}
}

const point = new Float64Array(3);

/** inertia^-1 [b]: spins by forces at b, the arm at `at`; written behind it. */
function writeSpins(inertia: Float64Array, m: number, side: Float64Array, at: number): void {
	const x = side[at]!;
	const y = side[at + 1]!;
	const z = side[at + 2]!;
	for (let row = 0; row < 3; row += 1) {
		const ix = inertia[m + (row === 0 ? 0 : row + 2)]!;
		const iy = inertia[m + (row === 0 ? 3 : row === 1 ? 1 : 5)]!;
		const iz = inertia[m + (row === 0 ? 4 : row === 1 ? 5 : 2)]!;
		const to = at + 3 + 3 * row;
		side[to] = iy * z - iz * y;
		side[to + 1] = iz * x - ix * z;
		side[to + 2] = ix * y - iy * x;
	}
}

/** Rates by forces at X, which is at `at`; nine rows of three numbers behind it. */
function writeRates(inverse: Float64Array, m: number, side: Float64Array, at: number): void {
	const x = side[at]!;
	const y = side[at + 1]!;
	const z = side[at + 2]!;
	for (let row = 0; row < 9; row += 1) {
		for (let k = 0; k < 3; k += 1) {
			const from = m + 9 * row + 3 * k;
			side[at + 3 + 3 * row + k] = inverse[from]! * x + inverse[from + 1]! * y + inverse[from + 2]! * z;
		}
	}
}

/** What moments about x, y and z do to a body: spins, or rates; written where those by forces stand. */
function writeTurns(
	bodies: Bodies,
	{ inertia, rate }: InverseMasses,
	place: number,
	side: Float64Array,
	at: number,
): void {
	if (bodies.kind[place] !== KIND.pseudoRigid) {
		for (let k = 0; k < 9; k += 1) side[at + 3 + k] = inertia[6 * place + SYMMETRIC[k]!]!;
		return;
	}
	writeInverseMap(bodies, place, inverse);
	for (let k = 0; k < 3; k += 1) {
		couple.fill(0);
		addCouple(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, inverse, couple, 0);
		for (let row = 0; row < 9; row += 1) {
			let sum = 0;
			for (let l = 0; l < 9; l += 1) sum += rate[81 * place + 9 * row + l]! * couple[l]!;
			side[at + 3 + 3 * row + k] = sum;
		}
	}
}

/** Adds how fast a body turns by what a side of a contact does to it, of which three columns stand at `from`. */
function addTurns(
	bodies: Bodies,
	place: number,
	sign: number,
	side: Float64Array,
	from: number,
	block: Float64Array,
): void {
	const isDeformed = bodies.kind[place] === KIND.pseudoRigid;
	if (isDeformed) writeInverseMap(bodies, place, inverse);
	for (let k = 0; k < 3; k += 1) {
		if (isDeformed) halfCurl(side, from + k, 3, inverse, turning);
		for (let d = 0; d < 3; d += 1) block[3 * d + k]! += sign * (isDeformed ? turning[d]! : side[from + 3 * d + k]!);
	}
}

/** Where the nine numbers of a symmetric matrix are among xx, yy, zz, xy, xz, yz. */
const SYMMETRIC = [0, 3, 4, 3, 1, 5, 4, 5, 2] as const;
const inverse = new Float64Array(9);
const couple = new Float64Array(9);
const turning = new Float64Array(3);

/** one D other^T of two frames, whose rows are N, T1 and T2. */
function turn(
	one: Float64Array,
	a: number,
	D: Float64Array,
	other: Float64Array,
	b: number,
	block: Float64Array,
	at: number,
): void {
	for (let i = 0; i < 3; i += 1) {
		const x = one[a + 3 * i]!;
		const y = one[a + 3 * i + 1]!;
		const z = one[a + 3 * i + 2]!;
		const dx = x * D[0]! + y * D[3]! + z * D[6]!;
		const dy = x * D[1]! + y * D[4]! + z * D[7]!;
		const dz = x * D[2]! + y * D[5]! + z * D[8]!;
		for (let k = 0; k < 3; k += 1) {
			const c = b + 3 * k;
			block[at + 3 * i + k] = dx * other[c]! + dy * other[c + 1]! + dz * other[c + 2]!;
		}
	}
}
