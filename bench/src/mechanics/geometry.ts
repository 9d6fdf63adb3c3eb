/**
 * Scenes in which the geometry of contacts decides, against closed forms, by all schemes: where a sphere leaves a sphere, at which friction two cards edge on
 * edge stand, and how deep the links of a swinging chain sink into each other.
 */
import {
	buildScene,
	type Quaternion,
	type SceneDescription,
	type SchemeOptions,
	type Shape,
	type Vector,
} from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { openScene, runSteps } from "./simulate.js";

const G = 9.81;
const SCHEMES: readonly SchemeOptions[] = [
	{ name: "half-step", recovery: 0.5 },
	{ name: "velocity-impulse" },
	{ name: "moreau", theta: 0.75 },
];

export type GeometryRow = {
	readonly scene: string;
	readonly scheme: string;
	readonly step: number;
	readonly exact: string;
	readonly measured: string;
	readonly held: "yes" | "NO";
};

function base(
	name: string,
	scheme: SchemeOptions,
	step: number,
	friction: number,
): Omit<SceneDescription, "shapes" | "obstacles" | "bodies"> {
	return {
		...{ version: 1, name, gravity: [0, 0, -G], step, until: 3, scheme, solver: { tolerance: 1e-8 } },
		...{ materials: { a: { density: 1000 } }, contact: { friction }, events: [] },
	};
}

const quaternionAboutY = (angle: number): Quaternion => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

const START = 0.2;

/** Relative error of the height at which a sphere leaves a fixed one: at 2/3 of its first height without friction, at 10/17 rolling. */
function leavingError(scheme: SchemeOptions, step: number, friction: number): number {
	const [radius, large] = [0.1, 1];
	const way = large + radius;
	const scene = buildScene({
		...base("a sphere leaves a sphere", scheme, step, friction),
		shapes: { large: { kind: "sphere", radius: large }, small: { kind: "sphere", radius } },
		obstacles: [{ shape: "large", material: "a", position: [0, 0, 0] }],
		bodies: [{ shape: "small", material: "a", position: [way * Math.sin(START), 0, way * Math.cos(START)] }],
	});
	const simulation = openScene(scene);
	let leaves = Number.NaN;
	while (simulation.bodies.position[5]! > 0) {
		runSteps(simulation, 1);
		const [x, z] = [simulation.bodies.position[3]!, simulation.bodies.position[5]!];
		if (simulation.reaction.some((part) => part > 0)) leaves = z / Math.sqrt(x * x + z * z);
	}
	return leaves / (Math.cos(START) * (friction > 0 ? 10 / 17 : 2 / 3)) - 1;
}

const CARD: Vector = [0.001, 0.06, 0.09];

/** Friction from which two cards stand: the moment of the weight about the edge on the floor against that of the force at the upper edges. */
function leastFriction(tilt: number): number {
	const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
	// From the centre to the upper edge, where the cards meet, and to the edge on the floor.
	return (0.5 * (CARD[2] * s - CARD[0] * c)) / (CARD[2] * c);
}

/** How far a card moves in half a second. */
function cardsMove(scheme: SchemeOptions, step: number, tilt: number, friction: number): number {
	const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
	const x = 0.5 * (CARD[2] * s + CARD[0] * c);
	const z = 0.5 * (CARD[2] * c + CARD[0] * s);
	const card = (side: number) => ({
		...{
			shape: "card",
			material: "a",
			position: [side * x, 0, z] as Vector,
			orientation: quaternionAboutY(-side * tilt),
		},
	});
	const scene = buildScene({
		...base("two cards", scheme, step, friction),
		shapes: { floor: { kind: "plane", normal: [0, 0, 1], offset: 0 }, card: { kind: "box", size: CARD } },
		obstacles: [{ shape: "floor", material: "a", position: [0, 0, 0] }],
		bodies: [card(1), card(-1)],
	});
	const simulation = openScene(scene);
	runSteps(simulation, Math.round(0.5 / step));
	const { position } = simulation.bodies;
	return Math.max(Math.abs(position[3]! - x), Math.abs(position[5]! - z));
}

const WIRE = 6e-3;

