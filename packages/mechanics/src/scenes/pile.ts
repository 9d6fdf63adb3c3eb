/** Boxes or planks, turned at random, dropped on a floor in a column. */
import type { Shape, Vector } from "../shapes/shape.js";
import type { SceneDescription } from "./description.js";
import { sceneEntry } from "./entry.js";
import {
	choiceOption,
	countOption,
	frictionOption,
	numberOption,
	positiveOption,
	restitutionOption,
	seedOption,
} from "./options.js";
import { cubeRoot, floorShape, GRAVITY, jittered, lattice, obstacle, randomOrientation, VIEW } from "./parts.js";

/** Distance of neighbours at the start, in diameters of the ball about one. */
const SPACING = 1.02;

const options = {
	bodies: countOption(200, "bodies in the pile"),
	shape: choiceOption(["boxes", "planks", "mixed"], "boxes", "cubes, planks of 15 : 3 : 1, or half of each"),
	size: positiveOption(0.1, "edge of a cube or length of a plank, m"),
	density: positiveOption(600, "kg/m3"),
	slenderness: positiveOption(1, "height of the column they are dropped from to its width"),
	height: numberOption(0.01, 0, 1e3, "of the lowest ones above the floor, m"),
	friction: { ...frictionOption, default: 0.5 },
	restitution: restitutionOption,
	step: positiveOption(2e-3, "of time, s"),
	until: positiveOption(3, "end of the simulation, s"),
	seed: seedOption,
};

export const pile = sceneEntry({
	name: "pile",
	what: "boxes, planks or both dropped on a floor",
	options,
	build(values, random) {
		const { bodies: count, size } = values;
		const draw = random(values.seed);
		const names = values.shape === "mixed" ? ["box", "plank"] : [values.shape === "boxes" ? "box" : "plank"];
		const sizes: Record<string, Vector> = { box: [size, size, size], plank: [size, size / 5, size / 15] };
		const diameter = Math.max(...names.map((name) => lengthOf(sizes[name]!)));
		const spacing = SPACING * diameter;
		const half = (Math.max(1, Math.round(cubeRoot(count / values.slenderness))) * spacing) / 2 + 1e-6 * spacing;
		const places = lattice(count, spacing, half, half, values.height + spacing / 2);
		const top = places.at(-1)![2] + spacing;
		const shapes = names.map((name): [string, Shape] => [name, { kind: "box", size: sizes[name]! }]);
		return {
			version: 1,
			name: "pile",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { body: { density: values.density }, floor: { density: values.density } },
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: { ...Object.fromEntries(shapes), floor: floorShape },
			obstacles: [obstacle("floor", "floor")],
			bodies: places.map((place) => ({
				shape: names[draw.below(names.length)]!,
				material: "body",
				position: jittered(place, 0.4 * (spacing - diameter), draw),
				orientation: randomOrientation(draw),
			})),
			events: [],
			bounds: { lower: [-20 * top, -20 * top, -top], upper: [20 * top, 20 * top, 20 * top] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

function lengthOf([x, y, z]: Vector): number {
	return Math.sqrt(x * x + y * y + z * z);
}
