/** A sphere, or a capsule across its way, on a floor: one that slides at first rolls in the end, with 5/7 of its speed if it is a sphere without spin. */
import type { Shape } from "../shapes/shape.js";
import type { SceneDescription } from "./description.js";
import { sceneEntry } from "./entry.js";
import { choiceOption, frictionOption, numberOption, positiveOption, restitutionOption } from "./options.js";
import { floorShape, GRAVITY, LYING, obstacle, VIEW } from "./parts.js";

const options = {
	body: choiceOption(["sphere", "capsule"], "sphere", "what rolls"),
	radius: positiveOption(0.05, "m"),
	speed: numberOption(1, -1e3, 1e3, "along x at the start, m/s"),
	spin: numberOption(0, -1e6, 1e6, "about y at the start, rad/s: speed / radius is rolling"),
	height: numberOption(0, 0, 1e3, "above the floor at the start, m"),
	density: positiveOption(1000, "kg/m3"),
	friction: frictionOption,
	restitution: restitutionOption,
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(1, "end of the simulation, s"),
};

export const roll = sceneEntry({
	name: "roll",
	what: "a sphere or capsule on a floor that slides, then rolls",
	options,
	build(values) {
		const { radius, speed, until } = values;
		const shape: Shape =
			values.body === "sphere" ? { kind: "sphere", radius } : { kind: "capsule", radius, length: 4 * radius };
		const reach = 100 * radius + values.height + until * (Math.abs(speed) + Math.abs(values.spin) * radius);
		return {
			version: 1,
			name: "roll",
			gravity: GRAVITY,
			step: values.step,
			until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { body: { density: values.density }, floor: { density: values.density } },
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: { body: shape, floor: floorShape },
			obstacles: [obstacle("floor", "floor")],
			bodies: [
				{
					name: "body",
					shape: "body",
					material: "body",
					position: [0, 0, radius + values.height],
					...(values.body === "capsule" && { orientation: LYING }),
					velocity: [speed, 0, 0],
					spin: [0, values.spin, 0],
				},
			],
			events: [],
			bounds: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});
