/**
 * Which pieces are near: pairs of entries of the boxes in canonical order, by the smaller id of the two bodies, the larger one, and the numbers of their pieces.
 * On ranks pairs of ghosts are found too: who knows all contacts around its own ones has nothing to ask for.
 */

import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { Boxes, ROLE } from "./boxes.js";
import { Grid } from "./grid.js";

export class PairSearch {
	readonly boxes = new Boxes();
	/** Pairs: two entries of the boxes each, the smaller one first. */
	pair = new Int32Array(0);
	count = 0;
	readonly #grid = new Grid();
	#isActive = new Uint8Array(0);
	#start = new Int32Array(0);
	#sorted = new Int32Array(0);
	#key = new Int32Array(0);

	/** Finds all pairs of pieces that may be as near as both their bodies look. */
	search(model: Model, bodies: Bodies, margin: number, ahead = 0): void {
		const { boxes } = this;
		boxes.fill(model, bodies, { margin, ahead });
		this.#isActive = grown(this.#isActive, boxes.count);
		for (let entry = 0; entry < boxes.count; entry += 1) {
			this.#isActive[entry] = boxes.role[entry] === ROLE.moving ? 1 : 0;
		}
		this.#grid.search(boxes.bounds, boxes.count, this.#isActive);
		this.#collect();
		this.#collectPlanes(model, bodies);
		this.#sort();
	}

	/** Of what the grid found, the pairs of different bodies, the smaller entry first. */
	#collect(): void {
		const { pair, found } = this.#grid;
		this.pair = grown(this.pair, 2 * found);
		this.count = 0;
		for (let k = 0; k < found; k += 1) {
			const first = Math.min(pair[2 * k]!, pair[2 * k + 1]!);
			const second = Math.max(pair[2 * k]!, pair[2 * k + 1]!);
			if (this.boxes.place[first] !== this.boxes.place[second]) this.#add(first, second);
		}
	}

	#add(first: number, second: number): void {
		this.pair[2 * this.count] = first;
		this.pair[2 * this.count + 1] = second;
		this.count += 1;
	}

	/** Planes are obstacles, and come first in each of their pairs. */
	#collectPlanes(model: Model, bodies: Bodies): void {
		const { boxes } = this;
		for (let k = 0; k < boxes.planeCount; k += 1) {
			const plane = boxes.planes[k]!;
			const place = boxes.place[plane]!;
			const { normal, offset } = model.shapes[bodies.shape[place]!]!.pieces[boxes.piece[plane]!]!.plane!;
			const [x, y, z] = [
				turned(bodies.map, 9 * place, normal),
				turned(bodies.map, 9 * place + 3, normal),
				turned(bodies.map, 9 * place + 6, normal),
			];
			const p = 3 * place;
			const level =
				offset +
				x * bodies.position[p]! +
				y * bodies.position[p + 1]! +
				z * bodies.position[p + 2]! +
				boxes.sight[place]!;
			this.pair = grown(this.pair, 2 * (this.count + boxes.count));
			for (let entry = boxes.fixed; entry < boxes.count; entry += 1) {
				if (boxes.role[entry] === ROLE.moving && reachesBelow(boxes.bounds, 6 * entry, x, y, z, level))
					this.#add(plane, entry);
			}
		}
	}

	/**
	 * By the first entry and the second one; where bodies have several pieces, by the first body and the second one before that. Sorted from the last
	 * key to the first, each time without changing the order of what is equal.
	 */
	#sort(): void {
		this.#sorted = grown(this.#sorted, 2 * this.count);
		const { count, piece } = this.boxes;
		this.#key = grown(this.#key, count);
		for (let entry = 0; entry < count; entry += 1) this.#key[entry] = entry;
		this.#sortBy(this.pair, this.#sorted, 1);
		this.#sortBy(this.#sorted, this.pair, 0);
		if (!piece.subarray(0, count).some((number) => number > 0)) return;
		// The first entry of its body.
		for (let entry = 0; entry < count; entry += 1) this.#key[entry] = entry - piece[entry]!;
		this.#sortBy(this.pair, this.#sorted, 1);
		this.#sortBy(this.#sorted, this.pair, 0);
	}

	#sortBy(from: Int32Array, to: Int32Array, side: number): void {
		const { count } = this.boxes;
		this.#start = grown(this.#start, count + 1);
		const start = this.#start;
		const key = this.#key;
		start.fill(0, 0, count + 1);
		for (let k = 0; k < this.count; k += 1) start[key[from[2 * k + side]!]! + 1]! += 1;
		for (let entry = 0; entry < count; entry += 1) start[entry + 1]! += start[entry]!;
		for (let k = 0; k < this.count; k += 1) {
			const at = start[key[from[2 * k + side]!]!]!++;
			to[2 * at] = from[2 * k]!;
			to[2 * at + 1] = from[2 * k + 1]!;
		}
	}
}

/** A row of the map times the vector. */
function turned(map: Float64Array, row: number, vector: Float64Array): number {
	return map[row]! * vector[0]! + map[row + 1]! * vector[1]! + map[row + 2]! * vector[2]!;
}

/** Whether a box has a corner with normal . x <= level, but for rounding. */
function reachesBelow(bounds: Float64Array, at: number, x: number, y: number, z: number, level: number): boolean {
	const lowest =
		x * bounds[x > 0 ? at : at + 3]! + y * bounds[y > 0 ? at + 1 : at + 4]! + z * bounds[z > 0 ? at + 2 : at + 5]!;
	return lowest - level <= 1e-12 * (Math.abs(lowest) + Math.abs(level));
}
