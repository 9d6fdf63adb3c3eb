/**
 * W in SELL-2 (assembly/sell.ts), scaled to s_a W_ab s_b, rows in storage order, blocks of a row in the order of global ids. The rows of the
 * caller's arrays go through the kernels' memory a piece at a time, in the order in which they stand there: read once, and written
 * to where few rows at a time are being stored.
 */
import { assert } from "../base/errors.js";
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import type { AssembledShare, StoredPattern } from "../parallel/share.js";
import { isUnformed, type RigidRows, type UnformedMatrix } from "../problem/assemble-rigid.js";
import type { BlockMatrix } from "../problem/problem.js";
import { turnMoments } from "../problem/rolling.js";

/** Blocks of a piece: they stay in the nearest cache until they are stored. */
const PIECE_BLOCKS = 512;

/** The same matrix with ascending columns in all rows. */
function sorted({ rows, rowStart, column, values }: BlockMatrix): BlockMatrix {
	const used = rowStart[rows]!;
	const columns = new Int32Array(used);
	const blocks = new Float64Array(9 * used);
	for (let row = 0, to = 0; row < rows; row += 1) {
		const slots = Int32Array.from({ length: rowStart[row + 1]! - rowStart[row]! }, (_, i) => rowStart[row]! + i);
		for (const k of slots.sort((a, b) => column[a]! - column[b]!)) {
			columns[to] = column[k]!;
			blocks.set(values.subarray(9 * k, 9 * k + 9), 9 * to);
			to += 1;
		}
	}
	return { rows, rowStart, column: columns, values: blocks };
}

export class SellStorage {
	readonly pairs: number;
	/** Where the slots of each pair start; one entry more than there are pairs. */
	readonly start: IntVector;
	/** Flags of pairs whose rows couple, and of those that wait for a pair before them (assembly/batch.ts). */
	readonly flags: IntVector;
	readonly column: IntVector;
	readonly values: Vector;
	/** Whether all blocks are finite, where they are not formed here of numbers that were checked. */
	readonly isFinite: boolean;
	readonly #arena: Arena;
	readonly #rows: number;
	#longest: number;

