/** Contacts of rigid bodies as rolling contacts: a moment behind every force (rolling.ts), as bodies and in the global form. */
import type { Geometry, Problem, RigidContacts } from "./problem.js";
import { freeRelativeVelocity, rigidToGlobal } from "./rigid-to-global.js";
import { forBothBlocks, momentBlocks, rollingLaws } from "./rolling.js";

export interface RollingBodies {
	readonly name: string;
	/** Friction of each contact. */
	readonly mu: Float64Array;
	/** Rolling friction and spinning friction of each contact, lengths. */
	readonly muRolling: Float64Array;
	readonly muSpinning: Float64Array;
	readonly rigid: RigidContacts;
	/** Six values per body, in world axes: what each would do if it touched nothing. */
	readonly freeVelocity: Float64Array;
	readonly geometry?: Geometry;
}

export function rollingBodies(given: RollingBodies): Problem & { readonly rigid: RigidContacts } {
	const { name, mu, freeVelocity, geometry } = given;
	const laws = rollingLaws(given.muRolling, given.muSpinning);
	const rigid = { ...given.rigid, ...blocksOf(given.rigid), moment: momentBlocks(laws)! };
	const friction = new Float64Array(2 * mu.length);
	for (let k = 0; k < mu.length; k += 1) friction[2 * k] = mu[k]!;
	const q = freeRelativeVelocity(rigid, freeVelocity);
	return {
		name,
		contacts: 2 * mu.length,
		q,
		mu: friction,
		laws,
		rigid,
		global: rigidToGlobal(rigid, q, freeVelocity),
		geometry: { ...(geometry?.point && { point: forBothBlocks(geometry.point, 3) }), body: rigid.body },
	};
}

/** The moment of a contact has its bodies and its frame. */
function blocksOf({ body, frame, arm }: RigidContacts): Pick<RigidContacts, "body" | "frame" | "arm"> {
	return { body: forBothBlocks(body, 2), frame: forBothBlocks(frame, 9), arm: forBothBlocks(arm, 6) };
}
