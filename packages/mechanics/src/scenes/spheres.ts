/** A bed of spheres in a box: left to settle, or flowing out when a gate opens (Anitescu 2014: settled and flowing spheres). */
import type { Shape, Vector } from "../shapes/shape.js";
import type { SceneDescription, SceneObstacle } from "./description.js";
import { sceneEntry } from "./entry.js";
import { bedVolume, grainSpacing, makeGrains } from "./grains.js";
import {
	choiceOption,
	countOption,
	numberOption,
	positiveOption,
	restitutionOption,
	type SceneOption,
	seedOption,
} from "./options.js";
import { cubeRoot, floorShape, GRAVITY, lattice, obstacle, VIEW, wallShapes } from "./parts.js";

/** Of the gate, in diameters. */
const GATE_THICKNESS = 1;

const options = {
	bodies: countOption(1000, "spheres"),
	state: choiceOption(["settled", "flowing"], "settled", "left to settle in a box, or one side of it opens"),
	radius: positiveOption(0.03, "mean radius, m"),
	spread: numberOption(0, 0, 0.9, "radii are uniform within this share of the mean"),
	density: positiveOption(7800, "kg/m3; 7800 at a radius of 0.03 are the 0.882 kg of Anitescu 2014"),
	width: {
		kind: "number",
		default: null,
		least: 1e-9,
		most: 1e9,
		help: "of the square box, m; by default as wide as the bed is deep",
	} as const satisfies SceneOption,
	friction: numberOption(0.25, 0, 1e6, "coefficient of friction of all contacts"),
	restitution: restitutionOption,
	open: numberOption(0.5, 0, 1e9, "when the gate begins to rise, s (flowing)"),
	speed: positiveOption(5, "of the gate, m/s (flowing)"),
	step: positiveOption(2e-3, "of time, s"),
	until: positiveOption(2, "end of the simulation, s"),
	seed: seedOption,
};

export const spheres = sceneEntry({
	name: "spheres",
	what: "a bed of spheres in a box, settled or flowing out of it (Anitescu 2014)",
	options,
	build(values, random) {
		const { bodies: count, radius, friction, restitution } = values;
		const spacing = grainSpacing(values);
		const half = Math.max(values.width ?? cubeRoot(bedVolume(count, values)), spacing) / 2;
		const grains = makeGrains(lattice(count, spacing, half, half, spacing / 2), values, random(values.seed));
		const isFlowing = values.state === "flowing";
		const top = grains.bodies.at(-1)!.position[2] + spacing;
		const gate = gateOf(half, top, 2 * radius * GATE_THICKNESS);
		const motion = [{ from: values.open, velocity: [0, 0, values.speed] as Vector }];
		const walls = ["floor", "left", ...(isFlowing ? [] : ["right"]), "front", "back"].map((name) =>
			obstacle(name, "wall"),
		);
		const obstacles: SceneObstacle[] = isFlowing
			? [...walls, { ...obstacle("gate", "wall", gate.position), motion }]
			: walls;
		const { right, ...others } = wallShapes(half, half);
		return {
			version: 1,
			name: "spheres",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { sphere: { density: values.density }, wall: { density: values.density } },
			contact: { friction, restitution },
			shapes: {
				...grains.shapes,
				floor: floorShape,
				...others,
				...(isFlowing ? { gate: gate.shape } : { right }),
			},
			obstacles,
			bodies: grains.bodies,
			events: [],
			bounds: { lower: [-20 * half, -20 * half, -half], upper: [1000 * half, 20 * half, 20 * top] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

/** A plate at the right side, somewhat higher and wider than the bed. */
function gateOf(half: number, top: number, thickness: number): { shape: Shape; position: Vector } {
	return {
		shape: { kind: "box", size: [thickness, 2 * half, top] },
		position: [half + thickness / 2, 0, top / 2],
	};
}
