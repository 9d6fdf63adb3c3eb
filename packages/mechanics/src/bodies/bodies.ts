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
	/** About the centre in world axes, three per body: what rotations of rigid bodies carry on, since it is conserved to the bit; spin follows from it. */
	readonly angularMomentum: Float64Array;
	/** Rates of the deformation gradient, nine per body; empty where no body is pseudo-rigid. */
	readonly rate: Float64Array;
	readonly mass: Float64Array;
	/** Second moments of mass (integral of rho X X^T) in body axes: xx, yy, zz, xy, xz, yz; the inertia is trace - moments. */
	readonly moments: Float64Array;
	/** Principal moments of inertia, three per body, and the quaternion that turns principal axes into body axes. */
	readonly inertia: Float64Array;
	readonly axes: Float64Array;
}

/** Numbers per body of each field. */
export const FIELDS = {
	id: 1,
	kind: 1,
	shape: 1,
	material: 1,
	isHeld: 1,
	position: 3,
	orientation: 4,
	map: 9,
	velocity: 3,
	spin: 3,
	angularMomentum: 3,
	rate: 9,
	mass: 1,
	moments: 6,
	inertia: 3,
	axes: 4,
} as const satisfies Partial<Record<keyof Bodies, number>>;

export type Field = keyof typeof FIELDS;

/** What changes from step to step: what a checkpoint keeps, a ghost is told, and a hash is taken of. */
export const STATE_FIELDS = [
	"position",
	"orientation",
	"map",
	"velocity",
	"spin",
	"angularMomentum",
	"rate",
] as const satisfies readonly Field[];

export function emptyBodies(counts: Pick<Bodies, "obstacles" | "own" | "count" | "total">, hasRates: boolean): Bodies {
	const { count } = counts;
	return {
		...counts,
		id: new Int32Array(count),
		kind: new Uint8Array(count),
		shape: new Int32Array(count),
		material: new Int32Array(count),
		isHeld: new Uint8Array(count),
		position: new Float64Array(3 * count),
		orientation: new Float64Array(4 * count),
		map: new Float64Array(9 * count),
		velocity: new Float64Array(3 * count),
		spin: new Float64Array(3 * count),
		angularMomentum: new Float64Array(3 * count),
		rate: new Float64Array(hasRates ? 9 * count : 0),
		mass: new Float64Array(count),
		moments: new Float64Array(6 * count),
		inertia: new Float64Array(3 * count),
		axes: new Float64Array(4 * count),
	};
}
