/**
 * Axes along which two polyhedra may be told apart. The signed distance of two convex bodies is the largest separation over all directions, and where they
 * overlap it is found among the normals of their faces and the common normals of pairs of their edges (the separating axis theorem).
 */

export const FACE_OF_FIRST = 0;
export const FACE_OF_SECOND = 1;
export const EDGES = 2;

export interface SeparatingAxis {
	kind: number;
	/** min over the second body - max over the first along the axis; negative where they overlap. */
	separation: number;
	/** A unit vector from the first to the second. */
	x: number;
	y: number;
	z: number;
	/** Of the body that `kind` says. */
	face: number;
	/** One of each body, where `kind` is EDGES. */
	firstEdge: number;
	secondEdge: number;
}

export function makeAxis(): SeparatingAxis {
	return { kind: FACE_OF_FIRST, separation: 0, x: 0, y: 0, z: 1, face: 0, firstEdge: 0, secondEdge: 0 };
}

/**
 * Cosine of the angle (0.01) below which two axes count as one: then the face is taken, and of two faces the first body's. So boxes that stand on each other
 * keep all points of their faces while they rock a little, where the deepest axis itself would change from step to step.
 */
export const NEARLY_PARALLEL = 0.99995;

export function isNearlyParallel(a: SeparatingAxis, b: SeparatingAxis): boolean {
	return a.x * b.x + a.y * b.y + a.z * b.z > NEARLY_PARALLEL;
}

export function copyAxis(from: SeparatingAxis, to: SeparatingAxis): void {
	to.kind = from.kind;
	to.separation = from.separation;
	to.x = from.x;
	to.y = from.y;
	to.z = from.z;
	to.face = from.face;
	to.firstEdge = from.firstEdge;
	to.secondEdge = from.secondEdge;
}
