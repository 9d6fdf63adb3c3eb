/** A part of what a launcher has placed: the first nodes, with as many ranks on each. */
import { InputError } from "@stickslip/core";
import type { LaunchedPlacement } from "../ranks/choose.js";
import type { StarterOf } from "../runs/launched-placement.js";

/** On as few nodes as hold the ranks evenly. Throws an InputError where none do. */
export function partOfPlacement(
	placement: LaunchedPlacement,
	ranks: number,
	{ starterOf }: { readonly starterOf?: StarterOf },
): LaunchedPlacement {
	const { starter: _starter, ...whole } = placement;
	for (let nodes = Math.ceil(ranks / whole.ranksPerNode); nodes <= whole.nodes; nodes += 1) {
		if (ranks % nodes !== 0) continue;
		const hosts = whole.hosts && { hosts: whole.hosts.slice(0, nodes) };
		const part = { ...whole, nodes, ranksPerNode: ranks / nodes, ...hosts };
		return { ...part, starter: (library) => starterOf!(part, library) };
	}
	const places = `${whole.nodes} nodes of ${whole.ranksPerNode} ranks`;
	throw new InputError(
		"study",
		"ranks",
		`${ranks} cannot be placed evenly on ${places}`,
		"launch on more, or leave it out",
	);
}
