/**
 * Bodies of every shape are shot at plates, planes and other bodies by all schemes, with random orientation, spin and direction. A shot counts as passed if
 * the body comes out on the other side. Speeds are in body lengths per step.
 */
import { Random } from "@stickslip/core";
import {
	buildScene,
	type Quaternion,
	type SceneDescription,
	type SchemeOptions,
	type Shape,
	type Simulation,
	type Vector,
} from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { openScene, runSteps } from "./simulate.js";

const STEP = 1e-3;
const THICKNESS = 5e-3;
const SHOTS = 20;
const SLOW: readonly number[] = [0.1, 0.3, 0.6, 0.95];
const FAST: readonly number[] = [3, 30];
/** Angle between the velocity and the normal of the target, at most, and spin in radians per step at one body length per step. */
const SLANT = 0.8;
const SPIN = 0.5;
/** Lateral half-width of targets in body lengths: a shot that leaves it has missed. */
const TARGET = 6;

export const SHOT_SCHEMES: readonly SchemeOptions[] = [
	{ name: "half-step" },
	{ name: "velocity-impulse" },
	{ name: "moreau", theta: 0.75 },
];

/** Shapes with their lengths, the largest extent, and the radius of a ball inside. */
export const SHOT_SHAPES: Readonly<
	Record<string, { readonly shape: Shape; readonly length: number; readonly inside: number }>
> = {
	sphere: { shape: { kind: "sphere", radius: 0.02 }, length: 0.04, inside: 0.02 },
	ellipsoid: { shape: { kind: "ellipsoid", radii: [0.04, 0.02, 0.015] }, length: 0.08, inside: 0.015 },
	capsule: { shape: { kind: "capsule", radius: 0.01, length: 0.06 }, length: 0.08, inside: 0.01 },
	box: { shape: { kind: "box", size: [0.08, 0.04, 0.02] }, length: 0.08, inside: 0.01 },
	polyhedron: { shape: { kind: "polyhedron", vertices: polyhedron() }, length: 0.08, inside: 0.011 },
	union: {
		shape: {
			kind: "union",
			pieces: [
				{ shape: { kind: "box", size: [0.06, 0.02, 0.02] } },
				{ shape: { kind: "sphere", radius: 0.02 }, position: [0.03, 0, 0] },
			],
		},
		length: 0.08,
		inside: 0.01,
	},
};

/** Twelve corners on an ellipsoid. */
function polyhedron(): Vector[] {
	const phi = (1 + Math.sqrt(5)) / 2;
	const signs = [-1, 1];
	const corners = signs.flatMap((a) =>
		signs.flatMap((b) => [
			[0, a, b * phi],
			[a, b * phi, 0],
			[b * phi, 0, a],
		]),
	);
	const scale = 0.04 / Math.sqrt(1 + phi * phi);
	return corners.map(([x, y, z]) => [scale * x!, 0.6 * scale * y!, 0.4 * scale * z!]);
}

/** Fixed or moving; `pushed` is a body at rest just above a fixed plate, which the shot drives into it. */
export const TARGETS = ["plate", "plane", "moving plate", "free plate", "body", "moving body", "pushed"] as const;
export type Target = (typeof TARGETS)[number];

export interface Shot {
	readonly shape: string;
	readonly target: Target;
	readonly scheme: SchemeOptions;
	/** In body lengths per step. */
	readonly speed: number;
	readonly restitution: number;
	readonly seed: number;
}

function orientation(random: Random): Quaternion {
	const q = [0, 0, 0, 0].map(() => random.between(-1, 1) + random.between(-1, 1) + random.between(-1, 1));
	return q as unknown as Quaternion;
}

/** The bodies of a shot: what is checked is number 0, what it must not pass is number 1, an obstacle or a body. */
function describe({ shape: name, target, scheme, speed, restitution, seed }: Shot): SceneDescription {
	const random = new Random(seed, 7);
	const { shape, length } = SHOT_SHAPES[name]!;
	const isBody = target === "body" || target === "moving body";
	const v = (speed * length) / STEP;
	const slant = isBody ? 0 : random.between(0, SLANT);
	const around = random.between(0, 2 * Math.PI);
	const direction: Vector = [Math.sin(slant) * Math.cos(around), Math.sin(slant) * Math.sin(around), -Math.cos(slant)];
	const share = target === "moving body" || target === "moving plate" ? random.between(0.2, 0.8) : 1;
	const spin = (): Vector =>
		[1, 2, 3].map(() => (SPIN * Math.min(speed, 1) * random.between(-1, 1)) / STEP) as unknown as Vector;
	const width = 2 * TARGET * length;
	const height = 1.2 * length + random.between(0, speed * length);
	const body = (z: number, share: number, turns = true) => ({
		...{ shape: "shot", material: "a", position: [0, 0, z] as Vector, orientation: orientation(random) },
		velocity: direction.map((x) => share * v * x) as unknown as Vector,
		...(turns && { spin: spin() }),
	});
	const isObstacle = target === "plate" || target === "plane" || target === "moving plate" || target === "pushed";
	const moving = { from: 0, velocity: direction.map((x) => (share - 1) * v * x) as unknown as Vector };
	return {
		...{
			version: 1,
			name: `${name} at ${target}`,
			gravity: [0, 0, 0],
			step: STEP,
			until: 1,
			scheme,
			solver: { tolerance: 1e-6 },
		},
		materials: { a: { density: 1000 }, heavy: { density: 20000 } },
		contact: { friction: 0.3, restitution },
		shapes: {
			shot: shape,
			plate: { kind: "box", size: [width, width, THICKNESS] },
			plane: { kind: "plane", normal: [0, 0, 1], offset: 0 },
		},
		obstacles: isObstacle
			? [
					{
						shape: target === "plane" ? "plane" : "plate",
						...{ material: "a", position: [0, 0, target === "plane" ? 0 : -THICKNESS / 2] },
						...(target === "moving plate" && { motion: [moving] }),
					},
				]
			: [],
		bodies: [
			...(target === "pushed"
				? [{ ...body(0.65 * length, 0, false) }, body(0.65 * length + height, 1)]
				: [body(height, share)]),
			...(target === "free plate"
				? [{ shape: "plate", material: "heavy", position: [0, 0, -THICKNESS / 2] as Vector }]
				: []),
			...(isBody ? [body(0, share - 1)] : []),
		],
		events: [],
	};
}

