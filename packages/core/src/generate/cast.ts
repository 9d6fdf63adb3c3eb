/** Makes the rigid-body problem of a pile: bodies and contacts in locality order, frames, arms and masses. */

import { writeFrame } from "../problem/frame.js";
import type { RigidContacts } from "../problem/problem.js";
import { orderBodies, orderContacts } from "./order.js";
import type { Pile } from "./pile.js";

export interface Cast {
	readonly rigid: RigidContacts;
	readonly point: Float64Array;
	/** Three coordinates per body, in the order of the ids of `rigid`. */
	readonly centre: Float64Array;
}

export function cast(pile: Pile): Cast {
	const bodyOrder = orderBodies(pile);
	const newId = new Int32Array(pile.bodies);
	bodyOrder.forEach((old, id) => {
		newId[old] = id;
	});
	const centre = gather(pile.centre, bodyOrder, 3);
	const inverseMass = gather(pile.mass, bodyOrder, 1).map((mass) => 1 / mass);
	const inverseInertia = gather(pile.inverseInertia, bodyOrder, 6);
	const order = orderContacts(pile, newId);
	const point = gather(pile.point, order, 3);
	const body = new Int32Array(2 * pile.contacts);
	const frame = new Float64Array(9 * pile.contacts);
	const arm = new Float64Array(6 * pile.contacts);
	for (let c = 0; c < pile.contacts; c += 1) {
		const old = order[c]!;
		const first = newId[pile.pair[2 * old]!]!;
		const other = pile.pair[2 * old + 1]!;
		const second = other < 0 ? -1 : newId[other]!;
		// The pile's normal points to `first`; body 1 is the one that N points to, and the higher id, or the only body.
		const sign = first > second ? 1 : -1;
		body[2 * c] = Math.min(first, second);
		body[2 * c + 1] = Math.max(first, second);
		const n = 3 * old;
		writeFrame(frame, 9 * c, sign * pile.normal[n]!, sign * pile.normal[n + 1]!, sign * pile.normal[n + 2]!);
		for (let side = 0; side < 2; side += 1) {
			const id = body[2 * c + side]!;
			if (id < 0) continue;
			for (let k = 0; k < 3; k += 1) arm[6 * c + 3 * side + k] = point[3 * c + k]! - centre[3 * id + k]!;
		}
	}
	return { rigid: { body, frame, arm, inverseMass, inverseInertia }, point, centre };
}

/** Groups of `width` values, in the order of their ids. */
function gather(values: Float64Array, order: Int32Array, width: number): Float64Array {
	const out = new Float64Array(width * order.length);
	for (let i = 0; i < order.length; i += 1) {
		for (let k = 0; k < width; k += 1) out[width * i + k] = values[width * order[i]! + k]!;
	}
	return out;
}
