/**
 * The rotating drum of Koziara 2017, section 8.1: particles are dropped in layers, again and again until all are in, then the drum turns. A pipe of 32 flat
 * pieces about the y axis with two blocks inside, and side walls.
 */
import { InputError, type Random } from "@stickslip/core";
import type { Shape, Vector } from "../shapes/shape.js";
import type { SceneBody, SceneDescription, SceneEventDescription, SceneObstacle } from "./description.js";
import { sceneEntry } from "./entry.js";
import { choiceOption, countOption, numberOption, positiveOption, restitutionOption, seedOption } from "./options.js";
import { cubeRoot, turnOf } from "./parts.js";

const INNER_RADIUS = 1;
const THICKNESS = 0.05;
const WIDTH = 0.5;
const PIECES = 32;
/** Particles are dropped from here on upwards, over |x| < DROP_X and y from DROP_Y. */
const DROP_Z = 0.25;
const DROP_X = 0.7;
const DROP_Y: readonly [number, number] = [0.05, 0.45];
/** Of neighbouring particles, relative to their size: they touch but for rounding. */
const CLEARANCE = 1e-6;

const options = {
	bodies: countOption(100, "particles; their size goes with the cube root, so that they always fill the drum as far"),
	kind: choiceOption(["rigid", "pseudo-rigid"], "rigid", "how particles move"),
	shape: choiceOption(
		["ellipsoids", "spheres"],
		"ellipsoids",
		"ellipsoids of 0.9 : 0.5 : 1, or spheres of the mean radius",
	),
	density: positiveOption(100, "of the particles, kg/m3"),
	young: positiveOption(1e6, "Young's modulus of pseudo-rigid particles, Pa"),
	poisson: numberOption(0.25, 0, 0.49, "Poisson's ratio of pseudo-rigid particles"),
	friction: numberOption(0.3, 0, 1e6, "coefficient of friction of all contacts"),
	restitution: restitutionOption,
	spin: numberOption(1, -1e3, 1e3, "of the drum, rad/s"),
	interval: positiveOption(0.615, "between two drops, s; the drum turns that long after the last one"),
	jitter: numberOption(0, 0, 1e3, "velocities of dropped particles are random up to this along each axis, m/s"),
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(10, "end of the simulation, s"),
	seed: seedOption,
};

export const drum = sceneEntry({
	name: "drum",
	what: "a rotating drum of rigid or pseudo-rigid ellipsoids or spheres (Koziara 2017, 8.1)",
	options,
	build(values, random) {
		const { bodies: count, kind, density, young, poisson, step } = values;
		const r0 = cubeRoot(0.1 / count);
		const mean = ((0.9 + 0.5 + 1) * r0) / 3;
		const radii: Vector = values.shape === "spheres" ? [mean, mean, mean] : [0.9 * r0, 0.5 * r0, r0];
		if (2 * radii[1] > WIDTH) {
			throw new InputError("scene drum", "bodies", "so few are wider than the drum", "give at least 4 spheres");
		}
		const drops = dropParticles(count, radii, values.kind, values.jitter, random(values.seed));
		const turning = [{ from: drops.length * values.interval, spin: [0, values.spin, 0] as Vector }];
		const isPseudoRigid = kind === "pseudo-rigid";
		return {
			version: 1,
			name: "drum",
			gravity: [0, 0, -10],
			step,
			until: values.until,
			scheme: { name: "half-step", ...(isPseudoRigid && { implicit: true }) },
			solver: {},
			materials: {
				particle: { density, ...(isPseudoRigid && { young, poisson, damping: step }) },
				drum: { density },
			},
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: {
				particle: values.shape === "spheres" ? { kind: "sphere", radius: mean } : { kind: "ellipsoid", radii },
				drum: drumShape(),
				side: { kind: "box", size: [2 * (INNER_RADIUS + THICKNESS), THICKNESS, 2 * (INNER_RADIUS + THICKNESS)] },
			},
			obstacles: drumObstacles().map((each) => ({ ...each, motion: turning })),
			bodies: drops[0] ?? [],
			events: drops
				.slice(1)
				.map((bodies, k): SceneEventDescription => ({ time: (k + 1) * values.interval, kind: "add", bodies })),
			bounds: { lower: [-2, -1, -2], upper: [2, 2, 2] },
			view: { direction: [0, 1, 0], up: [0, 0, 1] },
		} satisfies SceneDescription;
	},
});