/** Height of body 0 over the middle of a plate or plane; NaN if it has left its sides. */
function heightOver({ bodies }: Simulation, target: Target, length: number): number {
	const { position, map, obstacles } = bodies;
	const shot = 3 * obstacles;
	const isFree = obstacles === 0;
	const at = isFree ? 1 : 0;
	const d = [0, 1, 2].map((k) => position[shot + k]! - position[3 * at + k]!);
	const local = [0, 1, 2].map(
		(j) => d[0]! * map[9 * at + j]! + d[1]! * map[9 * at + 3 + j]! + d[2]! * map[9 * at + 6 + j]!,
	);
	const isBeside = Math.abs(local[0]!) > TARGET * length || Math.abs(local[1]!) > TARGET * length;
	return isBeside ? Number.NaN : target === "plane" ? position[shot + 2]! : local[2]!;
}

/** True if the body passed. */
export function passes(shot: Shot, change: Partial<SceneDescription> = {}): boolean {
	const simulation = openScene(buildScene({ ...describe(shot), ...change }));
	const { length } = SHOT_SHAPES[shot.shape]!;
	const steps = Math.ceil(2.2 / Math.min(shot.speed, 1)) + 6;
	if (shot.target.endsWith("body")) return meetsThrough(simulation, steps, shot.shape);
	let passed = false;
	runSteps(simulation, steps, () => {
		const height = heightOver(simulation, shot.target, length);
		if (Number.isFinite(height)) passed = height < 0;
	});
	return passed;
}

/** True if the way of the centres from step to step comes so near that the balls inside the bodies overlap by half: bodies of odd shapes may roll around each other. */
function meetsThrough(simulation: Simulation, steps: number, shape: string): boolean {
	let least = Number.POSITIVE_INFINITY;
	let before = between(simulation);
	runSteps(simulation, steps, () => {
		const now = between(simulation);
		least = Math.min(least, distanceOfWay(before, now));
		before = now;
	});
	return least < SHOT_SHAPES[shape]!.inside;
}

function between({ bodies: { position, obstacles } }: Simulation): number[] {
	return [0, 1, 2].map((d) => position[3 * obstacles + 3 + d]! - position[3 * obstacles + d]!);
}

/** From the origin to the segment between two points. */
function distanceOfWay(from: readonly number[], to: readonly number[]): number {
	const way = to.map((x, d) => x - from[d]!);
	const square = way.reduce((sum, x) => sum + x * x, 0);
	const along = -from.reduce((sum, x, d) => sum + x * way[d]!, 0);
	const t = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
	return Math.sqrt(from.reduce((sum, x, d) => sum + (x + t * way[d]!) ** 2, 0));
}

export type TunnellingRow = {
	readonly scheme: string;
	readonly target: string;
	readonly restitution: number;
	readonly speed: number;
	readonly shots: number;
	readonly passed: number;
	/** Shapes that passed, with their numbers. */
	readonly which: string;
};

export function tunnellingRows(
	scheme: SchemeOptions,
	speeds: readonly number[],
	shots: number,
	restitutions: readonly number[] = [0, 0.5],
): TunnellingRow[] {
	const rows: TunnellingRow[] = [];
	for (const target of TARGETS) {
		for (const restitution of restitutions) {
			for (const speed of speeds) {
				const counts = Object.keys(SHOT_SHAPES).map((shape) => {
					let passed = 0;
					for (let seed = 1; seed <= shots; seed += 1) {
						if (passes({ shape, target, scheme, speed, restitution, seed })) passed += 1;
					}
					return { shape, passed };
				});
				const passed = counts.reduce((sum, each) => sum + each.passed, 0);
				const which = counts.filter((each) => each.passed > 0).map((each) => `${each.shape} ${each.passed}`);
				const all = shots * counts.length;
				rows.push({ scheme: scheme.name, target, restitution, speed, shots: all, passed, which: which.join("; ") });
			}
		}
	}
	return rows;
}

export const tunnelling: Bench = {
	name: "tunnelling",
	what: "shots of all shapes at plates, planes and bodies by all schemes: how many pass, below and above one body length per step",
	run(args) {
		const shots = Number(args[0] ?? SHOTS);
		const rows = SHOT_SCHEMES.flatMap((scheme) => tunnellingRows(scheme, [...SLOW, ...FAST], shots));
		console.log(Object.keys(rows[0]!).join("  "));
		for (const row of rows) console.log(Object.values(row).join("  "));
		console.log(recordCsv("tunnelling", rows));
		return rows.every(({ speed, passed }) => speed > 1 || passed === 0) ? undefined : 1;
	},
};
