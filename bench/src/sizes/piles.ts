/** The piles of bench `sizes`: spheres, layered spheres and planks, in motion, settled by weight, and settled with the reactions of a last step. */
import { type GenerateOptions, generate, type Problem, solve } from "@stickslip/core";

export const PILES = ["planks", "layered spheres", "spheres"] as const;
export const MOTIONS = ["moving", "settled", "last step"] as const;
export type PileName = (typeof PILES)[number];
export type Motion = (typeof MOTIONS)[number];

const OPTIONS: Readonly<Record<PileName, Partial<GenerateOptions>>> = {
	planks: {},
	"layered spheres": { layers: 4 },
	spheres: {},
};

/** What came before a last step: so many steps of at most so many sweeps, by which the weight has come down to the ground. */
const STEPS_BEFORE = 20;
const SWEEPS_BEFORE = 100;

interface Posed {
	readonly problem: Problem;
	readonly start: "zero" | Float64Array;
}

/** A problem and what its solve begins with. */
export function pose(pile: PileName, motion: Motion, contacts: number, seed: number): Posed {
	const motionOptions = motion === "moving" ? {} : { speed: 0 };
	const kind = pile === "planks" ? "planks" : "spheres";
	const problem = generate(kind, { ...OPTIONS[pile], ...motionOptions, contacts, seed });
	return motion === "last step" ? afterSteps(problem) : { problem, start: "zero" };
}

/**
 * The next step of a pile at rest whose contacts stay where they are: its free velocity is that of a step from rest, which gravity makes, and what
 * the last step has left, U.
 */
function afterSteps(problem: Problem): Posed {
	let posed: Posed = { problem, start: "zero" };
	for (let step = 0; step < STEPS_BEFORE; step += 1) {
		const { reaction, velocity } = solve(posed.problem, {
			start: posed.start,
			maxIterations: SWEEPS_BEFORE,
			method: "proximal-gauss-seidel",
		});
		posed = { problem: { ...problem, q: problem.q.map((q, i) => q + velocity[i]!) }, start: reaction };
	}
	return posed;
}
