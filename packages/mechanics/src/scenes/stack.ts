/** Boxes or spheres on one another: each carries all above it. */
import type { Shape } from "../shapes/shape.js";
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
import { floorShape, GRAVITY, obstacle, VIEW } from "./parts.js";

const options = {
	bodies: countOption(10, "bodies in the stack"),
	shape: choiceOption(["boxes", "spheres"], "boxes", "what is stacked"),
	size: positiveOption(0.1, "edge or diameter, m"),
	ratio: positiveOption(1, "density of the topmost body to that of the lowest one"),
	density: positiveOption(1000, "of the lowest body, kg/m3"),
	gap: numberOption(0, 0, 1e3, "between bodies at the start, m"),
	offset: numberOption(0, 0, 0.49, "boxes are shifted by up to this share of their size, at random"),
	friction: frictionOption,
	restitution: restitutionOption,
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(1, "end of the simulation, s"),
	seed: seedOption,
};

export const stack = sceneEntry({
	name: "stack",
	what: "boxes or spheres on one another",
	options,
	build(values, random) {
		const { bodies: count, size, gap, offset, ratio } = values;
		const draw = random(values.seed);
		const shape: Shape =
			values.shape === "boxes" ? { kind: "box", size: [size, size, size] } : { kind: "sphere", radius: size / 2 };
		const shift = () => (offset > 0 && values.shape === "boxes" ? draw.between(-offset, offset) * size : 0);
		const height = (count + 1) * (size + gap);
		return {
			version: 1,
			name: "stack",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: {
				...Object.fromEntries(
					Array.from({ length: ratio === 1 ? 1 : count }, (_, k) => [
						materialOf(k, ratio),
						{ density: values.density * (1 + ((ratio - 1) * k) / Math.max(1, count - 1)) },
					]),
				),
				floor: { density: values.density },
			},
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: { body: shape, floor: floorShape },
			obstacles: [obstacle("floor", "floor")],
			bodies: Array.from({ length: count }, (_, k) => ({
				shape: "body",
				material: materialOf(k, ratio),
				position: [shift(), shift(), gap + size / 2 + k * (size + gap)] as const,
			})),
			events: [],
			bounds: { lower: [-10 * height, -10 * height, -height], upper: [10 * height, 10 * height, 10 * height] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

function materialOf(k: number, ratio: number): string {
	return ratio === 1 ? "body" : `body${k + 1}`;
}
