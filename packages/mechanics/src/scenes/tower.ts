/** Towers without mortar: rings of bricks, each ring turned by half a brick, or planks laid crosswise in pairs. */
import type { Quaternion, Shape, Vector } from "../shapes/shape.js";
import type { SceneBody, SceneDescription } from "./description.js";
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
import { floorShape, GRAVITY, obstacle, turnOf, VIEW } from "./parts.js";

const options = {
	levels: countOption(12, "rings or layers on one another"),
	shape: choiceOption(["boxes", "planks"], "boxes", "rings of bricks, or crossed pairs of planks of 15 : 3 : 1"),
	ring: { kind: "integer", default: 12, least: 4, most: 1000, help: "bricks in a ring (boxes)" },
	size: positiveOption(0.2, "length of a brick or plank, m"),
	density: positiveOption(600, "kg/m3"),
	gap: numberOption(0, 0, 1, "between levels at the start, m"),
	wind: numberOption(0, 0, 1e3, "bodies have velocities along x of up to this at random, m/s"),
	friction: { ...frictionOption, default: 0.6 },
	restitution: restitutionOption,
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(1, "end of the simulation, s"),
	seed: seedOption,
} as const;

interface Place {
	readonly position: Vector;
	readonly orientation: Quaternion;
}

export const tower = sceneEntry({
	name: "tower",
	what: "a round tower of bricks, or one of crossed planks",
	options,
	build(values, random) {
		const { levels, size, wind, gap } = values;
		const draw = random(values.seed);
		const isRound = values.shape === "boxes";
		// Bricks of 4 : 2 : 1, planks of 15 : 3 : 1.
		const edges: Vector = isRound ? [size / 2, size, size / 4] : [size, size / 5, size / 15];
		const height = edges[2] + gap;
		const places: Place[] = [];
		for (let level = 0; level < levels; level += 1) {
			const z = gap + edges[2] / 2 + level * height;
			places.push(...(isRound ? brickRing(values.ring, edges, level, z) : plankPair(edges, level, z)));
		}
		const shape: Shape = { kind: "box", size: edges };
		const reach = 20 * (levels * height + values.ring * size);
		return {
			version: 1,
			name: "tower",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { body: { density: values.density }, floor: { density: values.density } },
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: { body: shape, floor: floorShape },
			obstacles: [obstacle("floor", "floor")],
			bodies: places.map(
				(place): SceneBody => ({
					shape: "body",
					material: "body",
					...place,
					...(wind > 0 && { velocity: [draw.between(0, wind), 0, 0] }),
				}),
			),
			events: [],
			bounds: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

/** Bricks whose inner edges nearly meet: their lengths along the circle, their inner faces on a regular polygon. */
function brickRing(count: number, [width, length]: Vector, level: number, z: number): Place[] {
	const { cosine, sine } = turnOf(1, 2 * count);
	// Of the inner polygon with edges a thousandth longer than a brick.
	const apothem = ((1.001 * length) / 2) * (cosine / sine);
	return Array.from({ length: count }, (_, k) => {
		const turn = turnOf(2 * k + (level % 2), 2 * count);
		const half = turnOf(2 * k + (level % 2), 4 * count);
		const radius = apothem + width / 2;
		return {
			position: [radius * turn.cosine, radius * turn.sine, z],
			orientation: [half.cosine, 0, 0, half.sine],
		};
	});
}

/** Two planks near the ends of those below. */
function plankPair([length, width]: Vector, level: number, z: number): Place[] {
	const apart = (length - width) / 2;
	return [-apart, apart].map(
		(shift): Place =>
			level % 2 === 0
				? { position: [0, shift, z], orientation: [1, 0, 0, 0] }
				: { position: [shift, 0, z], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
	);
}
