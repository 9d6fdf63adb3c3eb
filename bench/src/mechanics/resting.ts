/**
 * Physical error against work: how far bodies move that must rest, by tolerance and step, and the products per step of the scenes by name.
 * `--of FOLDER` measures another revision, built in that folder; the energy tolerance has another meaning before decision 0053.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type * as Mechanics from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";

type Vector3 = [number, number, number];
type Library = Pick<typeof Mechanics, "makeScene" | "readScene" | "Simulation">;

interface RestingBody {
	readonly shape: string;
	readonly position: Vector3;
	readonly orientation?: [number, number, number, number];
	readonly velocity?: Vector3;
}

/** A scene in which the first `resting` bodies must not move. */
export interface RestingScene {
	readonly name: string;
	readonly steps: readonly number[];
	readonly scheme: string;
	readonly gravity: Vector3;
	readonly friction: number;
	readonly shapes: Record<string, object>;
	readonly obstacles: readonly Omit<RestingBody, "velocity">[];
	readonly bodies: readonly RestingBody[];
	readonly resting: number;
}

const DEGREE = Math.PI / 180;
const G = 9.81;
const FLOOR = { kind: "plane", normal: [0, 0, 1], offset: 0 };
const BOX = { kind: "box", size: [0.1, 0.1, 0.1] };
const onFloor = [{ shape: "floor", position: [0, 0, 0] as Vector3 }];

/** Gravity on a slope at a fraction of the angle of friction. */
function slope(friction: number, fraction: number): Vector3 {
	const angle = Math.atan(friction * fraction);
	return [G * Math.sin(angle), 0, -G * Math.cos(angle)];
}

/** A ladder of 2 m between a floor and a wall of the same friction, `above` degrees over the angle at which it slides. */
function ladder(friction: number, above: number): RestingScene {
	const [length, thickness] = [2, 0.02];
	const angle = Math.atan((1 - friction * friction) / (2 * friction)) + above * DEGREE;
	const [c, s] = [Math.cos(angle), Math.sin(angle)];
	// The lower corner of the foot is on the floor, that of the head at the wall x = 0.
	const x = -(length / 2) * c - (thickness / 2) * s;
	const z = (length / 2) * s + (thickness / 2) * c;
	return {
		name: `ladder ${above} degrees above its limit`,
		steps: [1e-3],
		scheme: "velocity-impulse",
		gravity: [0, 0, -G],
		friction,
		shapes: {
			floor: FLOOR,
			wall: { kind: "box", size: [1, 3, 4] },
			ladder: { kind: "box", size: [length, 0.1, thickness] },
		},
		obstacles: [...onFloor, { shape: "wall", position: [0.5, 0, 2] }],
		bodies: [{ shape: "ladder", position: [x, 0, z], orientation: [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0] }],
		resting: 1,
	};
}

const block: RestingScene = {
	name: "block beside a wall",
	steps: [1e-3, 1e-4],
	scheme: "velocity-impulse",
	gravity: slope(0.31, 0.3 / 0.31),
	friction: 0.31,
	shapes: { floor: FLOOR, wall: { kind: "plane", normal: [0, -1, 0], offset: -0.054 }, box: BOX },
	obstacles: [...onFloor, { shape: "wall", position: [0, 0, 0] }],
	bodies: [{ shape: "box", position: [0, 0, 0.05] }],
	resting: 1,
};

const grid: RestingScene = {
	...block,
	name: "25 boxes on a slope, 4 mm apart",
	steps: [1e-3, 2e-4],
	shapes: { floor: FLOOR, box: BOX },
	obstacles: onFloor,
	bodies: Array.from({ length: 25 }, (_, i) => ({
		shape: "box",
		position: [0.104 * (i % 5), 0.104 * Math.floor(i / 5), 0.05],
	})),
	resting: 25,
};

const slider: RestingScene = {
	...grid,
	name: "a block rests while another slides by",
	steps: [1e-3, 1e-4],
	scheme: "half-step",
	bodies: [
		{ shape: "box", position: [0, 0, 0.05] },
		{ shape: "box", position: [0, 0.3, 0.05], velocity: [5, 0, 0] },
	],
	resting: 1,
};

export const RESTING_SCENES: readonly RestingScene[] = [block, ladder(0.4, 0.5), grid, slider];

function sceneText(scene: RestingScene, step: number, until: number, tolerance: number | undefined): string {
	const { name, scheme, gravity, friction, shapes } = scene;
	const material = (bodies: readonly object[]) => bodies.map((body) => ({ ...body, material: "stone" }));
	return JSON.stringify({
		...{ version: 1, name, gravity, step, until, scheme: { name: scheme }, solver: { tolerance } },
		...{ materials: { stone: { density: 1000 } }, contact: { friction }, shapes, events: [] },
		...{ obstacles: material(scene.obstacles), bodies: material(scene.bodies) },
	});
}

export interface Drift {
	/** Largest displacement of a body that must rest, m. */
	readonly moved: number;
	readonly products: number;
	readonly failed: number;
}

