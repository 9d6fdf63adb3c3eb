/**
 * The convex hull of some points as triangles with exact orientation tests: randomised and incremental (Clarkson and Shor 1989), with one conflict
 * triangle for each point (Barber, Dobkin and Huhdanpaa 1996). Expected time n log n. Points in the plane of a triangle do not see it, so that coplanar
 * points are triangulated as well.
 */
import { Random } from "@stickslip/core";

export interface TriangulatedHull {
	readonly count: number;
	/** Three points per triangle, counter-clockwise from outside. */
	readonly corner: Int32Array;
	/** Neighbour 3 t + k of triangle t is across the edge from corner k to corner k + 1. */
	readonly neighbour: Int32Array;
}

/** Points are rounded to integers of a fixed number of bits, so that differences are exact: 1e-15 of the extent. */
const BITS = 49;
/** Bound of the rounding error of the determinant below, relative to the sum of its absolute terms (Shewchuk 1997, section 4.3, rounded up). */
const ERROR_BOUND = 2 ** -49;
const NONE = -1;

/** Undefined if all points are in one plane. Their extent must be positive, and its square must not overflow. */
export function triangulatedHull(points: Float64Array): TriangulatedHull | undefined {
	const grid = onGrid(points);
	const first = firstTetrahedron(grid);
	return first && new Builder(grid, first).build();
}

/** The points as integers from 0 to 2^BITS. */
function onGrid(points: Float64Array): Float64Array {
	const low = [0, 1, 2].map((axis) => least(points, axis, 1));
	const extent = Math.max(...[0, 1, 2].map((axis) => -least(points, axis, -1) - low[axis]!));
	return points.map((c, at) => Math.round(((c - low[at % 3]!) / extent) * 2 ** BITS));
}

function least(points: Float64Array, axis: number, sign: number): number {
	let value = Number.POSITIVE_INFINITY;
	for (let at = axis; at < points.length; at += 3) value = Math.min(value, sign * points[at]!);
	return value;
}

/** Positive if d is on the side of a, b, c from which they go round counter-clockwise: six times the volume, exact in sign. */
function orientation(grid: Float64Array, a: number, b: number, c: number, d: number): number {
	const [dx, dy, dz] = [grid[3 * d]!, grid[3 * d + 1]!, grid[3 * d + 2]!];
	const [ax, ay, az] = [grid[3 * a]! - dx, grid[3 * a + 1]! - dy, grid[3 * a + 2]! - dz];
	const [bx, by, bz] = [grid[3 * b]! - dx, grid[3 * b + 1]! - dy, grid[3 * b + 2]! - dz];
	const [cx, cy, cz] = [grid[3 * c]! - dx, grid[3 * c + 1]! - dy, grid[3 * c + 2]! - dz];
	const [bc, cb, ca, ac, ab, ba] = [bx * cy, by * cx, cx * ay, cy * ax, ax * by, ay * bx];
	const volume = az * (bc - cb) + bz * (ca - ac) + cz * (ab - ba);
	const sum =
		Math.abs(az) * (Math.abs(bc) + Math.abs(cb)) +
		Math.abs(bz) * (Math.abs(ca) + Math.abs(ac)) +
		Math.abs(cz) * (Math.abs(ab) + Math.abs(ba));
	if (Math.abs(volume) > ERROR_BOUND * sum) return -volume;
	return -exactSign(
		BigInt(ax),
		BigInt(ay),
		BigInt(az),
		BigInt(bx),
		BigInt(by),
		BigInt(bz),
		BigInt(cx),
		BigInt(cy),
		BigInt(cz),
	);
}

type Nine = [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];

function exactSign(...[ax, ay, az, bx, by, bz, cx, cy, cz]: Nine): number {
	const volume = az * (bx * cy - by * cx) + bz * (cx * ay - cy * ax) + cz * (ax * by - ay * bx);
	return volume > 0n ? 1 : volume < 0n ? -1 : 0;
}

/** Four points that are not in one plane, far apart from each other, the first three counter-clockwise from outside. */
function firstTetrahedron(grid: Float64Array): [number, number, number, number] | undefined {
	const a = farthest(grid, (p) => -grid[3 * p]!);
	const b = farthest(grid, (p) => squared(difference(grid, p, a)));
	const along = difference(grid, b, a);
	const c = farthest(grid, (p) => squared(cross(along, difference(grid, p, a))));
	const d = farthest(grid, (p) => Math.abs(orientation(grid, a, b, c, p)));
	const side = orientation(grid, a, b, c, d);
	if (side === 0) return undefined;
	return side < 0 ? [a, b, c, d] : [a, c, b, d];
}

function farthest(grid: Float64Array, measure: (point: number) => number): number {
	let best = 0;
	let value = Number.NEGATIVE_INFINITY;
	for (let p = 0; p < grid.length / 3; p += 1) {
		const own = measure(p);
		if (own <= value) continue;
		best = p;
		value = own;
	}
	return best;
}

function difference(grid: Float64Array, p: number, q: number): [number, number, number] {
	return [grid[3 * p]! - grid[3 * q]!, grid[3 * p + 1]! - grid[3 * q + 1]!, grid[3 * p + 2]! - grid[3 * q + 2]!];
}

