/** Shapes as scenes describe them: plain data, in metres, about the origin of the shape's own axes. */

export type Vector = readonly [number, number, number];

/** A unit quaternion: w, x, y, z. */
export type Quaternion = readonly [number, number, number, number];

export interface Sphere {
	readonly kind: "sphere";
	readonly radius: number;
}

export interface Ellipsoid {
	readonly kind: "ellipsoid";
	readonly radii: Vector;
}

/** All points that are at most `radius` from a segment of `length` along z. */
export interface Capsule {
	readonly kind: "capsule";
	readonly radius: number;
	readonly length: number;
}

export interface Box {
	readonly kind: "box";
	/** Edges along x, y and z. */
	readonly size: Vector;
}

/** A convex polyhedron: the hull of its vertices, each of which is a corner. */
export interface Polyhedron {
	readonly kind: "polyhedron";
	readonly vertices: readonly Vector[];
}

/** The half-space `normal . x <= offset`; for obstacles only. */
export interface Plane {
	readonly kind: "plane";
	readonly normal: Vector;
	readonly offset: number;
}

export type ConvexShape = Sphere | Ellipsoid | Capsule | Box | Polyhedron | Plane;

/** Convex pieces that move as one. They may touch and overlap; where they do, volume counts once for each. */
export interface Union {
	readonly kind: "union";
	readonly pieces: readonly {
		readonly shape: Exclude<ConvexShape, Plane>;
		readonly position?: Vector;
		readonly orientation?: Quaternion;
	}[];
}

export type Shape = ConvexShape | Union;
