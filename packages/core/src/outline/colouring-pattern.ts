/** Colouring by the pattern of W: the neighbours of each block, the colours around it, and a clique that no colouring is below. */
import type { Surroundings } from "./colouring.js";

/** Blocks couple when either row holds the other: both ways, each neighbour once, without the block itself. */
export class Neighbours {
	/** Where each block's list starts; blocks + 1 entries. */
	readonly start: Int32Array;
	readonly list: Int32Array;
	readonly degreeMax: number;

	constructor(blocks: number, rowStart: Int32Array, column: Int32Array) {
		const holders = transposed(blocks, rowStart, column);
		const seenBy = new Int32Array(blocks).fill(-1);
		this.start = new Int32Array(blocks + 1);
		const list = new Int32Array(2 * rowStart[blocks]!);
		let count = 0;
		const add = (a: number, from: number, to: number, others: Int32Array): void => {
			for (let k = from; k < to; k += 1) {
				const b = others[k]!;
				if (seenBy[b] === a) continue;
				seenBy[b] = a;
				list[count] = b;
				count += 1;
			}
		};
		for (let a = 0; a < blocks; a += 1) {
			seenBy[a] = a;
			add(a, rowStart[a]!, rowStart[a + 1]!, column);
			add(a, holders.start[a]!, holders.start[a + 1]!, holders.row);
			this.start[a + 1] = count;
		}
		this.list = list.slice(0, count);
		let degreeMax = 0;
		for (let a = 0; a < blocks; a += 1) degreeMax = Math.max(degreeMax, this.degree(a));
		this.degreeMax = degreeMax;
	}

	get blocks(): number {
		return this.start.length - 1;
	}

	degree(a: number): number {
		return this.start[a + 1]! - this.start[a]!;
	}
}

/** For each block those whose rows hold it, which its own row need not show: patterns may be unsymmetric. */
function transposed(blocks: number, rowStart: Int32Array, column: Int32Array) {
	const start = new Int32Array(blocks + 1);
	for (let k = 0; k < rowStart[blocks]!; k += 1) start[column[k]!]! += 1;
	let sum = 0;
	for (let b = 0; b <= blocks; b += 1) {
		sum += start[b]!;
		start[b] = sum;
	}
	// Filled from the ends: start[b] is where b's list starts once all of it is in.
	const row = new Int32Array(sum);
	for (let a = blocks - 1; a >= 0; a -= 1) {
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			start[column[k]!]! -= 1;
			row[start[column[k]!]!] = a;
		}
	}
	return { start, row };
}

/** The colours around the blocks of a pattern. */
export class PatternSurroundings implements Surroundings {
	readonly #neighbours: Neighbours;
	readonly #colour: Int32Array;
	/** By colour: the look at which a neighbour was seen to have it. */
	readonly #seenAt: Int32Array;
	/** Every look around a block has a number; so there is no clearing between them. */
	#look = 0;
	#lookedAt = -1;

	constructor(neighbours: Neighbours) {
		this.#neighbours = neighbours;
		this.#colour = new Int32Array(neighbours.blocks).fill(-1);
		// A block with so many neighbours finds one of so many colours free, and looks at one more at the most.
		this.#seenAt = new Int32Array(neighbours.degreeMax + 2);
	}

	clear(): void {
		this.#colour.fill(-1);
		this.#lookedAt = -1;
	}

	take(a: number): number {
		this.#lookAround(a);
		let c = 0;
		while (this.#seenAt[c] === this.#look) c += 1;
		this.#colour[a] = c;
		return c;
	}

	free(a: number, colour: number): boolean {
		if (this.#lookedAt !== a) this.#lookAround(a);
		return this.#seenAt[colour] !== this.#look;
	}

	move(a: number, _from: number, to: number): void {
		this.#colour[a] = to;
		this.#lookedAt = -1;
	}

	#lookAround(a: number): void {
		const { start, list } = this.#neighbours;
		const colour = this.#colour;
		const seenAt = this.#seenAt;
		this.#lookedAt = a;
		this.#look += 1;
		const look = this.#look;
		const to = start[a + 1]!;
		for (let k = start[a]!; k < to; k += 1) {
			const c = colour[list[k]!]!;
			if (c >= 0) seenAt[c] = look;
		}
	}
}
