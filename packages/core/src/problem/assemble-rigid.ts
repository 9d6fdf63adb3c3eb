/**
 * W = H^T M^-1 H of rigid bodies, block by block: W_ab is the sum, over the bodies B that contacts a and b share (lower id
 * first), of s_a s_b (frame_a frame_b^T / m + (arm_a x frame_a) I^-1 (arm_b x frame_b)^T), where s is +1 for body 1 of a
 * contact and -1 for body 0. Rows have their columns in ascending order. The work is proportional to the number of blocks.
 *
 * Every entry is written as an expression that keeps its bits when a and b are exchanged, so W is symmetric to the bit,
 * and each block depends on its two contacts and their bodies alone.
 */
import { assert, InputError } from "../errors.js";
import type { BlockMatrix, RigidContacts } from "./problem.js";

/** The contacts of each body in ascending order: those of body i are list[start[i]] .. list[start[i + 1] - 1]. */
interface Incidence {
	readonly start: Int32Array;
	readonly list: Int32Array;
}

export function assembleRigid(rigid: RigidContacts): BlockMatrix {
	const { body } = rigid;
	const rows = body.length / 2;
	const incidence = contactsOfBodies(rigid);
	const rowStart = new Int32Array(rows + 1);
	let blocks = 0;
	for (let a = 0; a < rows; a += 1) {
		blocks += mergeRow(body, incidence, a, undefined, 0);
		if (blocks >= 2 ** 31) throw tooMany(rows);
		rowStart[a + 1] = blocks;
	}
	const column = new Int32Array(blocks);
	const values = allocate(9 * blocks, rows);
	for (let a = 0; a < rows; a += 1) mergeRow(body, incidence, a, column, rowStart[a]!);
	const lever = new Float64Array(18);
	for (let a = 0; a < rows; a += 1) {
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		for (let side = 0; side < 2; side += 1) writeLevers(lever, 9 * side, rigid, a, side);
		const lowSide = first <= second ? 0 : 1;
		for (let at = rowStart[a]!; at < rowStart[a + 1]!; at += 1) {
			const b = column[at]!;
			for (let turn = 0; turn < 2; turn += 1) {
				const side = turn === 0 ? lowSide : 1 - lowSide;
				const id = side === 0 ? first : second;
				if (id < 0) continue;
				if (body[2 * b] === id) addBlock(values, 9 * at, rigid, id, a, side, lever, b, 0);
				else if (body[2 * b + 1] === id) addBlock(values, 9 * at, rigid, id, a, side, lever, b, 1);
			}
		}
	}
	return { rows, rowStart, column, values };
}

/** The diagonal blocks of W alone, nine values each, with the bits that they have in W: what a product without W needs of it. */
export function rigidDiagonal(rigid: RigidContacts): Float64Array {
	const { body } = rigid;
	const contacts = body.length / 2;
	const diagonal = new Float64Array(9 * contacts);
	const lever = new Float64Array(18);
	for (let a = 0; a < contacts; a += 1) {
		const lowSide = body[2 * a]! <= body[2 * a + 1]! ? 0 : 1;
		for (const side of [lowSide, 1 - lowSide]) {
			const id = body[2 * a + side]!;
			if (id < 0) continue;
			writeLevers(lever, 9 * side, rigid, a, side);
			addBlock(diagonal, 9 * a, rigid, id, a, side, lever, a, side);
		}
	}
	return diagonal;
}

function contactsOfBodies({ body, inverseMass }: RigidContacts): Incidence {
	const bodies = inverseMass.length;
	const start = new Int32Array(bodies + 1);
	for (let k = 0; k < body.length; k += 1) {
		const id = body[k]!;
		assert(id >= -1 && id < bodies, "a contact names a body that does not exist");
		assert(k % 2 === 0 || id < 0 || id !== body[k - 1], "a contact of a body with itself");
		if (id >= 0) start[id + 1]! += 1;
	}
	for (let i = 0; i < bodies; i += 1) start[i + 1]! += start[i]!;
	const next = start.slice(0, bodies);
	const list = new Int32Array(start[bodies]!);
	for (let k = 0; k < body.length; k += 1) {
		const id = body[k]!;
		if (id < 0) continue;
		list[next[id]!] = k >> 1;
		next[id]! += 1;
	}
	return { start, list };
}

