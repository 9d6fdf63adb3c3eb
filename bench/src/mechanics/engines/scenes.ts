/** The scenes that all engines are given: the drum of spheres, settled and turning; boxes dropped in a pile; a tower; a block on a slope; blocks that overlap. */
import { describeScene, makeScene, type SceneDescription } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { type EngineScene, makeStates } from "./engine.js";
import { withStates } from "./measures.js";

export interface SceneSizes {
	/** In the drum. */
	readonly spheres: number;
	/** In the pile. */
	readonly boxes: number;
	/** Seconds on the slope. */
	readonly creep: number;
	/** Steps of the others. */
	readonly steps: number;
}

const STEP = 2e-3;
const SAMPLES = 50;

export function engineScenes(sizes: SceneSizes): EngineScene[] {
	const { spheres, boxes, creep, steps } = sizes;
	const creepSteps = Math.round(creep / STEP);
	const every = Math.max(1, Math.floor(steps / SAMPLES));
	const slope = { angle: 25, friction: 0.5, step: STEP };
	return [
		{ name: `drum of ${spheres} spheres`, description: settledDrum(spheres), steps, every },
		{ name: `pile of ${boxes} boxes`, description: describeScene("pile", { bodies: boxes, step: STEP }), steps, every },
		{ name: "tower of 144 boxes", description: describeScene("tower", { step: STEP }), steps, every },
		{
			name: `incline, ${creep} s`,
			description: describeScene("incline", slope),
			steps: creepSteps,
			every: Math.max(1, Math.floor(creepSteps / SAMPLES)),
		},
		{ name: "overlap of 10 %", description: overlapping(), steps: 500, every: 5 },
	];
}

/** As it is when the drum begins to turn. */
function settledDrum(count: number): SceneDescription {
	const given = { bodies: count, shape: "spheres", step: STEP } as const;
	const description = describeScene("drum", given);
	const drops = description.events.length + 1;
	const simulation = openScene(makeScene("drum", given));
	runSteps(simulation, Math.floor((0.615 * drops) / STEP));
	const { position, orientation, velocity, spin, obstacles } = simulation.bodies;
	const states = makeStates(count);
	states.position.set(position.subarray(3 * obstacles));
	states.orientation.set(orientation.subarray(4 * obstacles));
	states.velocity.set(velocity.subarray(3 * obstacles));
	states.spin.set(spin.subarray(3 * obstacles));
	const added = description.events.flatMap((event) => (event.kind === "add" ? event.bodies : []));
	return withStates(
		{
			...description,
			obstacles: description.obstacles.map((each) => ({ ...each, motion: [{ from: 0, spin: [0, 1, 0] as const }] })),
			bodies: [...description.bodies, ...added],
			events: [],
		},
		states,
	);
}

/** A stack of cubes, each a tenth within what is below it. */
function overlapping(): SceneDescription {
	const description = describeScene("stack", { bodies: 3, step: STEP });
	const size = 0.1;
	const bodies = description.bodies.map((body, k) => ({
		...body,
		position: [0, 0, 0.9 * size * (k + 0.5)] as const,
	}));
	return { ...description, bodies };
}
