/** The points in which two pieces touch, and where pieces are; buffers that are used again for each pair. */
import type { Convex } from "../shapes/convex.js";

/** The most points of two convex pieces. */
export const MANIFOLD_POINTS = 8;

/** A piece in the frame of its pair: world axes, with the origin at the centre of the body of smaller id. So moving both changes no bit. */
export interface PlacedPiece {
	convex: Convex;
	/** Of the body's centre. */
	readonly centre: Float64Array;
	/** Nine by rows: rotation or deformation gradient. */
	readonly map: Float64Array;
	/** Whether `map` is a rotation, so that a sphere is a sphere still. */
	isRigid: boolean;
}

export function makePlacedPiece(): PlacedPiece {
	const nothing = new Float64Array(0);
	const convex = { kind: "polyhedron", vertices: nothing, middle: nothing, reach: 0 } as const;
	return { convex, centre: new Float64Array(3), map: new Float64Array(9), isRigid: true };
}

export interface Manifold {
	count: number;
	/** Three per point: unit vectors from the first piece to the second. */
	readonly normal: Float64Array;
	/** Three per point, half-way between the two surfaces, in the pair's frame. */
	readonly point: Float64Array;
	/** Distance along the normal; negative where they overlap. */
	readonly gap: Float64Array;
	/** What of the two pieces touches: the same numbers while the same features touch, each once per manifold. */
	readonly feature: Int32Array;
}

/**
 * Writes the points whose gap is at most `margin`. Swapping the pieces gives the same points with normals turned round, to the last bit: the caller
 * gives the body of smaller id first, and functions for unlike kinds may count on the order of kinds that their table says.
 */
export type PairFunction = (first: PlacedPiece, second: PlacedPiece, margin: number, manifold: Manifold) => void;

export function makeManifold(): Manifold {
	return {
		count: 0,
		normal: new Float64Array(3 * MANIFOLD_POINTS),
		point: new Float64Array(3 * MANIFOLD_POINTS),
		gap: new Float64Array(MANIFOLD_POINTS),
		feature: new Int32Array(MANIFOLD_POINTS),
	};
}

/** Room for one more point, which the caller writes: of numbers that are handed over one by one each becomes an object where that is not inlined. */
export function takePoint(manifold: Manifold, feature: number): number {
	manifold.feature[manifold.count] = feature;
	manifold.count++;
	return manifold.count - 1;
}

export function addPoint(
	manifold: Manifold,
	nx: number,
	ny: number,
	nz: number,
	x: number,
	y: number,
	z: number,
	gap: number,
	feature: number,
): void {
	const k = 3 * manifold.count;
	const { normal, point } = manifold;
	normal[k] = nx;
	normal[k + 1] = ny;
	normal[k + 2] = nz;
	point[k] = x;
	point[k + 1] = y;
	point[k + 2] = z;
	manifold.gap[manifold.count] = gap;
	manifold.feature[manifold.count] = feature;
	manifold.count++;
}
