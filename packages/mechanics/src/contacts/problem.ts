/** The contact problem of a step, in arrays that are used again for the next one: bodies for a solver that forms W or works without it, or rows of W. */
import { type ContactLaws, lawOf, PARAMETERS, type Problem, type RigidContacts } from "@stickslip/core";
import { grown } from "../base/grow.js";
import { KeptView } from "../base/kept-view.js";
import type { Bodies } from "../bodies/bodies.js";
import type { InverseMasses } from "../bodies/generalized.js";
import { moves } from "./body-contacts.js";
import type { Contacts } from "./contacts.js";
import { RowAssembly } from "./rows.js";

export class ProblemMaker {
	/** Rows of W, where bodies are pseudo-rigid. */
	readonly rows = new RowAssembly();
	#body = new Int32Array(0);
	/** Of laws, with forces as impulses. */
	#parameters = new Float64Array(0);
	readonly #parts = {
		q: new KeptView<Float64Array>(),
		mu: new KeptView<Float64Array>(),
		point: new KeptView<Float64Array>(),
		body: new KeptView<Int32Array>(),
		frame: new KeptView<Float64Array>(),
		arm: new KeptView<Float64Array>(),
		mass: new KeptView<Float64Array>(),
		inertia: new KeptView<Float64Array>(),
		moment: new KeptView<Uint8Array>(),
	};

	/**
	 * The problem of all contacts; `q` is H b with what the scheme adds to it, h the step, in which forces become impulses. Where a body of the simulation is pseudo-rigid, whether it touches or not,
	 * W is there, and otherwise bodies are.
	 */
	make(name: string, bodies: Bodies, contacts: Contacts, masses: InverseMasses, q: Float64Array, h = 1): Problem {
		const { count } = contacts;
		const parts = this.#parts;
		return {
			name,
			contacts: count,
			q: parts.q.of(q, 0, 3 * count),
			mu: parts.mu.of(contacts.friction, 0, count),
			...(contacts.laws.length > 0 && { laws: this.#laws(contacts, h) }),
			...(bodies.rate.length > 0
				? { W: this.rows.assemble(bodies, contacts, masses) }
				: { rigid: this.#rigid(bodies, contacts, masses) }),
			geometry: { point: parts.point.of(contacts.point, 0, 3 * count) },
		};
	}

	#laws({ count, law, parameters }: Contacts, h: number): ContactLaws {
		this.#parameters = grown(this.#parameters, PARAMETERS * count);
		const impulses = this.#parameters;
		for (let a = 0; a < count; a += 1) {
			const numbers = lawOf(law[a]!)!.doc.parameters;
			for (let k = 0; k < PARAMETERS; k += 1) {
				const value = parameters[PARAMETERS * a + k]!;
				impulses[PARAMETERS * a + k] = numbers[k - 1]?.kind === "reaction" ? h * value : value;
			}
		}
		return { law: law.subarray(0, count), parameters: impulses.subarray(0, PARAMETERS * count) };
	}

	/** Bodies have the numbers of their places from the first that is no obstacle: on one rank these follow from ids. What does not move is -1. */
	#rigid(bodies: Bodies, contacts: Contacts, masses: InverseMasses): RigidContacts {
		const { count } = contacts;
		const { obstacles } = bodies;
		this.#body = grown(this.#body, 2 * count);
		const body = this.#body;
		const parts = this.#parts;
		for (let k = 0; k < 2 * count; k += 1) {
			const place = contacts.body[k]!;
			body[k] = moves(bodies, place) ? place - obstacles : -1;
		}
		return {
			body: parts.body.of(body, 0, 2 * count),
			frame: parts.frame.of(contacts.frame, 0, 9 * count),
			arm: parts.arm.of(contacts.arm, 0, 6 * count),
			inverseMass: parts.mass.of(masses.mass, obstacles, bodies.count),
			inverseInertia: parts.inertia.of(masses.inertia, 6 * obstacles, 6 * bodies.count),
			...(contacts.isMoment.length > 0 && { moment: parts.moment.of(contacts.isMoment, 0, count) }),
		};
	}
}
