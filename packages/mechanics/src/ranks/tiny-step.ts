/**
 * Steps of few contacts on one rank, each solved in one call of a kernel with the bits that any number of ranks have. What is known of contacts is kept
 * as long as they are at the same bodies in the same tiles: it follows from these alone.
 */
import { isTiny, type RunState, solveTinyBodies } from "@stickslip/core/parallel";
import { grown } from "../base/grow.js";
import { KeptView } from "../base/kept-view.js";
import type { SolverOptions, StepProblem, StepSolution } from "./contact-solver.js";
import type { Domain } from "./domain.js";
import { LocalContactFinder, type LocalContacts } from "./local-contacts.js";

/** Its end, or what the way of ranks goes on from. */
type TinyStep = { readonly solution: StepSolution } | { readonly state: RunState };

export class TinySteps {
	readonly #finder: LocalContactFinder;
	/** Of these contacts. */
	#found: LocalContacts | undefined;
	#order: Int32Array = new Int32Array(0);
	#room = new Float64Array(0);
	readonly #reaction = new KeptView<Float64Array>();

	constructor(finder = new LocalContactFinder()) {
		this.#finder = finder;
	}

	/** Undefined where the step has to be solved as on ranks. The next step writes over the reactions. */
	solve(
		step: StepProblem,
		options: SolverOptions,
		domain: Domain,
		engine: "wasm" | "twin" = "wasm",
	): TinyStep | undefined {
		const { problem, start } = step;
		if (domain.communicator.size > 1 || !isTiny(problem, options)) return undefined;
		const found = this.#finder.find(domain.bodies, step.contacts, step.owner, domain);
		if (found !== this.#found) this.#order = byColour(found);
		this.#found = found;
		this.#room = grown(this.#room, 3 * problem.contacts);
		const reaction = this.#reaction.of(this.#room, 0, 3 * problem.contacts);
		const { contact, blocks } = found;
		const given = { problem, contact, order: this.#order, blocks, start };
		const outcome = solveTinyBodies(given, options, reaction, engine);
		return outcome && "facts" in outcome ? { solution: { reaction, report: outcome.facts } } : outcome;
	}
}

/** Places of contacts as they are swept: by the colours of their tiles, by place in each. */
function byColour({ contact, graph }: LocalContacts): Int32Array {
	const { start, colour, colours } = graph;
	const order = new Int32Array(contact.length);
	for (let c = 0, to = 0; c < colours; c += 1) {
		for (let t = 0; t < colour.length; t += 1) {
			if (colour[t] !== c) continue;
			for (let place = start[t]!; place < start[t + 1]!; place += 1, to += 1) order[to] = place;
		}
	}
	return order;
}
