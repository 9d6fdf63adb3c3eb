/** Contacts of rigid bodies as rolling contacts: a moment behind every force (rolling.ts), in the global form, of which W is formed. */
import { reduce } from "./condense.js";
import type { Geometry, Problem, RigidContacts } from "./problem.js";
import { rollingToGlobal } from "./rigid-to-global.js";
import { forBothBlocks, rollingLaws } from "./rolling.js";
import { factor } from "./sparse-lu.js";

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

export function rollingBodies(given: RollingBodies): Problem {
	const { name, mu, rigid, freeVelocity, geometry } = given;
	const global = rollingToGlobal(rigid, freeVelocity);
	const friction = new Float64Array(2 * mu.length);
	for (let k = 0; k < mu.length; k += 1) friction[2 * k] = mu[k]!;
	return {
		name,
		contacts: 2 * mu.length,
		mu: friction,
		laws: rollingLaws(given.muRolling, given.muSpinning),
		global,
		...reduce(name, global, factor(global.M, name, "M")),
		geometry: {
			...(geometry?.point && { point: forBothBlocks(geometry.point, 3) }),
			body: forBothBlocks(rigid.body, 2),
		},
	};
}
