/** The contact problem of a step, in arrays that are used again for the next one: bodies for a solver that forms W or works without it, or rows of W. */
import type { Problem, RigidContacts } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { InverseMasses } from "../bodies/generalized.js";
import { moves } from "./body-contacts.js";
import type { Contacts } from "./contacts.js";
import { RowAssembly } from "./rows.js";

export class ProblemMaker {
	/** Rows of W, where bodies are pseudo-rigid. */
	readonly rows = new RowAssembly();
	#body = new Int32Array(0);

	/**
	 * The problem of all contacts; `q` is H b with what the scheme adds to it. Where a body of the simulation is pseudo-rigid, whether it touches or not,
	 * W is there, and otherwise bodies are.
	 */
	make(name: string, bodies: Bodies, contacts: Contacts, masses: InverseMasses, q: Float64Array): Problem {
		const { count } = contacts;
		return {
			name,
			contacts: count,
			q: q.subarray(0, 3 * count),
			mu: contacts.friction.subarray(0, count),
			...(bodies.rate.length > 0
				? { W: this.rows.assemble(bodies, contacts, masses) }
				: { rigid: this.#rigid(bodies, contacts, masses) }),
			geometry: { point: contacts.point.subarray(0, 3 * count) },
		};
	}

	/** Bodies have the numbers of their places from the first that is no obstacle: on one rank these follow from ids. What does not move is -1. */
	#rigid(bodies: Bodies, contacts: Contacts, masses: InverseMasses): RigidContacts {
		const { count } = contacts;
		const { obstacles } = bodies;
		this.#body = grown(this.#body, 2 * count);
		const body = this.#body;
		for (let k = 0; k < 2 * count; k += 1) {
			const place = contacts.body[k]!;
			body[k] = moves(bodies, place) ? place - obstacles : -1;
		}
		return {
			body: body.subarray(0, 2 * count),
			frame: contacts.frame.subarray(0, 9 * count),
			arm: contacts.arm.subarray(0, 6 * count),
			inverseMass: masses.mass.subarray(obstacles, bodies.count),
			inverseInertia: masses.inertia.subarray(6 * obstacles, 6 * bodies.count),
		};
	}
}
