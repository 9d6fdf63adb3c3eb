/**
 * Problems that the benches make themselves: piles of `generate`, and steps of scenes, which are simulated until there is something to solve. The
 * seeds decide what they are: one set is for training the constants of `auto`, the other for judging them.
 */
import { condense, generate, type Problem } from "@stickslip/core";
import { toTheEnd } from "@stickslip/core/parallel";
import {
	buildScene,
	type ContactSolver,
	describeScene,
	type GivenOptions,
	Simulation,
	type StepProblem,
	TileSolver,
} from "@stickslip/mechanics";

export interface NamedProblem {
	readonly name: string;
	/** Only Coulomb's law, with W formed. */
	problem(): Problem;
}

/** First seeds of the two sets, far from each other and from those that tests and documents use. */
export const TRAINING_SEED = 101;
export const JUDGING_SEED = 9001;

const SIZES = [30, 80, 200, 400, 800] as const;
const KINDS = [
	{ name: "spheres", speed: 0.05 },
	{ name: "spheres-layers", speed: 0.05 },
	{ name: "spheres-heavy", speed: 0.05 },
	{ name: "planks", speed: 0.05 },
	{ name: "spheres", speed: 0 },
	{ name: "spheres-layers", speed: 0.5 },
	{ name: "planks", speed: 0 },
	{ name: "planks", speed: 0.5 },
] as const;

/** Piles of every kind and size, each with a seed of its own: 40 of them. */
export function generatedProblems(seed: number): NamedProblem[] {
	return KINDS.flatMap(({ name, speed }, i) =>
		SIZES.map((contacts, j) => {
			const own = seed + SIZES.length * i + j;
			return {
				name: `${name}-${contacts}-v${speed}-s${own}`,
				problem: () => condense(generate(name, { contacts, seed: own, speed })),
			};
		}),
	);
}

interface SceneCase {
	readonly scene: string;
	readonly options: GivenOptions;
	/** Steps whose problems are taken. */
	readonly steps: readonly number[];
}

const SCENES: readonly SceneCase[] = [
	{ scene: "drum", options: { bodies: 60, until: 2, interval: 0.1 }, steps: [450, 600, 750, 900, 1050] },
	{
		scene: "drum",
		options: { bodies: 150, kind: "pseudo-rigid", until: 2, interval: 0.1 },
		steps: [450, 550, 650, 750, 850],
	},
	{ scene: "spheres", options: { bodies: 150, spread: 0.1 }, steps: [10, 40, 80, 150, 280] },
	{ scene: "hopper", options: { bodies: 200, spread: 0.1 }, steps: [60, 120, 200, 320, 360] },
	{ scene: "impact", options: { bodies: 150 }, steps: [100, 300, 500, 820, 920] },
	{ scene: "pile", options: { bodies: 30 }, steps: [150, 250, 350, 450, 600] },
	{ scene: "tower", options: { levels: 8, ring: 8, wind: 0.3 }, steps: [1, 20, 60, 120, 250] },
	{ scene: "stack", options: { bodies: 12, offset: 0.02, gap: 0.001 }, steps: [10, 40, 100, 200, 400] },
];

/** Steps of scenes, 40 of them; a step without contacts is the next one that has some. */
export function sceneProblems(seed: number): NamedProblem[] {
	return SCENES.flatMap(({ scene, options, steps }, i) => {
		const own = seed + i;
		let taken: Problem[] | undefined;
		return steps.map((step, k) => ({
			name: `${scene}-${i}-step${step}-s${own}`,
			problem() {
				taken ??= stepsOf(scene, { ...options, seed: own }, steps);
				const problem = taken[k];
				if (problem === undefined) throw new Error(`${scene} has no contacts from step ${step} on`);
				return condense(problem);
			},
		}));
	});
}

function stepsOf(scene: string, options: GivenOptions, steps: readonly number[]): Problem[] {
	const taken: Problem[] = [];
	const solver = new TileSolver();
	let now = 0;
	const taking: ContactSolver = {
		solve(step: StepProblem, ...rest) {
			const { problem } = step;
			const due = steps[taken.length] ?? Number.POSITIVE_INFINITY;
			if (now >= due && problem.contacts > 0) taken.push(structuredClone(problem));
			return solver.solve(step, ...rest);
		},
	};
	const simulation = new Simulation(buildScene(describeScene(scene, options)), {
		solver: taking,
		onFailure: "continue",
	});
	for (const last = steps.at(-1)! + PATIENCE; taken.length < steps.length && now < last; now += 1)
		toTheEnd(simulation.step());
	return taken;
}

/** Steps beyond the last that is wanted, for the next with contacts. */
const PATIENCE = 200;
