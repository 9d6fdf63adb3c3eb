/** Pairs of entries whose boxes overlap, and all pairs of a plane and a piece that moves, in canonical order; one of the bodies moves, if only on another rank. */
import { grown } from "../base/grow.js";
import { BOX_KIND, type Boxes } from "./boxes.js";
import { Grid } from "./grid.js";

export class NearPairs {
	/** Two entries each, the smaller one first. */
	pair = new Int32Array(0);
	count = 0;
	readonly #grid = new Grid();
	#isActive = new Uint8Array(0);
	#start = new Int32Array(0);
	#sorted = new Int32Array(0);
	#key = new Int32Array(0);

	/** Of the entries of `boxes`, but with these bounds instead of theirs. */
	find(boxes: Boxes, bounds: Float64Array): void {
		this.#isActive = grown(this.#isActive, boxes.count);
		for (let entry = 0; entry < boxes.count; entry += 1) {
			this.#isActive[entry] = boxes.role[entry] === BOX_KIND.moving ? 1 : 0;
		}
		this.#grid.search(bounds, boxes.count, this.#isActive);
		this.#collect(boxes);
		this.#addPlanes(boxes);
		this.#sort(boxes);
	}

	#collect(boxes: Boxes): void {
		const { pair, found } = this.#grid;
		this.pair = grown(this.pair, 2 * found);
		this.count = 0;
		for (let k = 0; k < found; k += 1) {
			const first = Math.min(pair[2 * k]!, pair[2 * k + 1]!);
			const second = Math.max(pair[2 * k]!, pair[2 * k + 1]!);
			if (boxes.place[first] !== boxes.place[second]) this.#add(first, second);
		}
	}

	#add(first: number, second: number): void {
		this.pair[2 * this.count] = first;
		this.pair[2 * this.count + 1] = second;
		this.count += 1;
	}

	/** Planes are obstacles, and come first in each of their pairs. */
	#addPlanes({ planes, planeCount, count, fixed, role }: Boxes): void {
		if (planeCount === 0) return;
		this.pair = grown(this.pair, 2 * (this.count + planeCount * (count - fixed)));
		for (let k = 0; k < planeCount; k += 1) {
			for (let entry = fixed; entry < count; entry += 1) {
				if (role[entry] === BOX_KIND.moving) this.#add(planes[k]!, entry);
			}
		}
	}

	/**
	 * By the first entry and the second one; where bodies have several pieces, by the first body and the second one before that. Sorted from the last
	 * key to the first, each time without changing the order of what is equal.
	 */
	#sort({ count, piece }: Boxes): void {
		this.#sorted = grown(this.#sorted, 2 * this.count);
		this.#start = grown(this.#start, count + 1);
		this.#key = grown(this.#key, count);
		let last = 0;
		for (let entry = 0; entry < count; entry += 1) {
			this.#key[entry] = entry;
			last = Math.max(last, piece[entry]!);
		}
		this.#sortBy(this.pair, this.#sorted, 1, count);
		this.#sortBy(this.#sorted, this.pair, 0, count);
		if (last === 0) return;
		// The first entry of its body.
		for (let entry = 0; entry < count; entry += 1) this.#key[entry] = entry - piece[entry]!;
		this.#sortBy(this.pair, this.#sorted, 1, count);
		this.#sortBy(this.#sorted, this.pair, 0, count);
	}

	#sortBy(from: Int32Array, to: Int32Array, side: number, entries: number): void {
		const start = this.#start;
		const key = this.#key;
		start.fill(0, 0, entries + 1);
		for (let k = 0; k < this.count; k += 1) start[key[from[2 * k + side]!]! + 1]! += 1;
		for (let entry = 0; entry < entries; entry += 1) start[entry + 1]! += start[entry]!;
		for (let k = 0; k < this.count; k += 1) {
			const at = start[key[from[2 * k + side]!]!]!;
			start[key[from[2 * k + side]!]!] = at + 1;
			to[2 * at] = from[2 * k]!;
			to[2 * at + 1] = from[2 * k + 1]!;
		}
	}
}
