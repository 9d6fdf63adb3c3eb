/**
 * The state of bodies, a typed array by field. Places: obstacles first, which every rank has; then the rank's own bodies by ascending id; then ghosts,
 * bodies of other ranks that are near, by ascending id. Obstacles have the lowest ids, so that on one rank place and id are the same.
 */

export const KIND = { obstacle: 0, rigid: 1, pseudoRigid: 2 } as const;

export interface Bodies {
	readonly obstacles: number;
	readonly own: number;
	/** With ghosts. */
	readonly count: number;
	/** Of all ranks together. */
	readonly total: number;
	readonly id: Int32Array;
	/** One of KIND. */
	readonly kind: Uint8Array;
	/** Numbers of the model. */
	readonly shape: Int32Array;
	readonly material: Int32Array;
	/** 1 for a body that is held still until an event releases it. */
	readonly isHeld: Uint8Array;
	/** Centre of mass, three per body. */
	readonly position: Float64Array;
	/** Unit quaternion of rigid bodies and obstacles, four per body: w, x, y, z. */
	readonly orientation: Float64Array;
	/** Nine per body by rows: the rotation, or the deformation gradient of a pseudo-rigid body; x = position + map X. */
	readonly map: Float64Array;
	/** Of the centre, three per body. */
	readonly velocity: Float64Array;
	/** Angular velocity in world axes, three per body. */
	readonly spin: Float64Array;
	/** Rates of the deformation gradient, nine per body; empty where no body is pseudo-rigid. */
	readonly rate: Float64Array;
	readonly mass: Float64Array;
	/** Second moments of mass (integral of rho X X^T) in body axes: xx, yy, zz, xy, xz, yz; the inertia is trace - moments. */
	readonly moments: Float64Array;
}
