/**
 * W = H^T M^-1 H of rigid bodies, block by block: W_ab is the sum, over the bodies B that contacts a and b share (lower id
 * first), of s_a s_b (frame_a frame_b^T / m + (arm_a x frame_a) I^-1 (arm_b x frame_b)^T), where s is +1 for body 1 of a
 * contact and -1 for body 0. Rows have their columns in ascending order. The work is proportional to the number of blocks.
 *
 * Moments of rolling contacts have their frames in place of arm x frame, and nothing in place of frame.
 *
 * Every entry is written as an expression that keeps its bits when a and b are exchanged, so W is symmetric to the bit,
 * and each block depends on its two contacts and their bodies alone.
 */
import { assert, InputError } from "../base/errors.js";
import type { BlockMatrix, RigidContacts } from "./problem.js";
import { turnMoments } from "./rolling.js";

/** The contacts of each body in ascending order: those of body i are list[start[i]] .. list[start[i + 1] - 1]. */
interface Incidence {
	readonly start: Int32Array;
	readonly list: Int32Array;
}

/** Which contacts share a body, and with which: the rows of W. */
export type RigidRows = Omit<BlockMatrix, "values">;

/** Rows whose values are not there, but the bodies that they are formed of: columns name the contacts of these. */
export interface UnformedMatrix extends RigidRows {
	readonly rigid: RigidContacts;
}

export function isUnformed(matrix: BlockMatrix | UnformedMatrix): matrix is UnformedMatrix {
	return "rigid" in matrix;
}

/** W of bodies. Rows are known at once; values are formed when they are first asked for, which a kernel that forms them itself never does. */
export class RigidMatrix implements BlockMatrix, UnformedMatrix {
	readonly rows: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly rigid: RigidContacts;
	#values: Float64Array | undefined;

	/** `known` are the rows of other bodies in contact as these are. */
	constructor(rigid: RigidContacts, known: RigidRows = rigidRows(rigid)) {
		const { rows, rowStart, column } = known;
		this.rows = rows;
		this.rowStart = rowStart;
		this.column = column;
		this.rigid = rigid;
	}

	get values(): Float64Array {
		this.#values ??= rigidValues(this.rigid, this);
		return this.#values;
	}
}

export function assembleRigid(rigid: RigidContacts): BlockMatrix {
	const { rows, rowStart, column } = rigidRows(rigid);
	return { rows, rowStart, column, values: rigidValues(rigid, { rows, rowStart, column }) };
}

/** Which contacts share a body. */
export function rigidRows(rigid: Pick<RigidContacts, "body" | "inverseMass">): RigidRows {
	const { body } = rigid;
	const rows = body.length / 2;
	const incidence = contactsOfBodies(rigid);
	const most = mostBlocks(body, incidence);
	if (most >= 2 ** 31) throw tooMany(rows);
	const rowStart = new Int32Array(rows + 1);
	const column = new Int32Array(most);
	let blocks = 0;
	for (let a = 0; a < rows; a += 1) {
		blocks = mergeRow(body, incidence, a, column, blocks);
		rowStart[a + 1] = blocks;
	}
	return { rows, rowStart, column: blocks === most ? column : column.slice(0, blocks) };
}

/** As many blocks as there are unless contacts share both bodies: their rows have each other once. */
function mostBlocks(body: Int32Array, { start }: Incidence): number {
	let most = 0;
	for (let k = 0; k < body.length; k += 2) {
		const first = body[k]!;
		const second = body[k + 1]!;
		if (first >= 0) most += start[first + 1]! - start[first]!;
		if (second >= 0) most += start[second + 1]! - start[second]!;
		// The contact itself is at both; between two obstacles it is at none, and has its block nevertheless.
		if (first >= 0 && second >= 0) most -= 1;
		else if (first < 0 && second < 0) most += 1;
	}
	return most;
}