function squared([x, y, z]: readonly [number, number, number]): number {
	return x * x + y * y + z * z;
}

function cross(u: readonly [number, number, number], v: readonly [number, number, number]): [number, number, number] {
	return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

class Builder {
	readonly #grid: Float64Array;
	readonly #first: readonly [number, number, number, number];
	/** By triangle; triangles that are gone have no corners. */
	readonly #corner: number[] = [];
	readonly #neighbour: number[] = [];
	/** Points that see a triangle and have it for their conflict, by triangle. */
	readonly #conflicts: number[][] = [];
	/** The conflict of each point that is outside the hull so far. */
	readonly #seen: Int32Array;
	/** The latest point for which a triangle was found visible. */
	readonly #visibleFor: number[] = [];

	constructor(grid: Float64Array, first: readonly [number, number, number, number]) {
		this.#grid = grid;
		this.#first = first;
		this.#seen = new Int32Array(grid.length / 3).fill(NONE);
	}

	build(): TriangulatedHull {
		const [a, b, c, d] = this.#first;
		const triangles = [
			[a, b, c],
			[b, a, d],
			[c, b, d],
			[a, c, d],
		] as const;
		for (const [p, q, r] of triangles) this.#add(p, q, r);
		this.#neighbour.splice(0, 12, 1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1);
		const order = new Random(0).shuffle(Int32Array.from(this.#seen.keys())).filter((p) => !this.#first.includes(p));
		for (const p of order) this.#assign(p, [0, 1, 2, 3]);
		for (const p of order) if (this.#seen[p] !== NONE) this.#insert(p);
		return this.#result();
	}

	#add(p: number, q: number, r: number): number {
		this.#corner.push(p, q, r);
		this.#neighbour.push(NONE, NONE, NONE);
		this.#conflicts.push([]);
		this.#visibleFor.push(NONE);
		return this.#conflicts.length - 1;
	}

	#sees(p: number, t: number): boolean {
		const at = 3 * t;
		return orientation(this.#grid, this.#corner[at]!, this.#corner[at + 1]!, this.#corner[at + 2]!, p) > 0;
	}

	/** To the first of some triangles that the point sees. */
	#assign(p: number, triangles: readonly number[]): void {
		const found = triangles.find((t) => this.#sees(p, t));
		this.#seen[p] = found ?? NONE;
		if (found !== undefined) this.#conflicts[found]!.push(p);
	}

	/** Replaces all triangles that the point sees by a cone from their border to the point. */
	#insert(p: number): void {
		const { visible, border } = this.#visible(p);
		const byStart = new Map<number, number>();
		const cone: number[] = [];
		for (const edge of border) {
			const [q, r] = [this.#corner[edge]!, this.#corner[next(edge)]!];
			const beyond = this.#neighbour[edge]!;
			const t = this.#add(q, r, p);
			cone.push(t);
			byStart.set(q, t);
			this.#neighbour[3 * t] = beyond;
			this.#neighbour[this.#edgeFrom(beyond, r)] = t;
		}
		for (const t of cone) {
			const following = byStart.get(this.#corner[3 * t + 1]!)!;
			this.#neighbour[3 * t + 1] = following;
			this.#neighbour[3 * following + 2] = t;
		}
		this.#seen[p] = NONE;
		for (const t of visible) {
			for (const other of this.#conflicts[t]!) if (other !== p) this.#assign(other, cone);
			this.#conflicts[t] = [];
			this.#corner[3 * t] = NONE;
		}
	}

	/** All triangles that a point sees, which are connected, and the edges at their border. */
	#visible(p: number): { visible: number[]; border: number[] } {
		const start = this.#seen[p]!;
		const visible = [start];
		const border: number[] = [];
		this.#visibleFor[start] = p;
		// Grows while it is walked.
		for (const t of visible) {
			for (let edge = 3 * t; edge < 3 * t + 3; edge += 1) {
				const other = this.#neighbour[edge]!;
				if (this.#visibleFor[other] === p) continue;
				if (this.#sees(p, other)) {
					this.#visibleFor[other] = p;
					visible.push(other);
				} else border.push(edge);
			}
		}
		return { visible, border };
	}

	#edgeFrom(t: number, p: number): number {
		return 3 * t + [0, 1, 2].find((k) => this.#corner[3 * t + k] === p)!;
	}

	/** Without the triangles that are gone. */
	#result(): TriangulatedHull {
		const place = new Int32Array(this.#conflicts.length).fill(NONE);
		let count = 0;
		for (let t = 0; t < place.length; t += 1) {
			if (this.#corner[3 * t] === NONE) continue;
			place[t] = count;
			count += 1;
		}
		const corner = new Int32Array(3 * count);
		const neighbour = new Int32Array(3 * count);
		for (let edge = 0; edge < this.#corner.length; edge += 1) {
			const to = place[Math.floor(edge / 3)]!;
			if (to === NONE) continue;
			corner[3 * to + (edge % 3)] = this.#corner[edge]!;
			neighbour[3 * to + (edge % 3)] = place[this.#neighbour[edge]!]!;
		}
		return { count, corner, neighbour };
	}
}

/** The edge that follows in the same triangle. */
function next(edge: number): number {
	return edge % 3 === 2 ? edge - 2 : edge + 1;
}