/** Side walls are boxes: inside they are what discs would be. All turn about the axis through the origin. */
function drumObstacles(): SceneObstacle[] {
	const side = { shape: "side", material: "drum", isHidden: true };
	return [
		{ name: "drum", shape: "drum", material: "drum", position: [0, 0, 0] },
		{ name: "front", position: [0, -THICKNESS / 2, 0], ...side },
		{ name: "back", position: [0, WIDTH + THICKNESS / 2, 0], ...side },
	];
}

/** Of the flat pieces, with corners at the inner radius, and the blocks. */
function drumShape(): Shape {
	const pieces = Array.from({ length: PIECES }, (_, k): Shape => {
		const corners: Vector[] = [];
		for (const end of [k, k + 1]) {
			const { cosine, sine } = turnOf(end % PIECES, PIECES);
			for (const radius of [INNER_RADIUS, INNER_RADIUS + THICKNESS]) {
				for (const y of [0, WIDTH]) corners.push([radius * cosine, y, radius * sine]);
			}
		}
		return { kind: "polyhedron", vertices: corners };
	});
	const block = { kind: "box", size: [0.2, WIDTH, 0.2] } as const;
	return {
		kind: "union",
		pieces: [
			...pieces.map((shape) => ({ shape })),
			{ shape: block, position: [-0.9, WIDTH / 2, 0] },
			{ shape: block, position: [0.9, WIDTH / 2, 0] },
		] as Extract<Shape, { kind: "union" }>["pieces"],
	};
}

/** The bodies of each drop. */
function dropParticles(
	count: number,
	radii: Vector,
	kind: "rigid" | "pseudo-rigid",
	jitter: number,
	random: Random,
): SceneBody[][] {
	const sites = dropSites(radii);
	const drops: SceneBody[][] = [];
	for (let dropped = 0; dropped < count; dropped += sites.length) {
		const now = sites.slice(0, count - dropped);
		drops.push(
			now.map((position) => ({
				shape: "particle",
				material: "particle",
				position,
				...(kind === "pseudo-rigid" && { kind }),
				...(jitter > 0 && {
					velocity: [random.between(-jitter, jitter), random.between(-jitter, jitter), random.between(-jitter, jitter)],
				}),
			})),
		);
	}
	return drops;
}

/** Places for one drop, by layers from below: a grid of touching particles, those of its cells in which one fits into the drum. */
function dropSites([rx, ry, rz]: Vector): Vector[] {
	const across = Math.max(1, Math.floor(DROP_X / rx));
	const deep = Math.max(1, Math.floor((DROP_Y[1] - DROP_Y[0]) / (2 * ry) + 1e-9));
	const sites: Vector[] = [];
	const wide = 1 + CLEARANCE;
	for (let z = DROP_Z; z < INNER_RADIUS; z += 2 * rz * wide) {
		for (let j = 0; j < deep; j += 1) {
			for (let i = 0; i < across; i += 1) {
				const x = (2 * i + 1 - across) * rx * wide;
				const y = (DROP_Y[0] + DROP_Y[1]) / 2 + (2 * j + 1 - deep) * ry * wide;
				if (fitsIn(x, z, rx, rz)) sites.push([x, y, z]);
			}
		}
	}
	return sites;
}

/** Whether an ellipse lies inside all flat pieces. */
function fitsIn(x: number, z: number, rx: number, rz: number): boolean {
	const { cosine: apothem } = turnOf(1, 2 * PIECES);
	for (let k = 0; k < PIECES; k += 1) {
		const { cosine, sine } = turnOf(2 * k + 1, 2 * PIECES);
		const reach = Math.sqrt(rx * rx * cosine * cosine + rz * rz * sine * sine);
		if (x * cosine + z * sine + reach > INNER_RADIUS * apothem) return false;
	}
	return true;
}