function rigidValues(given: RigidContacts, { rows, rowStart, column }: RigidRows): Float64Array {
	const { body, moment } = given;
	const rigid = moment ? { ...given, frame: given.frame.slice() } : given;
	const values = allocate(9 * rowStart[rows]!, rows);
	const lever = new Float64Array(18 * rows);
	for (let a = 0; a < rows; a += 1) for (let side = 0; side < 2; side += 1) writeLevers(lever, 18 * a, rigid, a, side);
	turnMoments(rigid.moment, rigid.frame, lever);
	// Where the next block of each row stands that is not yet there: those in front of the diagonal come from the rows of their columns.
	const next = rowStart.slice(0, rows);
	for (let a = 0; a < rows; a += 1) {
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		const lowSide = first <= second ? 0 : 1;
		const end = rowStart[a + 1]!;
		for (let at = next[a]!; at < end; at += 1) {
			const b = column[at]!;
			for (let turn = 0; turn < 2; turn += 1) {
				const side = turn === 0 ? lowSide : 1 - lowSide;
				const id = side === 0 ? first : second;
				if (id < 0) continue;
				if (body[2 * b] === id) addBlock(values, 9 * at, rigid, id, a, side, lever, 18 * a, b, 0, 18 * b);
				else if (body[2 * b + 1] === id) addBlock(values, 9 * at, rigid, id, a, side, lever, 18 * a, b, 1, 18 * b);
			}
			if (b === a) continue;
			writeTransposed(values, 9 * at, 9 * next[b]!);
			next[b]! += 1;
		}
	}
	return values;
}

function contactsOfBodies({ body, inverseMass }: Pick<RigidContacts, "body" | "inverseMass">): Incidence {
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

/** Merges the contacts of both bodies of contact a, writes them from `from` on, and returns where they end. */
function mergeRow(body: Int32Array, { start, list }: Incidence, a: number, column: Int32Array, from: number): number {
	const first = body[2 * a]!;
	const second = body[2 * a + 1]!;
	let at = from;
	// A contact between two obstacles still has its diagonal block, of zeros: the check of the problem names it.
	if (first < 0 && second < 0) {
		column[at] = a;
		return at + 1;
	}
	let i = first < 0 ? 0 : start[first]!;
	let j = second < 0 ? 0 : start[second]!;
	const endI = first < 0 ? 0 : start[first + 1]!;
	const endJ = second < 0 ? 0 : start[second + 1]!;
	while (i < endI && j < endJ) {
		// The lesser goes first, and both go on where they are one: by signs, as a branch would be mispredicted at every second block.
		const right = list[j]!;
		const difference = list[i]! - right;
		column[at] = right + (difference & (difference >> 31));
		i += ((difference - 1) >> 31) & 1;
		j += (~difference >> 31) & 1;
		at += 1;
	}
	for (; i < endI; i += 1, at += 1) column[at] = list[i]!;
	for (; j < endJ; j += 1, at += 1) column[at] = list[j]!;
	return at;
}

/** The block at `to` becomes the transpose of that at `from`. */
function writeTransposed(values: Float64Array, from: number, to: number): void {
	for (let i = 0; i < 3; i += 1) {
		values[to + i] = values[from + 3 * i]!;
		values[to + 3 + i] = values[from + 3 * i + 1]!;
		values[to + 6 + i] = values[from + 3 * i + 2]!;
	}
}

/** arm x (each row of the frame), of one side of a contact: nine numbers each. */
function writeLevers(lever: Float64Array, contactAt: number, { frame, arm }: RigidContacts, c: number, side: number) {
	const offset = contactAt + 9 * side;
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

/** Adds body `id`'s share of W_ab. The levers of contact a stand from `leverA` on, those of b from `leverB` on. */
function addBlock(
	values: Float64Array,
	at: number,
	rigid: RigidContacts,
	id: number,
	a: number,
	sideA: number,
	lever: Float64Array,
	leverA: number,
	b: number,
	sideB: number,
	leverB: number,
): void {
	const { frame, inverseMass, inverseInertia } = rigid;
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
		const l = leverA + 9 * sideA + 3 * i;
		const lx = lever[l]!;
		const ly = lever[l + 1]!;
		const lz = lever[l + 2]!;
		for (let j = 0; j < 3; j += 1) {
			const g = 9 * b + 3 * j;
			const m = leverB + 9 * sideB + 3 * j;
			const mx = lever[m]!;
			const my = lever[m + 1]!;
			const mz = lever[m + 2]!;
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
