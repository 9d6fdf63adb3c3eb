/**
 * The contacts of a step in canonical order: by the smaller id of the two bodies, then the larger one, then the feature. A rolling contact stands there twice:
 * its force, and behind it its moment, whose U is the relative angular velocity.
 */

export interface Contacts {
	count: number;
	/** Places of the two bodies, that of smaller id first. */
	readonly body: Int32Array;
	/** What of the two touches, once per pair: with the two ids the key of a contact, by which warm starts find it again. */
	readonly feature: Int32Array;
	/** Half-way between the surfaces, in world coordinates. */
	readonly point: Float64Array;
	/** Nine per contact: N, T1, T2. N points from the first body to the second. */
	readonly frame: Float64Array;
	/** Six per contact: from the centre of the first body, then of the second, to the point. */
	readonly arm: Float64Array;
	readonly gap: Float64Array;
	readonly friction: Float64Array;
	readonly restitution: Float64Array;
	/** Codes of the laws that contacts may have, the same on all ranks; empty where all have Coulomb's. Then there is nothing in the next two. */
	readonly laws: Int32Array;
	/** The law of each by its code, and its parameters with forces in newtons. */
	readonly law: Uint8Array;
	readonly parameters: Float64Array;
	/** Of the moment of the contact before it, 1; empty where contacts cannot roll. */
	readonly isMoment: Uint8Array;
}
