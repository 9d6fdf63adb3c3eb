/**
 * Random collisions of two spinning bodies in free space: momentum about the origin is kept to rounding whatever the solve ends with, and energy does not
 * rise where the law creates none (no friction, no restitution, or Poisson's law).
 */
import { Random } from "@stickslip/core";
import { buildScene, type SceneDescription, type Shape, type Simulation, type Vector } from "@stickslip/mechanics";
import { randomDirection } from "../random-pairs.js";
import { openScene, runSteps } from "../simulate.js";
import { boundedRow, documentedRow, type RestitutionRow } from "./row.js";

/** Steps that a pair has for its collision. */
const STEPS = 120;
const STEP = 5e-4;
const KINDS = ["box", "ellipsoid", "capsule", "polyhedron"] as const;
const LAWS: readonly Law[] = [
	{ name: "no friction, e 0 to 1", friction: () => 0, restitution: (random: Random) => random.uniform() },
	{ name: "friction, e 0", friction: (random: Random) => random.between(0.1, 1), restitution: () => 0 },
	...(["Newton", "Poisson"] as const).map((name) => ({
		name: `friction, e 0 to 1, ${name}`,
		friction: (random: Random) => random.between(0.1, 1),
		restitution: (random: Random) => random.uniform(),
		isPoisson: name === "Poisson",
	})),
];

interface Law {
	readonly name: string;
	friction(random: Random): number;
	restitution(random: Random): number;
	readonly isPoisson?: boolean;
}

function shapeOf(kind: (typeof KINDS)[number], random: Random): Shape {
	const lengths = (): Vector => [random.between(0.05, 0.2), random.between(0.05, 0.2), random.between(0.05, 0.2)];
	if (kind === "box") return { kind, size: lengths() };
	if (kind === "ellipsoid") return { kind, radii: lengths() };
	if (kind === "capsule") return { kind, radius: random.between(0.03, 0.1), length: random.between(0.05, 0.3) };
	const radii = lengths();
	const corners = Array.from({ length: 8 + random.below(12) }, () => randomDirection(random));
	return { kind, vertices: corners.map((corner) => corner.map((x, d) => x * radii[d]!) as unknown as Vector) };
}

/** Two bodies that fly at each other from just outside each other's reach, off the common axis by part of their size. */
function pairScene(law: Law, random: Random): SceneDescription {
	const kinds = [random.below(KINDS.length), random.below(KINDS.length)];
	const vector = (size: number) => randomDirection(random).map((x) => size * x) as unknown as Vector;
	const quaternion = () =>
		[1, 0, 0, 0].map((x) => x + random.between(-1, 1)) as unknown as [number, number, number, number];
	const away = randomDirection(random);
	const off = vector(0.03);
	const speed = random.between(4, 8);
	const body = (shape: string, sign: number) => ({
		...{ shape, material: shape, orientation: quaternion(), spin: vector(random.between(0, 20)) },
		position: away.map((x, d) => sign * (0.24 * x + off[d]!)) as unknown as Vector,
		velocity: away.map((x) => -sign * speed * x) as unknown as Vector,
	});
	return {
		...{ version: 1, name: "pair", gravity: [0, 0, 0], step: STEP, until: STEPS * STEP },
		scheme: {
			...{ name: "half-step", rotation: "conserving" },
			...(law.isPoisson === true && { restitutionLaw: "poisson" as const }),
		},
		solver: { tolerance: 1e-11 },
		materials: { one: { density: random.between(500, 2000) }, other: { density: random.between(500, 2000) } },
		contact: { friction: law.friction(random), restitution: law.restitution(random) },
		shapes: { one: shapeOf(KINDS[kinds[0]!]!, random), other: shapeOf(KINDS[kinds[1]!]!, random) },
		obstacles: [],
		bodies: [body("one", -1), body("other", 1)],
		events: [],
	};
}

interface CollisionErrors {
	/** Pairs that touched. */
	collisions: number;
	/** Change of momentum, of the sum of the sizes of its terms; largest of all pairs. */
	linear: number;
	angular: number;
	/** Largest rise of energy in a step, of the energy before it. */
	rise: number;
	failedSteps: number;
}

/** Terms of momentum of each body, linear and angular about the origin. */
function sizesOf({ bodies }: Simulation): [number, number] {
	let [linear, angular] = [0, 0];
	for (let i = 0; i < bodies.count; i += 1) {
		const of = (values: Float64Array) =>
			Math.sqrt(values.subarray(3 * i, 3 * i + 3).reduce((sum, x) => sum + x * x, 0));
		const push = bodies.mass[i]! * of(bodies.velocity);
		linear += push;
		angular += push * of(bodies.position) + of(bodies.angularMomentum);
	}
	return [linear, angular];
}

function distance(one: readonly number[], other: readonly number[]): number {
	return Math.sqrt(one.reduce((sum, x, d) => sum + (x - other[d]!) ** 2, 0));
}

function collide(scene: SceneDescription, errors: CollisionErrors): void {
	const simulation = openScene(buildScene(scene));
	const [linear, angular] = sizesOf(simulation);
	let touched = false;
	let first: readonly [readonly number[], readonly number[]] | undefined;
	let before = Number.NaN;
	runSteps(simulation, STEPS, ({ momentum, angularMomentum, kinetic, failedSteps, step }) => {
		first ??= [momentum, angularMomentum];
		touched ||= simulation.reaction.some((each, k) => k % 3 === 0 && each > 0);
		errors.linear = Math.max(errors.linear, distance(momentum, first[0]) / linear);
		errors.angular = Math.max(errors.angular, distance(angularMomentum, first[1]) / angular);
		if (step > 1) errors.rise = Math.max(errors.rise, (kinetic - before) / before);
		before = kinetic;
		if (step === STEPS) errors.failedSteps += failedSteps;
	});
	if (touched) errors.collisions += 1;
}

/** Seeded pairs until the wanted number have collided. */
function randomCollisions(law: Law, count: number, seed: number): CollisionErrors {
	const errors = { collisions: 0, linear: 0, angular: 0, rise: 0, failedSteps: 0 };
	for (let pair = 0; errors.collisions < count; pair += 1) collide(pairScene(law, new Random(seed, pair)), errors);
	return errors;
}

/** `count` collisions of all laws together. */
export function collisionRows(count: number): RestitutionRow[] {
	return LAWS.flatMap((law, k) => {
		const { collisions, linear, angular, rise, failedSteps } = randomCollisions(law, count / LAWS.length, 100 + k);
		const what = `collisions, ${law.name}`;
		const mayRise = law.name.endsWith("Newton");
		return [
			boundedRow(`${what}: change of momentum`, collisions, linear, 1e-14),
			boundedRow(`${what}: change of angular momentum`, collisions, angular, 1e-13),
			boundedRow(`${what}: steps not solved`, collisions, failedSteps, 0),
			mayRise
				? documentedRow(`${what}: largest rise of energy in a step`, collisions, rise)
				: boundedRow(`${what}: largest rise of energy in a step`, collisions, rise, 1e-12),
		];
	});
}
