/** The contact problem of rigid bodies, for a solver that forms W = H M^-1 H^T itself or works without it. */
import type { Problem } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { InverseMasses } from "../bodies/generalized.js";
import type { Contacts } from "./contacts.js";

/** Makes problems whose arrays are used again for the next one. */
export class RigidProblem {
	#body = new Int32Array(0);

	/**
	 * Bodies are numbered by id from the first that is no obstacle, so that the numbers are the same on any number of ranks; what does not move is -1. `q` is
	 * H b and what the scheme adds to it.
	 */
	make(name: string, bodies: Bodies, contacts: Contacts, masses: InverseMasses, q: Float64Array): Problem {
		const { count } = contacts;
		const { obstacles } = bodies;
		this.#body = grown(this.#body, 2 * count);
		const body = this.#body;
		for (let k = 0; k < 2 * count; k += 1) {
			const place = contacts.body[k]!;
			body[k] = place < obstacles || bodies.isHeld[place] === 1 ? -1 : place - obstacles;
		}
		return {
			name,
			contacts: count,
			q: q.subarray(0, 3 * count),
			mu: contacts.friction.subarray(0, count),
			rigid: {
				body: body.subarray(0, 2 * count),
				frame: contacts.frame.subarray(0, 9 * count),
				arm: contacts.arm.subarray(0, 6 * count),
				inverseMass: masses.mass.subarray(obstacles, bodies.count),
				inverseInertia: masses.inertia.subarray(6 * obstacles, 6 * bodies.count),
			},
			geometry: { point: contacts.point.subarray(0, 3 * count) },
		};
	}
}
