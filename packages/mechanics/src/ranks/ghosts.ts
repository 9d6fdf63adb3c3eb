/**
 * Which bodies other ranks need as ghosts: those that may touch a body of theirs, and those that may touch such a ghost. So a rank knows every contact
 * at every body that a contact of its own touches, and has nothing to ask for when it makes rows, colours and sums of them.
 */
import type { Communicator } from "@stickslip/core/parallel";
import { type Bodies, KIND } from "../bodies/bodies.js";
import { type ContactRange, contactRangeOf } from "../bodies/contact-range.js";
import type { Model } from "../bodies/model.js";
import { allGather } from "./all-gather.js";
import type { Totals } from "./totals.js";

/** A lower corner and an upper one. */
const BOX = 6;

/** Own bodies, by place, and the ranks that they are for, ascending, and the bodies for each; a body may be for several. */
export interface Sendings {
	readonly place: readonly number[];
	readonly rank: readonly number[];
}

/** Own bodies as they were when ghosts were last looked for: ids, ascending, centres, and how far they reached; and the longest reach of all ranks. */
interface Before {
	readonly id: Int32Array;
	readonly position: Float64Array;
	readonly reach: Float64Array;
	readonly widest: number;
}

const NO_IDS = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);

/** How much farther than they have to ranks look for ghosts that they would miss, and for all ghosts when they choose them anew, as shares of the longest reach. */
const SPARE_LEAST = 0.25;
const SPARE = 0.5;

/**
 * Ghosts are kept: nobody looks for them as long as no body can have come so near that one is missing, and who is sent to a rank is chosen anew only when a
 * body that has been here comes near it. Between two choices a rank has the same bodies, so that its list of pairs lasts (broad/pairs.ts); which of them it
 * has too many changes no bit.
 */
export class GhostFinder {
	/** By rank, the ids of own bodies that it is sent. */
	readonly #sent = new Map<number, Set<number>>();
	#before: Before = { id: NO_IDS, position: NO_NUMBERS, reach: NO_NUMBERS, widest: 0 };

	/** All are chosen anew at the next call. */
	clear(): void {
		this.#sent.clear();
	}

	/**
	 * Collective. Whether the ghosts of the last call of `find` are enough, when ranks own the same bodies as then: no two boxes have come nearer to each other
	 * than what they were looked for beyond.
	 */
	areEnough(model: Model, bodies: Bodies, near: ContactRange, totals: Totals): boolean {
		const { obstacles, own } = bodies;
		const { position, reach: reached, widest } = this.#before;
		const reach = reachesOf(model, bodies, near);
		let [longest, farthest] = [0, 0];
		for (let i = 0; i < own; i += 1) {
			let moved = 0;
			for (let k = 0; k < 3; k += 1) {
				moved = Math.max(moved, Math.abs(bodies.position[3 * (obstacles + i) + k]! - position[3 * i + k]!));
			}
			longest = Math.max(longest, reach[i]!);
			farthest = Math.max(farthest, moved + reach[i]! - reached[i]!);
		}
		const [longestOfAll, farthestOfAll] = totals.largest(Float64Array.of(longest, farthest));
		return 2 * (farthestOfAll! + longestOfAll!) < (2 + SPARE_LEAST) * widest;
	}

