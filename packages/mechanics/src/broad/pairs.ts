/**
 * Which pieces may touch: pairs of entries whose boxes overlap, in canonical order, by the smaller id of the two bodies, the larger one, and the numbers of
 * their pieces. The grid is not asked in each step: it is given boxes that are wider by a skin, and as long as all boxes are within those, the pairs that
 * overlap are among the ones it found then. So what is found is the same whenever it was asked last.
 */
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import { type ContactRange, touching } from "../bodies/contact-range.js";
import type { Model } from "../bodies/model.js";
import { BOX_KIND, Boxes } from "./boxes.js";
import { overlap } from "./grid.js";
import { NearPairs } from "./near-pairs.js";

/** The skin as a share of a box's longest edge: it is doubled when a list has lasted a few steps only, and halved when one has lasted many. */
const SKIN_MIN = 1 / 256;
const SKIN_MAX = 1 / 8;
const STEPS_FEW = 4;
const STEPS_MANY = 32;

export class PairSearch {
	readonly boxes = new Boxes();
	/** Two entries of the boxes each, the smaller one first. */
	pair = new Int32Array(0);
	count = 0;
	readonly #near = new NearPairs();
	#skin = 1 / 32;
	/** Searches since the grid was asked. */
	#age = 0;
	/** What it was asked for: the wide boxes of so many entries, their ids and roles. */
	#entries = 0;
	#wide = new Float64Array(0);
	#owner = new Int32Array(0);

	/** Finds all pairs of pieces that may be as near as both their bodies look. On ranks pairs of ghosts are found too. */
	search(model: Model, bodies: Bodies, range: ContactRange | number): void {
		this.boxes.fill(model, bodies, typeof range === "number" ? touching(range) : range);
		if (!this.#areWithin(bodies.id)) this.#askGrid(bodies.id);
		this.#age += 1;
		this.#choose();
	}

	/** Whether the entries are those that the grid was asked for, each within its wide box. */
	#areWithin(id: Int32Array): boolean {
		const { count, place, role, bounds } = this.boxes;
		if (count !== this.#entries) return false;
		const wide = this.#wide;
		for (let entry = 0; entry < count; entry += 1) {
			if (this.#owner[2 * entry] !== id[place[entry]!] || this.#owner[2 * entry + 1] !== role[entry]) return false;
			for (let k = 6 * entry; k < 6 * entry + 3; k += 1) {
				if (!(bounds[k]! >= wide[k]! && bounds[k + 3]! <= wide[k + 3]!)) return false;
			}
		}
		return true;
	}

	#askGrid(id: Int32Array): void {
		const { boxes } = this;
		const { count, place, role, bounds } = boxes;
		if (this.#age <= STEPS_FEW) this.#skin = Math.min(SKIN_MAX, 2 * this.#skin);
		if (this.#age >= STEPS_MANY) this.#skin = Math.max(SKIN_MIN, 0.5 * this.#skin);
		this.#age = 0;
		this.#entries = count;
		this.#wide = grown(this.#wide, 6 * count);
		this.#owner = grown(this.#owner, 2 * count);
		for (let entry = 0; entry < count; entry += 1) {
			this.#owner[2 * entry] = id[place[entry]!]!;
			this.#owner[2 * entry + 1] = role[entry]!;
			const at = 6 * entry;
			let edge = 0;
			for (let k = at; k < at + 3; k += 1) edge = Math.max(edge, bounds[k + 3]! - bounds[k]!);
			for (let k = at; k < at + 3; k += 1) {
				this.#wide[k] = bounds[k]! - this.#skin * edge;
				this.#wide[k + 3] = bounds[k + 3]! + this.#skin * edge;
			}
		}
		this.#near.find(boxes, this.#wide);
	}

	/** Those of the pairs near that overlap now. */
	#choose(): void {
		const { boxes } = this;
		const { pair, count } = this.#near;
		this.pair = grown(this.pair, 2 * count);
		this.count = 0;
		let plane = 0;
		for (let k = 0; k < count; k += 1) {
			const first = pair[2 * k]!;
			const second = pair[2 * k + 1]!;
			if (boxes.role[first] === BOX_KIND.plane) {
				while (boxes.planes[plane]! < first) plane += 1;
				if (!boxes.isBelow(second, plane)) continue;
			} else if (!overlap(boxes.bounds, 6 * first, 6 * second)) continue;
			this.pair[2 * this.count] = first;
			this.pair[2 * this.count + 1] = second;
			this.count += 1;
		}
	}
}
