/** Velocities, impulses and inverse masses of all degrees of freedom of bodies, by place; the fields of rates are empty where no body is pseudo-rigid. */
import type { Bodies } from "./bodies.js";

/** Of the centre (three per body), angular in world axes (three), and of the deformation gradient by rows (nine). */
export type Velocities = Pick<Bodies, "velocity" | "spin" | "rate">;

/** What reactions give to the degrees of freedom in the same order: H^T R. */
export interface Impulses {
	readonly linear: Float64Array;
	readonly angular: Float64Array;
	readonly rate: Float64Array;
}

/** A^-1 body by body. The centre of a pseudo-rigid body and its rates do not couple. */
export interface InverseMasses {
	/** One per body; that of obstacles is not looked at. */
	readonly mass: Float64Array;
	/** Of rigid bodies: six per body, the symmetric inverse inertia in world axes, xx, yy, zz, xy, xz, yz. */
	readonly inertia: Float64Array;
	/** Of pseudo-rigid bodies: 9 x 9 per body, by rows, for the rates as they are stored. */
	readonly rate: Float64Array;
}
