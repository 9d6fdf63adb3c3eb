/**
 * The scenes that all engines are given: a drum of settled spheres that begins to turn; boxes that have fallen into a pile; a tower; a block that rests on a
 * slope and one that slides down it; blocks that overlap. All begin where bodies touch and, but for the last, none overlap.
 */
import { buildScene, describeScene, type SceneDescription, type Vector } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { type EngineScene, makeStates } from "./engine.js";
import { withStates } from "./measures.js";

export interface SceneSizes {
	/** In the drum. */
	readonly spheres: number;
	/** In the pile, and how many seconds they fall. */
	readonly boxes: number;
	readonly fall: number;
	/** Seconds on the slope. */
	readonly creep: number;
	/** Steps of the others. */
	readonly steps: number;
	/** Seconds of processor time that an engine has for a scene. */
	readonly limit: number;
}

const STEP = 2e-3;
const SAMPLES = 50;
/** Of its size is how far a block is in the one below. */
const OVERLAP = 0.1;

/** Makes its scene when it is called for: some are simulated up to where the engines begin. */
export interface SceneMaker {
	readonly name: string;
	make(): EngineScene;
}

export function engineScenes(sizes: SceneSizes): SceneMaker[] {
	const { spheres, boxes, fall, creep, steps, limit } = sizes;
	const scene = (name: string, made: () => Pick<EngineScene, "description" | "truth">, count = steps): SceneMaker => ({
		name,
		make: () => ({ name, ...made(), steps: count, every: Math.max(1, Math.floor(count / SAMPLES)), limit }),
	});
	return [
		scene(`drum of ${spheres} spheres`, () => ({ description: settledDrum(spheres), truth: {} })),
		scene(`pile of ${boxes} boxes`, () => ({ description: fallenPile(boxes, fall), truth: { energy: "falls" } })),
		scene("tower of 144 boxes", () => atRest(describeScene("tower", { step: STEP }), UP)),
		scene(
			`incline ${creep} s`,
			() => atRest(describeScene("incline", { ...SLOPE, friction: 0.5 }), SLOPE_NORMAL),
			Math.round(creep / STEP),
		),
		scene("slide", () => sliding(), 1500),
		scene("overlap", () => overlapping(), 5000),
	];
}

const UP: Vector = [0, 0, 1];
const SLOPE = { angle: 25, step: STEP };
const SLOPE_NORMAL: Vector = [Math.sin((25 * Math.PI) / 180), 0, Math.cos((25 * Math.PI) / 180)];

function atRest(description: SceneDescription, up: Vector): Pick<EngineScene, "description" | "truth"> {
	return {
		description,
		truth: { isAtRest: true, energy: "kept", lift: { up, highest: heightsAlong(description, up) } },
	};
}

/** Where friction is relaxed to a convex law, what slides is lifted by h mu |v|. */
function sliding(): Pick<EngineScene, "description" | "truth"> {
	const description = describeScene("incline", { ...SLOPE, friction: 0.3, speed: 1 });
	const highest = heightsAlong(description, SLOPE_NORMAL);
	return { description, truth: { energy: "falls", lift: { up: SLOPE_NORMAL, highest } } };
}

/** The drum as it is when it begins to turn, by the scheme that leaves no overlaps. */
function settledDrum(count: number): SceneDescription {
	const described = describeScene("drum", { bodies: count, shape: "spheres", step: STEP });
	const description: SceneDescription = { ...described, scheme: { name: "velocity-impulse" } };
	const drops = description.events.length + 1;
	const added = description.events.flatMap((event) => (event.kind === "add" ? event.bodies : []));
	const settled = statesAfter(description, Math.floor((0.615 * drops) / STEP), count);
	return withStates(
		{
			...description,
			obstacles: description.obstacles.map((each) => ({ ...each, motion: [{ from: 0, spin: [0, 1, 0] as const }] })),
			bodies: [...description.bodies, ...added],
			events: [],
		},
		settled,
	);
}

function fallenPile(count: number, seconds: number): SceneDescription {
	const description = describeScene("pile", { bodies: count, step: STEP });
	return withStates(description, statesAfter(description, Math.round(seconds / STEP), count));
}

function statesAfter(description: SceneDescription, steps: number, count: number) {
	const simulation = openScene(buildScene(description));
	runSteps(simulation, steps);
	const { position, orientation, velocity, spin, obstacles } = simulation.bodies;
	const states = makeStates(count);
	states.position.set(position.subarray(3 * obstacles));
	states.orientation.set(orientation.subarray(4 * obstacles));
	states.velocity.set(velocity.subarray(3 * obstacles));
	states.spin.set(spin.subarray(3 * obstacles));
	return states;
}

/** A stack of cubes, each a tenth within what is below it, that may rise to where they only touch. */
function overlapping(): Pick<EngineScene, "description" | "truth"> {
	const size = 0.1;
	const stack = describeScene("stack", { bodies: 3, size, step: STEP });
	const bodies = stack.bodies.map((body, k) => ({
		...body,
		position: [0, 0, (1 - OVERLAP) * size * (k + 0.5)] as const,
	}));
	return {
		description: { ...stack, bodies },
		truth: { overlaps: true, lift: { up: UP, highest: heightsAlong(stack, UP) } },
	};
}

function heightsAlong({ bodies }: SceneDescription, [x, y, z]: Vector): number[] {
	return bodies.map(({ position }) => x * position[0] + y * position[1] + z * position[2]);
}
