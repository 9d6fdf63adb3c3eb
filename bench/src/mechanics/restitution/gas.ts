/** A gas of spheres in a box without gravity and friction: with one e the law creates no energy in any step. */
import { Random } from "@stickslip/core";
import { buildScene, type SceneDescription, type SchemeOptions, type Vector } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { boundedRow, documentedRow, type RestitutionRow } from "./row.js";

const RADIUS = 0.05;
/** Between centres at the beginning, in diameters. */
const PITCH = 1.08;
const SPEED = 1;

/** Cubes of `side` spheres with random velocities, between six planes. */
export function gasScene(
	side: number,
	restitution: number,
	scheme: SchemeOptions,
	step = 1e-3,
	tolerance = 1e-13,
): SceneDescription {
	const random = new Random(25, side);
	const pitch = 2 * RADIUS * PITCH;
	const half = 0.5 * side * pitch;
	const normals: readonly Vector[] = [0, 1, 2].flatMap((d): Vector[] =>
		[-1, 1].map((sign) => [0, 1, 2].map((k) => (k === d ? sign : 0)) as unknown as Vector),
	);
	const planes = normals.map((normal, k) => [`wall${k}`, { kind: "plane", normal, offset: -half }] as const);
	const place = (k: number) => (k - 0.5 * (side - 1)) * pitch;
	const between = () => random.between(-SPEED, SPEED);
	return {
		...{ version: 1, name: "gas", gravity: [0, 0, 0], step, until: 1e3 * step, scheme },
		solver: { tolerance },
		materials: { hard: { density: 1000 } },
		contact: { friction: 0, restitution },
		shapes: { ball: { kind: "sphere", radius: RADIUS }, ...Object.fromEntries(planes) },
		obstacles: planes.map(([shape]) => ({ shape, material: "hard", position: [0, 0, 0] })),
		bodies: Array.from({ length: side ** 3 }, (_, i) => ({
			...{ shape: "ball", material: "hard" },
			position: [place(i % side), place(Math.floor(i / side) % side), place(Math.floor(i / side ** 2))],
			velocity: [between(), between(), between()],
		})),
		events: [],
	};
}

export interface GasEnergy {
	/** Largest rise in one step, of the energy before it. */
	readonly rise: number;
	/** Largest distance from the energy at the beginning, of that energy. */
	readonly drift: number;
	/** Ratio of the energy at the end to the energy at the beginning. */
	readonly left: number;
}

export function gasEnergy(scene: SceneDescription, steps: number): GasEnergy {
	const simulation = openScene(buildScene(scene), {});
	let [first, before, rise, drift] = [Number.NaN, Number.NaN, 0, 0];
	runSteps(simulation, steps, ({ kinetic }) => {
		if (Number.isNaN(first)) first = before = kinetic;
		rise = Math.max(rise, (kinetic - before) / before);
		drift = Math.max(drift, Math.abs(kinetic - first) / first);
		before = kinetic;
	});
	return { rise, drift, left: before / first };
}

const SCHEMES: readonly SchemeOptions[] = [
	{ name: "half-step" },
	{ name: "moreau", theta: 0.5 },
	{ name: "moreau", theta: 0.6 },
	{ name: "moreau", theta: 1 },
].map((scheme) => ({ ...scheme, name: scheme.name as SchemeOptions["name"], recovery: 0 }));

function label({ name, theta }: SchemeOptions): string {
	return theta === undefined ? name : `${name} ${theta}`;
}

/** `steps` with e = 1, a fifth of them with other restitutions. */
export function gasRows(side: number, steps: number): RestitutionRow[] {
	return SCHEMES.flatMap((scheme) => {
		const kept = gasEnergy(gasScene(side, 1, scheme), steps);
		const lossy = [0.9, 0.5, 0].map((e) => {
			const { rise } = gasEnergy(gasScene(side, e, scheme), steps / 5);
			return boundedRow(`gas, ${label(scheme)}, e ${e}: largest rise of energy in a step`, steps / 5, rise, 1e-12);
		});
		return [
			boundedRow(`gas, ${label(scheme)}, e 1: largest rise of energy in a step`, steps, kept.rise, 1e-12),
			boundedRow(`gas, ${label(scheme)}, e 1: drift of energy`, steps, kept.drift, 1e-9),
			...lossy,
		];
	});
}

/** Energy that velocity-impulse loses at e = 1 in half a second, for several steps, compared with half-step. */
export function lossRows(side: number): RestitutionRow[] {
	return [2e-3, 1e-3, 5e-4, 1e-4].flatMap((step) =>
		(["velocity-impulse", "half-step"] as const).map((name) => {
			const steps = Math.round(0.5 / step);
			const { left } = gasEnergy(gasScene(side, 1, { name }, step, 1e-10), steps);
			return documentedRow(`gas, ${name}, e 1, h ${step}: share of energy lost in 0.5 s`, steps, 1 - left);
		}),
	);
}
