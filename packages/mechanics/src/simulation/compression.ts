/**
 * Poisson's law of impact in two phases (Glocker and Pfeiffer 1995; Anitescu and Potra 1997). The compression brings the velocities V before the step to
 * rest against each other, q = V, and has reactions R_c. In the expansion contacts get at least the share e of that back, R_N >= e R_cN, with the
 * friction of what they get, and the forces of the step act: q = b + W R_c, and the law `preloaded`.
 *
 * With one e the sum of both phases creates no energy, with friction too (docs/decisions/0027 has the proof). Forces have no part in the compression, since a
 * body at rest would be thrown up by e g h in each step otherwise.
 */
import { lawCode, PARAMETERS } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Contacts } from "../contacts/contacts.js";
import { gapRate, relativeVelocity } from "../contacts/velocity.js";
import type { Scheme } from "../time/scheme.js";
import type { SolvedStep } from "./retrying-solver.js";

const PRELOADED = lawCode("preloaded");

export class Compression {
	readonly #scheme: Scheme;
	#q = new Float64Array(0);
	#law = new Uint8Array(0);
	#parameters = new Float64Array(0);

	constructor(scheme: Scheme) {
		this.#scheme = scheme;
	}

	/** True if the contact bounces in a step of length h. */
	#bounces(bodies: Bodies, contacts: Contacts, a: number, h: number): boolean {
		if (!(contacts.restitution[a]! > 0)) return false;
		const speed = gapRate(bodies, contacts, a, this.#scheme.before);
		return speed < 0 && Math.max(0, contacts.gap[a]!) + h * speed <= 0;
	}

	/** Number of contacts of this rank that bounce. */
	count(bodies: Bodies, contacts: Contacts, owner: Int32Array, rank: number, h: number): number {
		let count = 0;
		for (let a = 0; a < contacts.count; a += 1) {
			if (owner[a] === rank && this.#bounces(bodies, contacts, a, h)) count += 1;
		}
		return count;
	}

	/** q of the compression: V, and what an open contact that does not bounce may close by. The next call writes over it. */
	velocity(bodies: Bodies, contacts: Contacts, h: number): Float64Array {
		this.#q = grown(this.#q, 3 * contacts.count);
		relativeVelocity(bodies, contacts, this.#scheme.before, this.#q);
		for (let a = 0; a < contacts.count; a += 1) {
			const gap = contacts.gap[a]!;
			if (gap > 0 && !this.#bounces(bodies, contacts, a, h)) this.#q[3 * a]! += gap / h;
		}
		return this.#q;
	}

	/** The contacts of the expansion, whose reactions are at least what restitution gives back of these; parameters are mean forces of the step. */
	expanding(contacts: Contacts, reaction: Float64Array, h: number): Contacts {
		const { count, friction, restitution } = contacts;
		this.#law = grown(this.#law, count).fill(PRELOADED, 0, count);
		this.#parameters = grown(this.#parameters, PARAMETERS * count).fill(0, 0, PARAMETERS * count);
		for (let a = 0; a < count; a += 1) {
			this.#parameters[PARAMETERS * a] = friction[a]!;
			this.#parameters[PARAMETERS * a + 1] = (restitution[a]! * Math.max(0, reaction[3 * a]!)) / h;
		}
		return { ...contacts, count, laws: Int32Array.of(PRELOADED), law: this.#law, parameters: this.#parameters };
	}
}

/** Both phases as one solve: the work of both, and the worse end. */
export function bothPhases(compression: SolvedStep, expansion: SolvedStep): SolvedStep {
	const [one, other] = [compression.solution.report, expansion.solution.report];
	const worse = one.status !== "solved" && other.status === "solved" ? one : other;
	const reaction = expansion.solution.reaction.map((value, i) => value + compression.solution.reaction[i]!);
	const report = {
		...worse,
		iterations: one.iterations + other.iterations,
		products: one.products + other.products,
		error: Math.max(one.error, other.error),
		seconds: one.seconds + other.seconds,
	};
	return {
		solution: { reaction, report },
		retries: compression.retries + expansion.retries,
		seconds: compression.seconds + expansion.seconds,
	};
}
