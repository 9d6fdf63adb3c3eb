/** A step of few contacts on one rank, solved in one call of a kernel with the bits that any number of ranks have. */
import { isTiny, solveTinyBodies } from "@stickslip/core/parallel";
import type { SolverOptions, StepProblem, StepSolution } from "./contact-solver.js";
import type { KnownContacts } from "./known-contacts.js";

/** Undefined where it has to be solved as on ranks. */
export function solveTinyStep(
	{ problem, start }: StepProblem,
	options: SolverOptions,
	{ contact, tile, blocks, graph }: KnownContacts,
	engine: "wasm" | "twin" = "wasm",
): StepSolution | undefined {
	if (!isTiny(problem, options)) return undefined;
	const reaction = new Float64Array(3 * problem.contacts);
	const given = { problem, contact, order: byColour(tile, graph), colours: graph.colours, blocks, start };
	const report = solveTinyBodies(given, options, reaction, engine);
	return report && { reaction, report };
}

/** Places of contacts as they are swept: by the colours of their tiles, by place in each. */
function byColour(tile: Int32Array, { colour, colours }: KnownContacts["graph"]): Int32Array {
	const order = new Int32Array(tile.length);
	for (let c = 0, at = 0; c < colours; c += 1) {
		for (let place = 0; place < tile.length; place += 1) if (colour[tile[place]!] === c) order[at++] = place;
	}
	return order;
}