	/** Collective. `tile` is of the rank's own bodies; `near` says which contacts count. */
	find(
		model: Model,
		bodies: Bodies,
		tile: Int32Array,
		near: ContactRange,
		communicator: Communicator,
		totals: Totals,
	): Sendings {
		const { obstacles, own, id, position } = bodies;
		const reach = reachesOf(model, bodies, near);
		let longest = 0;
		for (let i = 0; i < reach.length; i += 1) longest = Math.max(longest, reach[i]!);
		const widest = totals.largest(Float64Array.of(longest))[0]!;
		const groups = groupsOf(bodies, tile, reach);
		const ids = id.subarray(obstacles, obstacles + own);
		const sendings = { place: [] as number[], rank: [] as number[] };
		for (const [rank, boxes] of allGather(communicator, groups.boxes).entries()) {
			if (rank === communicator.rank) continue;
			// Ghosts of ghosts are as far away as a ghost is long.
			const needed = nearBoxes(bodies, groups, reach, widened(boxes, (2 + SPARE_LEAST) * widest));
			const sent = this.#sent.get(rank) ?? new Set();
			const missing = needed.filter((i) => !sent.has(ids[i]!));
			if (missing.some((i) => placeOf(this.#before.id, ids[i]!) >= 0)) {
				sent.clear();
				for (const i of nearBoxes(bodies, groups, reach, widened(boxes, (2 + SPARE) * widest))) sent.add(ids[i]!);
			} else for (const i of missing) sent.add(ids[i]!);
			this.#sent.set(rank, sent);
			for (const body of Int32Array.from(sent).sort()) {
				const i = placeOf(ids, body);
				if (i < 0) sent.delete(body);
				else {
					sendings.place.push(obstacles + i);
					sendings.rank.push(rank);
				}
			}
		}
		const centres = position.slice(3 * obstacles, 3 * (obstacles + own));
		this.#before = { id: ids.slice(), position: centres, reach, widest };
		return sendings;
	}
}

/** Boxes that are larger on each side. */
function widened(boxes: Float64Array, by: number): Float64Array {
	return boxes.map((bound, at) => bound + (at % BOX < 3 ? -by : by));
}

/** Own bodies that reach into one of these boxes, each once. */
function nearBoxes(
	bodies: Bodies,
	groups: ReturnType<typeof groupsOf>,
	reach: Float64Array,
	boxes: Float64Array,
): number[] {
	const found: number[] = [];
	const isFound = new Uint8Array(bodies.own);
	for (let group = 0; group + 1 < groups.start.length; group += 1) {
		for (let at = 0; at < boxes.length; at += BOX) {
			if (areApart(groups.boxes, BOX * group, boxes, at)) continue;
			for (let k = groups.start[group]!; k < groups.start[group + 1]!; k += 1) {
				const i = groups.order[k]!;
				const place = bodies.obstacles + i;
				if (isFound[i] === 1 || isOutside(bodies.position, 3 * place, reach[i]!, boxes, at)) continue;
				isFound[i] = 1;
				found.push(i);
			}
		}
	}
	return found;
}

/** Where an id is in an ascending list, -1 where it is not. */
function placeOf(ids: Int32Array, id: number): number {
	let from = 0;
	let to = ids.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (ids[middle]! < id) from = middle + 1;
		else to = middle;
	}
	return ids[from] === id ? from : -1;
}

/** How far own bodies reach from their centres, and look from there. */
function reachesOf(model: Model, bodies: Bodies, near: ContactRange): Float64Array {
	const reach = new Float64Array(bodies.own);
	for (let i = 0; i < bodies.own; i += 1) {
		const place = bodies.obstacles + i;
		const own = model.shapes[bodies.shape[place]!]!.reach;
		reach[i] =
			contactRangeOf(model, bodies, place, near) +
			(bodies.kind[place] === KIND.pseudoRigid ? own * stretch(bodies.map, 9 * place) : own);
	}
	return reach;
}

/** No vector becomes longer by more than this factor: the norm of all entries. */
function stretch(map: Float64Array, at: number): number {
	let squares = 0;
	for (let k = 0; k < 9; k += 1) squares += map[at + k]! * map[at + k]!;
	return Math.sqrt(squares);
}

/** Own bodies by tile, and a box around those of each. */
function groupsOf({ own, obstacles, position }: Bodies, tile: Int32Array, reach: Float64Array) {
	// Sorted as numbers that have both tile and body: nothing is compared by a function.
	const keys = Float64Array.from({ length: own }, (_, i) => tile[i]! * own + i).sort();
	const order = new Int32Array(own);
	for (let k = 0; k < own; k += 1) order[k] = keys[k]! % own;
	const start: number[] = [];
	for (let k = 0; k < own; k += 1) if (k === 0 || tile[order[k]!] !== tile[order[k - 1]!]) start.push(k);
	const boxes = new Float64Array(BOX * start.length);
	start.push(own);
	for (let group = 0; group + 1 < start.length; group += 1) {
		const box = boxes.subarray(BOX * group, BOX * group + BOX);
		box.fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3);
		for (let k = start[group]!; k < start[group + 1]!; k += 1) {
			const i = order[k]!;
			for (let d = 0; d < 3; d += 1) {
				const x = position[3 * (obstacles + i) + d]!;
				box[d] = Math.min(box[d]!, x - reach[i]!);
				box[3 + d] = Math.max(box[3 + d]!, x + reach[i]!);
			}
		}
	}
	return { boxes, start, order };
}

function areApart(one: Float64Array, i: number, other: Float64Array, j: number): boolean {
	for (let d = 0; d < 3; d += 1) {
		if (one[i + d]! > other[j + 3 + d]! || other[j + d]! > one[i + 3 + d]!) return true;
	}
	return false;
}

/** Whether a cube about a point has nothing in common with a box. */
function isOutside(point: Float64Array, at: number, reach: number, boxes: Float64Array, box: number): boolean {
	for (let d = 0; d < 3; d += 1) {
		const x = point[at + d]!;
		if (x - reach > boxes[box + 3 + d]! || x + reach < boxes[box + d]!) return true;
	}
	return false;
}
