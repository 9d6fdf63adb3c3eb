/**
 * Takes overlaps back without adding velocity, in schemes whose contact law knows no gaps: a second contact problem, without friction, whose unknowns are
 * displacements. Its solution moves bodies and is forgotten. Contacts that leave each other by themselves take no part in it.
 */
import { LAWS } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { ContactList } from "../contacts/contact-list.js";
import { ProblemMaker } from "../contacts/problem.js";
import { addImpulses, gapRate } from "../contacts/velocity.js";
import { ownersOfContacts } from "../ranks/contact-owners.js";
import type { Domain } from "../ranks/domain.js";
import { TileSolver } from "../ranks/tile-solver.js";
import type { Scheme } from "../time/scheme.js";
import { shiftBodies } from "../time/shift.js";

/** A step takes back a fraction of the overlaps, so that more accurate displacements would gain nothing. */
const SOLVER = { measure: "energy", tolerance: 1e-2, maxIterations: 100 } as const;

/** No point moves farther in a step than this times the largest overlap: what is above a stack of overlaps moves by their sum. */
const LIMIT = 10;

/** Bodies that come apart by themselves within this number of steps are left alone: moving them would change their angular momentum about each other. */
const PATIENCE = 10;

/** Codes of laws with limits, by which bodies may enter each other. */
const GIVING_WAY = (["capped", "box"] as const).map((law) => LAWS.indexOf(law));

export class PositionRecovery {
	/** Its own one: solvers keep what follows from the contacts of the last problem. */
	readonly #solver = new TileSolver();
	readonly #problems = new ProblemMaker();
	readonly #forces = new ContactList();
	#q = new Float64Array(0);
	readonly #impulses = { linear: new Float64Array(0), angular: new Float64Array(0), rate: new Float64Array(0) };

	/** Collective. Moves own bodies; `contacts` are those of the step, and velocities of `scheme` those before it. Returns the products that it needed. */
	*recover(model: Model, domain: Domain, contacts: ContactList, scheme: Scheme, h: number): Generator<void, number> {
		const { bodies, communicator, totals } = domain;
		const slop = scheme.overlapLeft(model);
		const most = h * (scheme.options.recoverySpeed ?? Number.POSITIVE_INFINITY);
		const forces = this.#forces;
		forces.copyForces(contacts, GIVING_WAY);
		const owner = ownersOfContacts(bodies, forces, domain.owners, communicator.rank);
		this.#q = grown(this.#q, 3 * forces.count).fill(0);
		let deepest = 0;
		for (let a = 0; a < forces.count; a += 1) {
			const before = gapRate(bodies, forces, a, scheme.before);
			const leaving = Math.max(0, before, -forces.restitution[a]! * before);
			const depth = forces.gap[a]! + slop + PATIENCE * h * leaving;
			this.#q[3 * a] = depth < 0 ? Math.max(scheme.recovery * depth, -most) : depth;
			if (owner.rank[a] === communicator.rank) deepest = Math.max(deepest, -depth);
		}
		const largest = totals.largest(Float64Array.of(deepest))[0]!;
		if (largest === 0) return 0;
		const problem = this.#problems.make("overlaps", bodies, forces, scheme.inverseMasses, this.#q);
		const step = { problem, contacts: forces, owner, start: undefined };
		const { reaction, report } = yield* this.#solver.solve(step, SOLVER, domain);
		shiftBodies(model, bodies, scheme.inverseMasses, this.#push(bodies, reaction), LIMIT * largest);
		return report.products;
	}

	#push(bodies: Bodies, reaction: Float64Array) {
		const impulses = this.#impulses;
		impulses.linear = grown(impulses.linear, 3 * bodies.count).fill(0);
		impulses.angular = grown(impulses.angular, 3 * bodies.count).fill(0);
		impulses.rate = grown(impulses.rate, bodies.rate.length).fill(0);
		addImpulses(bodies, this.#forces, reaction, impulses);
		return impulses;
	}
}
