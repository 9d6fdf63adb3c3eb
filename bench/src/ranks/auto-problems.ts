/** What whole solves on ranks are measured with: generated piles from zero, and a step of a full drum that turns, from the reactions of the step before. */
import { generate, type Problem } from "@stickslip/core";
import { Simulation } from "@stickslip/mechanics";
import { filledDrumState } from "../mechanics/drum-states.js";
import { runSteps } from "../mechanics/simulate.js";

export type AutoKind = "planks" | "spheres" | "drum";

export interface AutoProblem {
	readonly problem: Problem;
	/** Zero where absent. */
	readonly start?: Float64Array;
}

/** Bodies that have about so many contacts when the drum has fallen together, by these: the larger, the fewer of them lie at walls and on top. */
const BODIES_OF_DRUM: Readonly<Record<number, number>> = { 3000: 1900, 10000: 6000, 30000: 13_000 };

/** With about so many contacts. */
export function autoProblem(kind: AutoKind, contacts: number, seed: number): AutoProblem {
	if (kind !== "drum") return { problem: generate(kind, { contacts, seed }) };
	const { setup, state } = filledDrumState(BODIES_OF_DRUM[contacts] ?? contacts);
	let taken: AutoProblem | undefined;
	const simulation = new Simulation(setup, {
		onFailure: "continue",
		onSolve: ({ failures, whole }) => {
			if (failures > 0) return;
			const { problem, start } = whole()!;
			taken = { problem: structuredClone({ ...problem }), ...(start && { start: start.slice() }) };
		},
	});
	simulation.resume(state);
	runSteps(simulation, 1);
	return taken!;
}
