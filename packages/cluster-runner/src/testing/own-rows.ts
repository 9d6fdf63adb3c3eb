/** A module whose ranks make their own parts of a pile of spheres: contacts are dealt out to ranks in turn. */
import { generate, InputError } from "@stickslip/core";
import type { OwnAnswer } from "../programs/own-parts.js";
import { partOfProblem } from "./split-problem.js";

interface Argument {
	readonly contacts: number;
	/** The rank that has no part, if any. */
	readonly refuses?: number;
}

export default function ownRows(rank: number, ranks: number, argument: unknown) {
	const { contacts, refuses } = argument as Argument;
	if (rank === refuses) throw new InputError("own-rows", "contacts", "are not there", "ask another rank");
	const problem = generate("spheres", { contacts, seed: 5 });
	const ids = Int32Array.from({ length: contacts }, (_, id) => id).filter((id) => id % ranks === rank);
	return partOfProblem(problem, ids, "rigid");
}

/** Two numbers describe what stays on the rank. */
export function answer({ ids, reaction, hash }: OwnAnswer, rank: number) {
	return { rank, contacts: ids.length, largest: reaction.reduce((most, each) => Math.max(most, each), 0), hash };
}