/** Largest overlap, in parts of the wire, of a chain of ten links that swings for a second, and how far its energy rose. */
export function chainSinks(scheme: SchemeOptions, step: number): { readonly overlap: number; readonly rise: number } {
	const [long, wide, angle] = [0.02, 0.012, Math.PI / 3];
	const pitch = 2 * long - WIRE;
	const bar = (length: number, position: Vector, orientation?: Quaternion) => ({
		...({
			shape: { kind: "capsule", radius: WIRE / 2, length },
			position,
			...(orientation && { orientation }),
		} as const),
	});
	const across = quaternionAboutY(Math.PI / 2);
	const ring: Shape = {
		kind: "union",
		pieces: [
			...[bar(2 * long, [wide, 0, 0]), bar(2 * long, [-wide, 0, 0])],
			...[bar(2 * wide, [0, 0, long], across), bar(2 * wide, [0, 0, -long], across)],
		],
	};
	const [w, , y] = quaternionAboutY(-angle);
	// Every other link is turned by 90 degrees about the chain.
	const turned: Quaternion = [w * Math.SQRT1_2, y * Math.SQRT1_2, y * Math.SQRT1_2, w * Math.SQRT1_2];
	const link = (k: number) => ({
		...{ shape: "ring", material: "a", orientation: k % 2 === 0 ? ([w, 0, y, 0] as Quaternion) : turned },
		position: [k * pitch * Math.sin(angle), 0, -k * pitch * Math.cos(angle)] as Vector,
	});
	const plain = base("a chain swings", scheme, step, 0.3);
	const simulation = openScene(
		buildScene({
			...{ ...plain, solver: { tolerance: 1e-3 }, shapes: { ring }, obstacles: [link(0)] },
			bodies: Array.from({ length: 10 }, (_, k) => link(k + 1)),
		}),
	);
	let overlap = 0;
	const energies: number[] = [];
	runSteps(simulation, Math.round(1 / step), ({ largestPenetration, kinetic, potential }) => {
		overlap = Math.max(overlap, largestPenetration);
		energies.push(kinetic + potential);
	});
	return { overlap: overlap / WIRE, rise: Math.max(...energies) - energies[0]! };
}

/** The error falls with the step: at most this times the relative way that a step makes. */
const LEAVING_ERROR = 3;

export function leavingRows(scheme: SchemeOptions, steps: readonly number[]): GeometryRow[] {
	return [0, 1000].flatMap((friction) =>
		steps.map((step): GeometryRow => {
			const error = leavingError(scheme, step, friction);
			return {
				...{
					scene: friction > 0 ? "a rolling sphere leaves a sphere" : "a sphere leaves a sphere",
					scheme: scheme.name,
					step,
				},
				...{ exact: friction > 0 ? "10/17" : "2/3", measured: `${(100 * error).toFixed(3)} %` },
				held: Math.abs(error) < LEAVING_ERROR * step ? "yes" : "NO",
			};
		}),
	);
}

export function cardRows(scheme: SchemeOptions, step: number, tilt = 0.6): GeometryRow[] {
	const least = leastFriction(tilt);
	return [0.98, 1.02, 1.5].map((factor) => {
		const moved = cardsMove(scheme, step, tilt, factor * least);
		const stands = factor > 1;
		return {
			...{ scene: `two cards, friction ${(factor * least).toFixed(4)}`, scheme: scheme.name, step },
			exact: `${stands ? "stand" : "fall"} (limit ${least.toFixed(4)})`,
			measured: `${moved.toExponential(1)} m`,
			held: stands === moved < 1e-6 ? "yes" : "NO",
		};
	});
}

/** Links sink by less than this part of their wire. */
const OVERLAP_MAX = 0.05;

export function chainRow(scheme: SchemeOptions, step: number): GeometryRow {
	const { overlap, rise } = chainSinks(scheme, step);
	return {
		...{
			scene: "a chain swings",
			scheme: scheme.name,
			step,
			exact: `overlap below ${100 * OVERLAP_MAX} %, no energy gained`,
		},
		measured: `${(100 * overlap).toFixed(2)} %, ${rise.toExponential(1)} J`,
		held: overlap < OVERLAP_MAX && rise <= 0 ? "yes" : "NO",
	};
}

export const mechanicsGeometry: Bench = {
	name: "mechanics-geometry",
	what: "leaving angle, two cards edge on edge and a swinging chain against closed forms, by all schemes",
	run() {
		const rows = SCHEMES.flatMap((scheme) => [
			...leavingRows(scheme, [4e-3, 2e-3, 1e-3, 5e-4]),
			...cardRows(scheme, 1e-3),
			chainRow(scheme, 1e-3),
		]);
		console.log(Object.keys(rows[0]!).join("  "));
		for (const row of rows) console.log(Object.values(row).join("  "));
		console.log(recordCsv("mechanics-geometry", rows));
		return rows.every(({ held }) => held === "yes") ? undefined : 1;
	},
};
