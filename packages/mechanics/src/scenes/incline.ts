/** A block, sphere or capsule on a slope: below the angle of friction a block sticks, above it slides; a sphere rolls. */

import { cosine, sine } from "../base/elementary.js";
import type { Shape, Vector } from "../shapes/shape.js";
import type { SceneDescription } from "./description.js";
import { sceneEntry } from "./entry.js";
import { choiceOption, frictionOption, numberOption, positiveOption, restitutionOption } from "./options.js";
import { aboutY, GRAVITY, LYING, obstacle, VIEW } from "./parts.js";

const options = {
	body: choiceOption(["block", "sphere", "capsule"], "block", "what lies on the slope; the capsule lies across it"),
	angle: numberOption(15, 0, 89, "of the slope, degrees"),
	speed: numberOption(0, -1e3, 1e3, "down the slope at the start, m/s"),
	size: positiveOption(0.1, "edge or diameter, m"),
	flatness: positiveOption(2, "length of the block to its height"),
	density: positiveOption(1000, "kg/m3"),
	friction: frictionOption,
	restitution: restitutionOption,
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(1, "end of the simulation, s"),
};

export const incline = sceneEntry({
	name: "incline",
	what: "a block, sphere or capsule on a slope that descends along x",
	options,
	build(values) {
		const { size, speed, friction, restitution } = values;
		const angle = (values.angle * Math.PI) / 180;
		const down: Vector = [cosine(angle), 0, -sine(angle)];
		const normal: Vector = [sine(angle), 0, cosine(angle)];
		const [shape, height] = bodyShape(values.body, size, values.flatness);
		const path = 100 * size + values.until * (Math.abs(speed) + 10 * values.until);
		return {
			version: 1,
			name: "incline",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { body: { density: values.density }, slope: { density: values.density } },
			contact: { friction, restitution },
			shapes: { body: shape, slope: { kind: "plane", normal, offset: 0 } },
			obstacles: [obstacle("slope", "slope")],
			bodies: [
				{
					name: "body",
					shape: "body",
					material: "body",
					position: along(normal, height),
					orientation: values.body === "capsule" ? LYING : aboutY(angle),
					velocity: along(down, speed),
				},
			],
			events: [],
			bounds: { lower: [-path, -path, -path], upper: [path, path, path] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

/** With the height of the centre above the slope. */
function bodyShape(body: "block" | "sphere" | "capsule", size: number, flatness: number): [Shape, number] {
	if (body === "block") return [{ kind: "box", size: [flatness * size, flatness * size, size] }, size / 2];
	if (body === "sphere") return [{ kind: "sphere", radius: size / 2 }, size / 2];
	return [{ kind: "capsule", radius: size / 2, length: 2 * size }, size / 2];
}

function along([x, y, z]: Vector, length: number): Vector {
	return [x * length, y * length, z * length];
}
