/**
 * A problem of which any part can be made alone: contacts on a cube of side^3 points, each coupled with its six neighbours. All numbers are sums of few
 * powers of two, so that other languages make the same bits (part-client.c).
 */
import type { Problem, ProblemPart } from "@stickslip/core";

/** Of a contact with the next one along an axis; transposed the other way round. */
const COUPLING = [0.25, 0.0625, 0, -0.0625, 0.25, 0.03125, 0, -0.03125, 0.125];
const DIAGONAL = [4, 0.25, 0, 0.25, 5, 0.5, 0, 0.5, 6];

/** Numbers of one row, as they are written. */
class Row {
	blocks = 0;
	readonly #side: number;
	readonly #column: Int32Array;
	readonly #values: Float64Array;

	constructor(side: number, column: Int32Array, values: Float64Array) {
		this.#side = side;
		this.#column = column;
		this.#values = values;
	}

	write(id: number): void {
		const step = [this.#side ** 2, this.#side, 1];
		const at = pointOf(id, this.#side);
		for (let axis = 0; axis < 3; axis += 1) {
			if (at[2 - axis]! > 0) this.#couple(id - step[axis]!, id - step[axis]!, axis, true);
		}
		this.#put(id, DIAGONAL, 1, false);
		for (let axis = 2; axis >= 0; axis -= 1) {
			if (at[2 - axis]! + 1 < this.#side) this.#couple(id + step[axis]!, id, axis, false);
		}
	}

	#couple(column: number, first: number, axis: number, isTransposed: boolean): void {
		this.#put(column, COUPLING, 1 + ((7 * first + axis) % 5) / 16, isTransposed);
	}

	#put(column: number, block: readonly number[], scale: number, isTransposed: boolean): void {
		this.#column[this.blocks] = column;
		for (let i = 0; i < 3; i += 1) {
			for (let j = 0; j < 3; j += 1) {
				this.#values[9 * this.blocks + 3 * i + j] = scale * block[isTransposed ? 3 * j + i : 3 * i + j]!;
			}
		}
		this.blocks += 1;
	}
}

function pointOf(id: number, side: number): [number, number, number] {
	return [id % side, Math.floor(id / side) % side, Math.floor(id / side ** 2)];
}

function blocksOf(id: number, side: number): number {
	return pointOf(id, side).reduce((blocks, x) => blocks + (x > 0 ? 1 : 0) + (x + 1 < side ? 1 : 0), 1);
}

/** The contacts from `first` on, up to `end`. */
export function latticePart(
	side: number,
	first: number,
	end: number,
): ProblemPart & { readonly W: NonNullable<ProblemPart["W"]> } {
	const ids = Int32Array.from({ length: end - first }, (_, i) => first + i);
	const rowStart = new Int32Array(ids.length + 1);
	for (let i = 0; i < ids.length; i += 1) rowStart[i + 1] = rowStart[i]! + blocksOf(ids[i]!, side);
	const column = new Int32Array(rowStart[ids.length]!);
	const values = new Float64Array(9 * column.length);
	const row = new Row(side, column, values);
	const [q, point] = [new Float64Array(3 * ids.length), new Float64Array(3 * ids.length)];
	for (let i = 0; i < ids.length; i += 1) {
		const id = ids[i]!;
		row.write(id);
		q.set([-(1 + (id % 7) / 8), (((3 * id) % 5) - 2) / 4, (((5 * id) % 3) - 1) / 4], 3 * i);
		point.set(pointOf(id, side), 3 * i);
	}
	const mu = new Float64Array(ids.length).fill(0.5);
	return { name: "lattice", contacts: side ** 3, ids, q, mu, point, W: { rowStart, column, values } };
}

export function latticeProblem(side: number): Problem {
	const { ids: _ids, point, W, ...rest } = latticePart(side, 0, side ** 3);
	return { ...rest, name: "lattice", W: { rows: side ** 3, ...W }, geometry: { point: point! } };
}

/** Where part `index` of `of` begins. */
export function firstOf(side: number, index: number, of: number): number {
	return Math.floor((index * side ** 3) / of);
}

/** Of all arrays. */
export function bytesOf({ ids, q, mu, point, W }: ProblemPart): number {
	return [ids, q, mu, point, W?.rowStart, W?.column, W?.values].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
}
