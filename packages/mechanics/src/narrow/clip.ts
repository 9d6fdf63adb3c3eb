/** Two convex polygons in a plane: the first is clipped by the sides of the second (Sutherland and Hodgman), and it is remembered which edges meet in each corner. */

/** Corners in order, counter-clockwise or not: x and y in the plane, and a height over it that is linear. */
export interface Polygon {
	count: number;
	x: Float64Array;
	y: Float64Array;
	height: Float64Array;
	/** The side from each corner to the next: k for the k-th of the polygon that is clipped, -1 - k for the k-th of the one that clips. */
	side: Int32Array;
	/** The square of the shortest side, where the polygon is a whole face. */
	shortest: number;
}

export function makePolygon(capacity: number): Polygon {
	return {
		count: 0,
		x: new Float64Array(capacity),
		y: new Float64Array(capacity),
		height: new Float64Array(capacity),
		side: new Int32Array(capacity),
		shortest: 0,
	};
}

export function growPolygon(polygon: Polygon, capacity: number): void {
	if (polygon.side.length >= capacity) return;
	polygon.x = new Float64Array(capacity);
	polygon.y = new Float64Array(capacity);
	polygon.height = new Float64Array(capacity);
	polygon.side = new Int32Array(capacity);
}

const buffers = [makePolygon(64), makePolygon(64)] as const;

/** What of `polygon` is inside `clip`, which is counter-clockwise. The answer is valid until the next call. */
export function clipPolygon(polygon: Polygon, clip: Polygon): Polygon {
	// Twice what convex polygons need, should rounding make one wave.
	const capacity = 2 * (polygon.count + clip.count) + 8;
	growPolygon(buffers[0], capacity);
	growPolygon(buffers[1], capacity);
	let from = polygon;
	for (let k = 0; k < clip.count && from.count > 0; k += 1) {
		const to = buffers[k % 2 === 0 ? 0 : 1];
		cut(from, clip, k, to);
		from = to;
	}
	return from;
}

/** Keeps what is to the left of the k-th side. */
function cut(from: Polygon, clip: Polygon, k: number, to: Polygon): void {
	const next = k + 1 === clip.count ? 0 : k + 1;
	const x0 = clip.x[k]!;
	const y0 = clip.y[k]!;
	const ux = clip.x[next]! - x0;
	const uy = clip.y[next]! - y0;
	to.count = 0;
	let last = from.count - 1;
	let before = uy * (from.x[last]! - x0) - ux * (from.y[last]! - y0);
	for (let at = 0; at < from.count; at += 1) {
		const outside = uy * (from.x[at]! - x0) - ux * (from.y[at]! - y0);
		if (outside <= 0) {
			if (before > 0) cross(from, last, at, before / (before - outside), from.side[last]!, to);
			push(to, from.x[at]!, from.y[at]!, from.height[at]!, from.side[at]!);
		} else if (before <= 0) {
			cross(from, last, at, before / (before - outside), -1 - k, to);
		}
		before = outside;
		last = at;
	}
}

function cross(from: Polygon, a: number, b: number, share: number, side: number, to: Polygon): void {
	const x = from.x[a]! + share * (from.x[b]! - from.x[a]!);
	const y = from.y[a]! + share * (from.y[b]! - from.y[a]!);
	push(to, x, y, from.height[a]! + share * (from.height[b]! - from.height[a]!), side);
}

function push(to: Polygon, x: number, y: number, height: number, side: number): void {
	const at = to.count;
	to.x[at] = x;
	to.y[at] = y;
	to.height[at] = height;
	to.side[at] = side;
	to.count += 1;
}
