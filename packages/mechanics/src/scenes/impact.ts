/** A ball dropped onto a bed of grains: its depth goes like (density ratio)^1/2 D^2/3 H^1/3 / mu (Anitescu 2014, validation). */
import { InputError } from "@stickslip/core";
import type { SceneDescription } from "./description.js";
import { sceneEntry } from "./entry.js";
import { bedVolume, grainSpacing, makeGrains } from "./grains.js";
import {
	countOption,
	frictionOption,
	numberOption,
	positiveOption,
	restitutionOption,
	type SceneOption,
	seedOption,
} from "./options.js";
import { cubeRoot, floorShape, GRAVITY, lattice, obstacle, VIEW, wallShapes } from "./parts.js";

/** Height of the loosest bed to that which is planned. */
const LOOSEST = 1.15;

const options = {
	bodies: countOption(5000, "grains in the bed"),
	grain: positiveOption(5e-3, "mean diameter of a grain, m"),
	spread: numberOption(0.1, 0, 0.9, "diameters are uniform within this share of the mean"),
	grainDensity: positiveOption(1510, "kg/m3"),
	width: {
		kind: "number",
		default: null,
		least: 1e-9,
		most: 1e9,
		help: "of the square box, m; by default as wide as the bed is deep",
	} as const satisfies SceneOption,
	diameter: positiveOption(0.0254, "of the ball, m"),
	density: positiveOption(700, "of the ball, kg/m3"),
	height: positiveOption(0.1, "that the ball falls from above the settled bed, m"),
	settle: numberOption(0.4, 0, 1e6, "time for the bed to settle before the ball comes, s"),
	friction: frictionOption,
	restitution: restitutionOption,
	step: positiveOption(5e-4, "of time, s"),
	until: positiveOption(0.8, "end of the simulation, s"),
	seed: seedOption,
};

export const impact = sceneEntry({
	name: "impact",
	what: "a ball falls into a bed of grains (Anitescu 2014, validation)",
	options,
	build(values, random) {
		const { bodies: count, diameter, height } = values;
		const sizes = { radius: values.grain / 2, spread: values.spread };
		const spacing = grainSpacing(sizes);
		const volume = bedVolume(count, sizes);
		const width = Math.max(values.width ?? cubeRoot(volume), spacing);
		if (!(width > diameter)) {
			const problem = `the box is ${three(width)} m wide, and the ball ${three(diameter)} m`;
			throw new InputError("scene impact", "width", problem, "give more bodies, a wider box or a smaller ball");
		}
		const places = lattice(count, spacing, width / 2, width / 2, spacing / 2);
		const grains = makeGrains(places, sizes, random(values.seed));
		const surface = volume / (width * width);
		// The ball comes with the speed of a fall from its height, where the bed cannot be yet however loosely it lies.
		const start = surface * LOOSEST + values.grain;
		const fallen = height - (start - surface);
		if (fallen < 0) {
			const least = Math.ceil((start - surface) * 1e3) / 1e3;
			throw new InputError("scene impact", "height", "may be within the bed", `give ${least} or more`);
		}
		const top = places.at(-1)![2];
		const reach = 10 * (width + top + height + diameter);
		return {
			version: 1,
			name: "impact",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: {
				sphere: { density: values.grainDensity },
				ball: { density: values.density },
				wall: { density: values.grainDensity },
			},
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: {
				...grains.shapes,
				ball: { kind: "sphere", radius: diameter / 2 },
				floor: floorShape,
				...wallShapes(width / 2, width / 2),
			},
			obstacles: ["floor", "left", "right", "front", "back"].map((name) => obstacle(name, "wall")),
			bodies: grains.bodies,
			events: [
				{
					time: values.settle,
					kind: "add",
					bodies: [
						{
							...{ name: "ball", shape: "ball", material: "ball" },
							position: [0, 0, start + diameter / 2],
							velocity: [0, 0, -Math.sqrt(-2 * GRAVITY[2] * fallen)],
						},
					],
				},
			],
			bounds: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

function three(value: number): string {
	return String(Number(value.toPrecision(3)));
}
