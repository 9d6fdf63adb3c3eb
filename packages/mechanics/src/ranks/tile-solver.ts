/**
 * Solves the contact problem of a step where its contacts are. Each rank orders and couples its own ones, all ranks have the graph of tiles, and what a rank
 * has to know of others' contacts it knows of its ghosts: nothing is gathered. The order follows from tiles alone, so one rank has the same bits.
 */
import { runStep } from "@stickslip/core/parallel";
import { bodyCrossings } from "./contact-owners.js";
import type { AttemptOptions, ContactSolver, StepProblem, StepSolution } from "./contact-solver.js";
import { exchange } from "./crossing-plan.js";
import type { Domain } from "./domain.js";
import { LocalContactFinder } from "./local-contacts.js";
import { RankShares } from "./rank-share.js";
import { TinySteps } from "./tiny-step.js";

export class TileSolver implements ContactSolver {
	readonly #finder = new LocalContactFinder();
	readonly #tiny = new TinySteps(this.#finder);
	readonly #shares = new RankShares();

	*solve(step: StepProblem, options: AttemptOptions, domain: Domain): Generator<void, StepSolution, void> {
		const { communicator, bodies, owners } = domain;
		const { rank } = communicator;
		const { problem, contacts, owner, start } = step;
		const tiny = this.#tiny.solve(step, options, domain);
		if (tiny && "solution" in tiny) return tiny.solution;
		const known = this.#finder.find(bodies, contacts, owner, domain);
		const { operator, worseStart = "drop", ...others } = options;
		const { share, own } = this.#shares.of(step, known, domain, operator);
		const run = { ...others, ...(start && { worseStart }) };
		// Its own one: of several attempts the best is kept.
		const reaction = new Float64Array(3 * problem.contacts);
		const report = yield* runStep(share, run, communicator, reaction, own, tiny?.state);
		if (communicator.size > 1) exchange(communicator, bodyCrossings(contacts, owners, owner, rank), 3, reaction);
		return { reaction, report };
	}
}