	/** `scale` is that of own blocks and ghosts by place, `w` the own diagonal blocks, scaled. */
	constructor(arena: Arena, share: AssembledShare, scale: Vector, w: Vector) {
		const { kept } = share;
		const known = kept?.stored;
		this.#arena = arena;
		this.#rows = share.row.length;
		this.#longest = known?.longest ?? 0;
		this.pairs = (this.#rows + 1) >> 1;
		this.start = arena.integers(this.pairs + 1);
		this.flags = arena.integers(this.pairs);
		const slots = known ? known.column.length / 2 : this.#countSlots(share);
		this.column = arena.integerRoom(2 * slots);
		this.values = arena.room(18 * slots);
		const before = arena.bytes;
		const place = arena.integerRoom(this.#rows);
		const rowStart = this.#copyOf(share.matrix.rowStart, this.#rows + 1);
		const local = this.#copyOf(share.local, share.local.length);
		const matrix = known ? share.matrix : this.#storePattern(share, rowStart, place, local);
		if (known) this.#takePattern(known, place);
		// What was sorted here would have to be sorted again.
		else if (kept && matrix === share.matrix) kept.stored = this.#patternOf(place);
		if (isUnformed(matrix)) {
			this.#formValues(matrix, rowStart, local, scale, w);
			this.isFinite = true;
		} else this.isFinite = this.#storeValues(matrix, rowStart, place, scale);
		arena.rewind(before);
	}

	/** Returns the rows as they are stored: in the order of ids. */
	#storePattern(
		{ matrix, row }: AssembledShare,
		rowStart: IntVector,
		place: IntVector,
		local: IntVector,
	): AssembledShare["matrix"] {
		for (let at = 0; at < this.#rows; at += 1) place.values[row[at]!] = at;
		let rows = matrix;
		if (!this.#storeColumns(matrix, rowStart, place, local)) {
			assert(!isUnformed(matrix), "rows of bodies have ascending columns");
			rows = sorted(matrix);
			this.#storeColumns(rows, rowStart, place, local);
		}
		this.#arena.kernels.markWaits(this.pairs, this.start.at, this.column.at, this.flags.at);
		return rows;
	}

	/** Copies, which outlive this memory. */
	#patternOf(place: IntVector): StoredPattern {
		const { start, flags, column } = this;
		const [starts, marks, columns, places] = [start, flags, column, place].map(({ values }) => values.slice());
		return { start: starts!, flags: marks!, column: columns!, place: places!, longest: this.#longest };
	}

	#takePattern({ start, flags, column, place }: StoredPattern, places: IntVector): void {
		this.start.values.set(start);
		this.flags.values.set(flags);
		this.column.values.set(column);
		places.values.set(place);
	}

	/** A pair has as many slots as its longer row has blocks. */
	#countSlots({ matrix, row }: AssembledShare): number {
		const start = this.start.values;
		const { rowStart } = matrix;
		let sum = 0;
		start[0] = 0;
		for (let at = 0; at < this.#rows; at += 2) {
			let slots = rowStart[row[at]! + 1]! - rowStart[row[at]!]!;
			if (at + 1 < this.#rows) slots = Math.max(slots, rowStart[row[at + 1]! + 1]! - rowStart[row[at + 1]!]!);
			this.#longest = Math.max(this.#longest, slots);
			sum += slots;
			start[(at >> 1) + 1] = sum;
		}
		return sum;
	}

	/** False where the columns of a row do not ascend. */
	#storeColumns({ rowStart, column }: RigidRows, starts: IntVector, place: IntVector, local: IntVector): boolean {
		const room = Math.max(PIECE_BLOCKS, this.#longest);
		const piece = this.#arena.integerRoom(room);
		const { kernels } = this.#arena;
		const [start, flags, to] = [this.start.at, this.flags.at, this.column.at];
		const rows = this.#rows;
		let ascends = true;
		forPieces(rowStart, rows, room, (first, last, from, end) => {
			piece.values.set(column.subarray(from, end));
			const stored = kernels.sellColumns(first, last, rows, starts.at, piece.at, place.at, local.at, start, flags, to);
			ascends &&= stored === 1;
		});
		return ascends;
	}

	/** False where a block is not finite. */
	#storeValues({ rowStart, values }: BlockMatrix, starts: IntVector, place: IntVector, scale: Vector): boolean {
		const room = Math.max(PIECE_BLOCKS, this.#longest);
		const piece = this.#arena.room(9 * room);
		const { kernels } = this.#arena;
		const [start, column, to] = [this.start.at, this.column.at, this.values.at];
		const rows = this.#rows;
		let allFinite = true;
		forPieces(rowStart, rows, room, (first, last, from, end) => {
			piece.values.set(values.subarray(9 * from, 9 * end));
			const stored = kernels.sellFill(first, last, rows, starts.at, piece.at, place.at, scale.at, start, column, to);
			allFinite &&= stored === 1;
		});
		return allFinite;
	}

	/** Rows of bodies, of which columns name the contacts. */
	#formValues({ rigid, column }: UnformedMatrix, starts: IntVector, local: IntVector, scale: Vector, w: Vector): void {
		const arena = this.#arena;
		const contacts = rigid.body.length / 2;
		const columns = this.#copyOf(column, column.length);
		const body = this.#copyOf(rigid.body, rigid.body.length);
		const given = [rigid.frame, rigid.arm, rigid.inverseMass, rigid.inverseInertia].map((values) => {
			const copy = arena.room(values.length);
			copy.values.set(values);
			return copy;
		});
		const [frame, arm, mass, inertia] = given as [Vector, Vector, Vector, Vector];
		const lever = arena.room(18 * contacts);
		const next = arena.integerRoom(contacts);
		const block = arena.room(9);
		const { kernels } = arena;
		kernels.writeLevers(contacts, frame.at, arm.at, lever.at);
		turnMoments(rigid.moment, frame.values, lever.values);
		kernels.rigidFill(
			contacts,
			this.#rows,
			starts.at,
			columns.at,
			frame.at,
			lever.at,
			body.at,
			mass.at,
			inertia.at,
			local.at,
			scale.at,
			w.at,
			this.start.at,
			this.column.at,
			next.at,
			block.at,
			this.values.at,
		);
	}

	#copyOf(values: Int32Array, count: number): IntVector {
		const copy = this.#arena.integerRoom(count);
		copy.values.set(values.length === count ? values : values.subarray(0, count));
		return copy;
	}
}

/** Visits the rows in pieces of at most so many blocks, of which no row has more. */
function forPieces(
	rowStart: Int32Array,
	rows: number,
	most: number,
	visit: (first: number, last: number, from: number, end: number) => void,
): void {
	for (let first = 0; first < rows; ) {
		const from = rowStart[first]!;
		let last = first + 1;
		while (last < rows && rowStart[last + 1]! - from <= most) last += 1;
		visit(first, last, from, rowStart[last]!);
		first = last;
	}
}
