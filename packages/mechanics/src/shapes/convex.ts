/**
 * Convex pieces, which is what collides: the hull of some points, widened by a ball that may be stretched, K = conv(vertices) + ball * (unit ball).
 * A sphere and an ellipsoid have one point, a capsule has two, a polyhedron has no ball. A body that is placed by x -> centre + map (X - 0), with map a
 * rotation or a deformation gradient, has pieces of the same form: map * vertices, and map * ball.
 */
import type { Shape } from "./shape.js";

export type ConvexKind = "sphere" | "ellipsoid" | "capsule" | "polyhedron" | "plane";

/** One piece in the axes of its body, whose origin is the centre of mass. */
export interface Convex {
	readonly kind: ConvexKind;
	/** Three coordinates per point. */
	readonly vertices: Float64Array;
	/** Nine numbers by rows; absent for polyhedra and planes. Of spheres and capsules radius times the identity. */
	readonly ball?: Float64Array;
	/** Of spheres and capsules. */
	readonly radius?: number;
	/** Of polyhedra. */
	readonly faces?: Faces;
	/** Of boxes: the halves of the three edges, by rows; the solid is all points middle + s times them with |s_i| <= 1. */
	readonly halfEdges?: Float64Array;
	/** Of planes: the unit normal out of the solid and its offset along it. */
	readonly plane?: { readonly normal: Float64Array; readonly offset: number };
	/** A ball that holds the piece: its middle, and its radius (infinite for planes). */
	readonly middle: Float64Array;
	readonly reach: number;
}

export interface Faces {
	/** Corners of face f, counter-clockwise seen from outside: those from `start[f]` on. */
	readonly start: Int32Array;
	readonly vertex: Int32Array;
	/** Beside each corner of `vertex` the edge from it to the next one. */
	readonly loopEdge: Int32Array;
	/** Unit normals out of the solid, three per face, and their offsets. */
	readonly normal: Float64Array;
	readonly offset: Float64Array;
	/** Two vertices, the smaller first, and two faces per edge: that which goes round with the edge, then that which goes against it. */
	readonly edge: Int32Array;
	readonly edgeFace: Int32Array;
}

/** What a shape weighs per unit of density, about its own centre of mass. */
export interface MassProperties {
	readonly volume: number;
	/** Of volume, in the axes of the description. */
	readonly centre: Float64Array;
	/** Second moments of volume (integral of X X^T) about the centre: xx, yy, zz, xy, xz, yz. */
	readonly moments: Float64Array;
}

/** A shape made ready: pieces about the centre of mass. There is one for each distinct shape, whatever the number of bodies. */
export interface CompiledShape {
	readonly description: Shape;
	readonly pieces: readonly Convex[];
	/** Absent where there is a plane. */
	readonly mass?: MassProperties;
	/** Of a ball about the origin that holds all pieces; infinite for planes. */
	readonly reach: number;
}
