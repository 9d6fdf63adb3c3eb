/**
 * Boxes along the axes around pieces, by ascending id of their bodies and number of piece: so pairs of entries that ascend are pairs in canonical
 * order. Boxes hold the piece and as far as its body looks, and a little more for rounding: which pieces touch is for the narrow phase to say.
 */

import { grown } from "../base/grow.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import { type ContactRange, contactRangeOf } from "../bodies/contact-range.js";
import type { Model } from "../bodies/model.js";
import type { Convex } from "../shapes/convex.js";

/** Whether an entry's body moves; planes are fixed. */
export const BOX_KIND = { fixed: 0, moving: 1, held: 2, plane: 3 } as const;

/** Of sizes and of distances from the origin: what rounding may have taken off a box. */
const ROUNDING = 1e-14;

export class Boxes {
	count = 0;
	/** How many entries from the front on are of obstacles. */
	fixed = 0;
	place = new Int32Array(0);
	piece = new Int32Array(0);
	/** One of BOX_KIND. */
	role = new Uint8Array(0);
	/** Six per entry: the lower corner and the upper one. */
	bounds = new Float64Array(0);
	/** Entries that are planes, which have no box, and four numbers each: what is solid has normal . x <= offset, and how far it looks is in the offset. */
	planes = new Int32Array(0);
	planeEquation = new Float64Array(0);
	planeCount = 0;
	/** By place, how far a body looks: what its boxes are larger by on each side. */
	sight = new Float64Array(0);
	#order = new Int32Array(0);

	/** Makes an entry of each piece. */
	fill(model: Model, bodies: Bodies, near: ContactRange): void {
		this.sight = grown(this.sight, bodies.count);
		const order = this.#ordered(bodies);
		this.count = 0;
		this.planeCount = 0;
		for (let k = 0; k < bodies.count; k += 1) {
			const place = order[k]!;
			const { pieces } = model.shapes[bodies.shape[place]!]!;
			this.#reserve(this.count + pieces.length);
			const role = roleOf(bodies, place);
			const spare = contactRangeOf(model, bodies, place, near);
			this.sight[place] = spare;
			for (let piece = 0; piece < pieces.length; piece += 1) {
				const entry = this.count;
				this.count += 1;
				this.place[entry] = place;
				this.piece[entry] = piece;
				this.role[entry] = role;
				const convex = pieces[piece]!;
				if (convex.kind === "plane") this.#addPlane(entry, convex, bodies, place, spare);
				else writeBox(this.bounds, 6 * entry, convex, bodies, place, this.sight);
			}
			if (place < bodies.obstacles) this.fixed = this.count;
		}
	}

	/** Places by ascending id: obstacles come first, own bodies and ghosts are merged. */
	#ordered(bodies: Bodies): Int32Array {
		this.#order = grown(this.#order, bodies.count);
		const order = this.#order;
		const { obstacles, count, id } = bodies;
		const ownEnd = obstacles + bodies.own;
		for (let place = 0; place < obstacles; place += 1) order[place] = place;
		let own = obstacles;
		let ghost = ownEnd;
		for (let k = obstacles; k < count; k += 1) {
			const isOwn = ghost === count || (own < ownEnd && id[own]! < id[ghost]!);
			order[k] = isOwn ? own : ghost;
			if (isOwn) own += 1;
			else ghost += 1;
		}
		return order;
	}

	#reserve(count: number): void {
		this.place = grown(this.place, count);
		this.piece = grown(this.piece, count);
		this.role = grown(this.role, count);
		this.bounds = grown(this.bounds, 6 * count);
	}

	#addPlane(entry: number, { plane }: Convex, { map, position }: Bodies, place: number, spare: number): void {
		const k = this.planeCount;
		this.planes = grown(this.planes, k + 1);
		this.planeEquation = grown(this.planeEquation, 4 * k + 4);
		this.planes[k] = entry;
		this.planeCount += 1;
		this.role[entry] = BOX_KIND.plane;
		const { normal, offset } = plane!;
		let level = offset + spare;
		for (let d = 0; d < 3; d += 1) {
			const row = 9 * place + 3 * d;
			const turned = map[row]! * normal[0]! + map[row + 1]! * normal[1]! + map[row + 2]! * normal[2]!;
			this.planeEquation[4 * k + d] = turned;
			level += turned * position[3 * place + d]!;
			this.bounds[6 * entry + d] = Infinity;
			this.bounds[6 * entry + 3 + d] = -Infinity;
		}
		this.planeEquation[4 * k + 3] = level;
	}

	/** Whether the box of an entry has a corner on the solid side of a plane, but for rounding. */
	isBelow(entry: number, plane: number): boolean {
		const { bounds, planeEquation } = this;
		const at = 6 * entry;
		const x = planeEquation[4 * plane]!;
		const y = planeEquation[4 * plane + 1]!;
		const z = planeEquation[4 * plane + 2]!;
		const level = planeEquation[4 * plane + 3]!;
		const lowest =
			x * bounds[x > 0 ? at : at + 3]! + y * bounds[y > 0 ? at + 1 : at + 4]! + z * bounds[z > 0 ? at + 2 : at + 5]!;
		return lowest - level <= 100 * ROUNDING * (Math.abs(lowest) + Math.abs(level));
	}
}

function roleOf(bodies: Bodies, place: number): number {
	if (bodies.kind[place] === KIND.obstacle) return BOX_KIND.fixed;
	return bodies.isHeld[place] === 1 ? BOX_KIND.held : BOX_KIND.moving;
}

function writeBox(
	bounds: Float64Array,
	at: number,
	convex: Convex,
	bodies: Bodies,
	place: number,
	sight: Float64Array,
) {
	const { map, position } = bodies;
	const { vertices, ball, radius } = convex;
	const isRound = radius !== undefined && bodies.kind[place] !== KIND.pseudoRigid;
	for (let d = 0; d < 3; d += 1) {
		const row = 9 * place + 3 * d;
		const m0 = map[row]!;
		const m1 = map[row + 1]!;
		const m2 = map[row + 2]!;
		let low = Infinity;
		let high = -Infinity;
		for (let k = 0; k < vertices.length; k += 3) {
			const x = m0 * vertices[k]! + m1 * vertices[k + 1]! + m2 * vertices[k + 2]!;
			if (x < low) low = x;
			if (x > high) high = x;
		}
		let width = sight[place]!;
		if (isRound) width += radius;
		else if (ball !== undefined) {
			// How far map * ball * (unit ball) reaches along this axis: the length of the row of map * ball.
			const b0 = m0 * ball[0]! + m1 * ball[3]! + m2 * ball[6]!;
			const b1 = m0 * ball[1]! + m1 * ball[4]! + m2 * ball[7]!;
			const b2 = m0 * ball[2]! + m1 * ball[5]! + m2 * ball[8]!;
			width += Math.sqrt(b0 * b0 + b1 * b1 + b2 * b2);
		}
		const centre = position[3 * place + d]!;
		width += ROUNDING * (Math.abs(centre) + Math.abs(low) + Math.abs(high) + width);
		bounds[at + d] = centre + low - width;
		bounds[at + 3 + d] = centre + high + width;
	}
}
