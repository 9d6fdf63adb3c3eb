/**
 * Steps of few contacts on one rank, each solved in one call of a kernel with the bits that any number of ranks have. What is known of contacts is kept
 * as long as they are at the same bodies in the same tiles: it follows from these alone.
 */
import { isTiny, solveTinyBodies } from "@stickslip/core/parallel";
import { grown } from "../base/grow.js";
import { KeptView } from "../base/kept-view.js";
import type { SolverOptions, StepProblem, StepSolution } from "./contact-solver.js";
import type { Domain } from "./domain.js";
import { findLocalContacts, type LocalContacts } from "./local-contacts.js";

/** What the kernel is told of contacts beside their numbers. */
interface Outline {
	readonly contact: Int32Array;
	/** Places of contacts as they are swept: by the colours of their tiles, by place in each. */
	readonly order: Int32Array;
	readonly colours: number;
	readonly blocks: number;
}

export class TinySteps {
	#outline: Outline | undefined;
	/** What it follows from: how many tiles there were, the two bodies of each contact, and its tile. */
	#tiles = 0;
	#body = new Int32Array(0);
	#tile = new Int32Array(0);
	#room = new Float64Array(0);
	readonly #reaction = new KeptView<Float64Array>();

	/** Undefined where the step has to be solved as on ranks. The next step writes over the reactions. */
	solve(
		step: StepProblem,
		options: SolverOptions,
		domain: Domain,
		engine: "wasm" | "twin" = "wasm",
	): StepSolution | undefined {
		const { problem, start } = step;
		if (domain.communicator.size > 1 || !isTiny(problem, options)) return undefined;
		const { contact, order, colours, blocks } = this.#outlineOf(step, problem.rigid!.body, domain);
		this.#room = grown(this.#room, 3 * problem.contacts);
		const reaction = this.#reaction.of(this.#room, 0, 3 * problem.contacts);
		const report = solveTinyBodies({ problem, contact, order, colours, blocks, start }, options, reaction, engine);
		return report && { reaction, report };
	}

	#outlineOf({ contacts, owner }: StepProblem, body: Int32Array, domain: Domain): Outline {
		const tiles = domain.tiles!.first.length;
		const known = this.#outline;
		if (known && tiles === this.#tiles && known.contact.length === contacts.count && this.#isSame(body, owner.tile)) {
			return known;
		}
		const found = findLocalContacts(domain.bodies, contacts, owner, domain);
		const { contact, blocks, graph } = found;
		this.#tiles = tiles;
		this.#body = body.slice();
		this.#tile = owner.tile.slice();
		this.#outline = { contact, order: byColour(found), colours: graph.colours, blocks };
		return this.#outline;
	}

	#isSame(body: Int32Array, tile: Int32Array): boolean {
		for (let k = 0; k < body.length; k += 1) if (body[k] !== this.#body[k]) return false;
		for (let a = 0; a < tile.length; a += 1) if (tile[a] !== this.#tile[a]) return false;
		return true;
	}
}

function byColour({ tile, graph }: LocalContacts): Int32Array {
	const order = new Int32Array(tile.length);
	for (let c = 0, at = 0; c < graph.colours; c += 1) {
		for (let place = 0; place < tile.length; place += 1) if (graph.colour[tile[place]!] === c) order[at++] = place;
	}
	return order;
}