/** Merges the contacts of both bodies of contact a; writes them from `at` on where there is a column, returns how many. */
function mergeRow(body: Int32Array, by: Incidence, a: number, column: Int32Array | undefined, at: number): number {
	const first = body[2 * a]!;
	const second = body[2 * a + 1]!;
	const { start, list } = by;
	let i = first < 0 ? 0 : start[first]!;
	let j = second < 0 ? 0 : start[second]!;
	const endI = first < 0 ? 0 : start[first + 1]!;
	const endJ = second < 0 ? 0 : start[second + 1]!;
	let count = 0;
	// A contact between two obstacles still has its diagonal block, of zeros: the check of the problem names it.
	if (first < 0 && second < 0) {
		if (column !== undefined) column[at] = a;
		return 1;
	}
	while (i < endI || j < endJ) {
		const left = i < endI ? list[i]! : Infinity;
		const right = j < endJ ? list[j]! : Infinity;
		if (left <= right) i += 1;
		if (right <= left) j += 1;
		if (column !== undefined) column[at + count] = Math.min(left, right);
		count += 1;
	}
	return count;
}

/** arm x (each row of the frame), of one side of a contact. */
function writeLevers(lever: Float64Array, offset: number, { frame, arm }: RigidContacts, c: number, side: number) {
	const x = arm[6 * c + 3 * side]!;
	const y = arm[6 * c + 3 * side + 1]!;
	const z = arm[6 * c + 3 * side + 2]!;
	for (let k = 0; k < 9; k += 3) {
		const fx = frame[9 * c + k]!;
		const fy = frame[9 * c + k + 1]!;
		const fz = frame[9 * c + k + 2]!;
		lever[offset + k] = y * fz - z * fy;
		lever[offset + k + 1] = z * fx - x * fz;
		lever[offset + k + 2] = x * fy - y * fx;
	}
}

const other = new Float64Array(9);

/** Adds body `id`'s share of W_ab. `lever` has contact a's two sides. */
function addBlock(
	values: Float64Array,
	at: number,
	rigid: RigidContacts,
	id: number,
	a: number,
	sideA: number,
	lever: Float64Array,
	b: number,
	sideB: number,
): void {
	const { frame, inverseMass, inverseInertia } = rigid;
	writeLevers(other, 0, rigid, b, sideB);
	const sign = sideA === sideB ? 1 : -1;
	const massInverse = inverseMass[id]!;
	const xx = inverseInertia[6 * id]!;
	const yy = inverseInertia[6 * id + 1]!;
	const zz = inverseInertia[6 * id + 2]!;
	const xy = inverseInertia[6 * id + 3]!;
	const xz = inverseInertia[6 * id + 4]!;
	const yz = inverseInertia[6 * id + 5]!;
	for (let i = 0; i < 3; i += 1) {
		const f = 9 * a + 3 * i;
		const fx = frame[f]!;
		const fy = frame[f + 1]!;
		const fz = frame[f + 2]!;
		const l = 9 * sideA + 3 * i;
		const lx = lever[l]!;
		const ly = lever[l + 1]!;
		const lz = lever[l + 2]!;
		for (let j = 0; j < 3; j += 1) {
			const g = 9 * b + 3 * j;
			const mx = other[3 * j]!;
			const my = other[3 * j + 1]!;
			const mz = other[3 * j + 2]!;
			const moved = massInverse * (fx * frame[g]! + fy * frame[g + 1]! + fz * frame[g + 2]!);
			const turned = xx * (lx * mx) + yy * (ly * my) + zz * (lz * mz);
			const mixed = xy * (lx * my + ly * mx) + xz * (lx * mz + lz * mx) + yz * (ly * mz + lz * my);
			values[at + 3 * i + j]! += sign * (moved + (turned + mixed));
		}
	}
}

function allocate(length: number, rows: number): Float64Array {
	try {
		return new Float64Array(length);
	} catch {
		throw tooMany(rows);
	}
}

function tooMany(rows: number): InputError {
	return new InputError("problem", "W", `too large to assemble for ${rows} contacts`, "use the matrix-free product");
}