/** The scene from its start; with no tolerance to the default. */
export function driftOf(library: Library, scene: RestingScene, step: number, until: number, tolerance?: number): Drift {
	const setup = library.readScene(sceneText(scene, step, until, tolerance), scene.name);
	const simulation = new library.Simulation(setup, { onFailure: "continue" });
	const steps = Math.round(until / step);
	let [products, failed] = [0, 0];
	for (const done of simulation.run(steps)) {
		products += done.products;
		failed = done.failedSteps;
	}
	const { position } = simulation.domain.bodies;
	const first = 3 * scene.obstacles.length;
	let moved = 0;
	for (let i = 0; i < scene.resting; i += 1) {
		const at = position.subarray(first + 3 * i, first + 3 * i + 3);
		moved = Math.max(moved, Math.hypot(...scene.bodies[i]!.position.map((start, k) => at[k]! - start)));
	}
	return { moved, products: products / steps, failed };
}

/** 12 grains on each other, with three blocks of 1 m3 of stone 3 m away or without them: how much that changes the grains' positions. */
export function influenceOf(library: Library, step: number, until: number, tolerance?: number): number {
	const grains: RestingBody[] = Array.from({ length: 12 }, (_, i) => ({
		shape: "grain",
		position: [0, 0, 0.01 + 0.02 * i],
	}));
	const blocks: RestingBody[] = [0.5, 1.5, 2.5].map((z) => ({ shape: "block", position: [3, 0, z] }));
	const shapes = {
		floor: FLOOR,
		grain: { kind: "sphere", radius: 0.01 },
		block: { kind: "box", size: [1, 1, 1] },
	};
	const [alone, beside] = [grains, [...grains, ...blocks]].map((bodies) => {
		const scene = { ...grid, name: "column", gravity: [0, 0, -G] as Vector3, friction: 0.5, shapes, bodies };
		const setup = library.readScene(sceneText(scene, step, until, tolerance), scene.name);
		const simulation = new library.Simulation(setup, { onFailure: "continue" });
		for (const _ of simulation.run(Math.round(until / step)));
		return simulation.domain.bodies.position.slice(3, 3 + 3 * grains.length);
	});
	return alone!.reduce((most, value, i) => Math.max(most, Math.abs(value - beside![i]!)), 0);
}

/** Scenes by name, small enough to be run at several tolerances, and their steps. */
const WORK: readonly (readonly [string, Record<string, number>, number])[] = [
	["drum", { bodies: 100 }, 600],
	["pile", { bodies: 200 }, 300],
	["tower", {}, 150],
	["hopper", { bodies: 300 }, 200],
	["impact", { bodies: 300 }, 200],
	["stack", {}, 200],
	["spheres", { bodies: 200 }, 200],
];

/** Products per step in which there are contacts. */
function workOf(library: Library, name: string, options: Record<string, number>, steps: number, tolerance?: number) {
	const setup = library.makeScene(name, options);
	const solver = tolerance === undefined ? setup.solver : { ...setup.solver, tolerance };
	const simulation = new library.Simulation({ ...setup, solver }, { onFailure: "continue" });
	let [products, counted] = [0, 0];
	for (const done of simulation.run(steps)) {
		products += done.products;
		if (done.contacts > 0) counted += 1;
	}
	return products / counted;
}

async function libraryOf(folder: string | undefined): Promise<Library> {
	if (folder === undefined) return import("@stickslip/mechanics");
	return import(pathToFileURL(join(folder, "packages/mechanics/dist/index.js")).href);
}

export const resting: Bench = {
	name: "resting",
	what: "motion of what must rest, and products per step of the scenes by name, by tolerance; --of FOLDER for another build",
	async run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				of: { type: "string" },
				tolerances: { type: "string", default: "default,1e-2,3e-3,1e-3" },
				until: { type: "string", default: "1" },
			},
		});
		const library = await libraryOf(values.of);
		const tolerances = values.tolerances.split(",").map((text) => (text === "default" ? undefined : Number(text)));
		const until = Number(values.until);
		const rows = [];
		for (const tolerance of tolerances) {
			const shown = tolerance ?? "default";
			for (const scene of RESTING_SCENES) {
				for (const step of scene.steps) {
					const { moved, products, failed } = driftOf(library, scene, step, until, tolerance);
					rows.push({ scene: scene.name, step, tolerance: shown, metres: moved.toExponential(1), products, failed });
				}
			}
			for (const step of [1e-3, 1e-4]) {
				const metres = influenceOf(library, step, until, tolerance).toExponential(1);
				rows.push({
					scene: "12 grains, with and without blocks",
					step,
					tolerance: shown,
					metres,
					products: "",
					failed: "",
				});
			}
			for (const [name, options, steps] of WORK) {
				const products = workOf(library, name, options, steps, tolerance).toPrecision(3);
				rows.push({ scene: name, step: "", tolerance: shown, metres: "", products, failed: "" });
			}
		}
		console.table(rows);
		console.log(`recorded in ${recordCsv(values.of === undefined ? "resting" : "resting-other", rows)}`);
		return 0;
	},
};
