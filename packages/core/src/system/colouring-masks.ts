/**
 * First fit where 32 colours do: the colours around a block are the bits of one number. Nearly all problems have fewer; where
 * one has more, the caller is told, and has the general way do it all again.
 */
import type { Coupling } from "./tiles.js";

/** Which colours are around each block. */
export interface Masks {
	/** Gives all blocks the first colours that are free around them, in this order; false where 32 do not suffice. */
	firstFit(order: Int32Array, colour: Int32Array): boolean;
	/** The bits of the colours around a block, which may have its own among them where it is not alone in having it. */
	around(a: number): number;
	/** Gives a block another colour, which is free. */
	move(a: number, from: number, to: number): void;
}

export function masksOf(blocks: number, coupling: Coupling): Masks | undefined {
	if ("body" in coupling) return new BodyMasks(coupling.body, coupling.bodies);
	return isSymmetricPattern(blocks, coupling.rowStart, coupling.column)
		? new PatternMasks(blocks, coupling.rowStart, coupling.column)
		: undefined;
}

/** By body: the colours of its contacts. Obstacles have a place as well, where nothing stays. */
class BodyMasks implements Masks {
	readonly #body: Int32Array;
	readonly #used: Int32Array;

	constructor(body: Int32Array, bodies: number) {
		this.#body = body;
		// An obstacle is -1: one place in front.
		this.#used = new Int32Array(bodies + 1);
	}

	firstFit(order: Int32Array, colour: Int32Array): boolean {
		const body = this.#body;
		const used = this.#used;
		used.fill(0);
		for (let i = 0; i < order.length; i += 1) {
			const a = order[i]!;
			const first = body[2 * a]! + 1;
			const second = body[2 * a + 1]! + 1;
			const taken = used[first]! | used[second]!;
			if (taken === -1) return false;
			const bit = ~taken & (taken + 1);
			used[first]! |= bit;
			used[second]! |= bit;
			used[0] = 0;
			colour[a] = 31 - Math.clz32(bit);
		}
		return true;
	}

	around(a: number): number {
		return this.#used[this.#body[2 * a]! + 1]! | this.#used[this.#body[2 * a + 1]! + 1]!;
	}

	move(a: number, from: number, to: number): void {
		const used = this.#used;
		const keep = ~(1 << from);
		const bit = 1 << to;
		for (let side = 2 * a; side < 2 * a + 2; side += 1) {
			const at = this.#body[side]! + 1;
			if (at > 0) used[at] = (used[at]! & keep) | bit;
		}
	}
}

/** By block: the bit of its colour, none as long as it has no colour. Rows are lists of neighbours, in which a block itself does no harm. */
class PatternMasks implements Masks {
	readonly #start: Int32Array;
	readonly #list: Int32Array;
	readonly #bit: Int32Array;

	constructor(blocks: number, start: Int32Array, list: Int32Array) {
		this.#start = start;
		this.#list = list;
		this.#bit = new Int32Array(blocks);
	}

	firstFit(order: Int32Array, colour: Int32Array): boolean {
		const start = this.#start;
		const list = this.#list;
		const bits = this.#bit;
		bits.fill(0);
		for (let i = 0; i < order.length; i += 1) {
			const a = order[i]!;
			const end = start[a + 1]!;
			let taken = 0;
			for (let k = start[a]!; k < end; k += 1) taken |= bits[list[k]!]!;
			if (taken === -1) return false;
			const bit = ~taken & (taken + 1);
			bits[a] = bit;
			colour[a] = 31 - Math.clz32(bit);
		}
		return true;
	}

	around(a: number): number {
		const end = this.#start[a + 1]!;
		let taken = 0;
		for (let k = this.#start[a]!; k < end; k += 1) taken |= this.#bit[this.#list[k]!]!;
		return taken;
	}

	move(a: number, _from: number, to: number): void {
		this.#bit[a] = 1 << to;
	}
}

/** Whether rows ascend and each block is in the row of all that are in its own: one walk over all rows at once. */
export function isSymmetricPattern(rows: number, rowStart: Int32Array, column: Int32Array): boolean {
	// Where the next entry beyond the diagonal of each row stands that has not been met by its mirror image.
	const next = new Int32Array(rows);
	for (let a = 0; a < rows; a += 1) {
		const end = rowStart[a + 1]!;
		let last = -1;
		let k = rowStart[a]!;
		for (; k < end && column[k]! < a; k += 1) {
			const b = column[k]!;
			if (b <= last) return false;
			last = b;
			const mirror = next[b]!;
			if (mirror >= rowStart[b + 1]! || column[mirror] !== a) return false;
			next[b] = mirror + 1;
		}
		if (k < end && column[k] === a) {
			last = a;
			k += 1;
		}
		next[a] = k;
		for (; k < end; k += 1) {
			if (column[k]! <= last) return false;
			last = column[k]!;
		}
	}
	for (let a = 0; a < rows; a += 1) if (next[a] !== rowStart[a + 1]) return false;
	return true;
}
