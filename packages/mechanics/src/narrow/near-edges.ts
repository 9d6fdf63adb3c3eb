/** Edges of two polyhedra that are near enough to each other to matter. */
import type { Solid } from "./solid.js";

export interface NearEdges {
	first: Int32Array;
	second: Int32Array;
	firstCount: number;
	secondCount: number;
	/** Whether none is left out. */
	isWhole: boolean;
}

const near: NearEdges = {
	first: new Int32Array(64),
	second: new Int32Array(64),
	firstCount: 0,
	secondCount: 0,
	isWhole: true,
};

/** The edges of each that may be within `distance` of the other. Valid until the next call. */
export function findNearEdges(a: Solid, b: Solid, distance: number): NearEdges {
	if (near.first.length < a.faces.edge.length) near.first = new Int32Array(a.faces.edge.length);
	if (near.second.length < b.faces.edge.length) near.second = new Int32Array(b.faces.edge.length);
	near.firstCount = cull(a, b, distance, near.first);
	near.secondCount = cull(b, a, distance, near.second);
	near.isWhole = 2 * near.firstCount === a.faces.edge.length && 2 * near.secondCount === b.faces.edge.length;
	return near;
}

const box = new Float64Array(6);

/** Edges that come within the distance of the other body's bounding box. */
function cull(solid: Solid, other: Solid, distance: number, list: Int32Array): number {
	bound(other);
	const { edge } = solid.faces;
	const { vertex } = solid;
	let count = 0;
	for (let e = 0; 2 * e < edge.length; e += 1) {
		const p = 3 * edge[2 * e]!;
		const q = 3 * edge[2 * e + 1]!;
		let isNear = true;
		for (let axis = 0; axis < 3; axis += 1) {
			const c = vertex[p + axis]!;
			const d = vertex[q + axis]!;
			if (Math.max(c, d) < box[axis]! - distance || Math.min(c, d) > box[3 + axis]! + distance) isNear = false;
		}
		if (isNear) list[count++] = e;
	}
	return count;
}

function bound(solid: Solid): void {
	const { vertex } = solid;
	const end = solid.convex.vertices.length;
	box.fill(Number.POSITIVE_INFINITY, 0, 3);
	box.fill(Number.NEGATIVE_INFINITY, 3, 6);
	for (let at = 0; at < end; at += 3) {
		for (let axis = 0; axis < 3; axis += 1) {
			const c = vertex[at + axis]!;
			if (c < box[axis]!) box[axis] = c;
			if (c > box[3 + axis]!) box[3 + axis] = c;
		}
	}
}
