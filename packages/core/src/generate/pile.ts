/** What the constructions hand over: bodies and touching points, in whatever order they arose. */
export interface Pile {
	readonly bodies: number;
	readonly contacts: number;
	/** Three coordinates per body. */
	readonly centre: Float64Array;
	readonly mass: Float64Array;
	/** Six per body: the inverse inertia in world axes, xx, yy, zz, xy, xz, yz. */
	readonly inverseInertia: Float64Array;
	/** Two bodies per contact, the second one -1 for the ground. */
	readonly pair: Int32Array;
	/** Three per contact: the unit vector from the second body of the pair towards the first. */
	readonly normal: Float64Array;
	/** Three coordinates per contact. */
	readonly point: Float64Array;
}

/** When a construction stops: whichever comes first. */
export interface Size {
	readonly contacts: number;
	readonly bodies: number;
}
