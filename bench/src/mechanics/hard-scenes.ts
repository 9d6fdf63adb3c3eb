/**
 * Scenes of ../shared/data/scenes on which methods fail one after another: failed steps, retries and the most iterations of a step. Walls, pits and stacks
 * may not fail; a pyramid with a top 1e5 times heavier, and a pit with e = 1, where a solution need not exist, may end unsolved within 2,000 iterations.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toTheEnd } from "@stickslip/core/parallel";
import { buildScene, parseScene, type SceneDescription, Simulation } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { recordCsv } from "../record.js";

const ITERATIONS_MAX = 2000;

interface HardScene {
	readonly file: string;
	readonly mayFail?: true;
	/** Restitution in place of the file's. */
	readonly restitution?: number;
}

const SCENES: readonly HardScene[] = [
	{ file: "wall-mu-5-tan-0.95" },
	{ file: "wall-6x10-mu-5-tan-0.95" },
	{ file: "pit-mu-5-e-0" },
	{ file: "stack-of-50-top-1000-times-heavier" },
	{ file: "stack-of-50-boxes-top-1000000-times-heavier" },
	{ file: "pyramid-of-spheres-top-100000-times-heavier", mayFail: true },
	{ file: "pit-mu-5-e-0", restitution: 1, mayFail: true },
];

export interface HardRow {
	readonly [column: string]: string | number;
	readonly scene: string;
	readonly steps: number;
	readonly failed: number;
	readonly retried: number;
	/** Largest number of iterations of all attempts at a step that failed. */
	readonly failedIterations: number;
	readonly iterations: number;
}

function rowOf(name: string, description: SceneDescription, most: number): HardRow {
	let [ofStep, iterations, failed, retried, failedIterations] = [0, 0, 0, 0, 0];
	const simulation = new Simulation(buildScene(description), {
		onFailure: "continue",
		onSolve: ({ report }) => {
			ofStep += report.iterations;
		},
	});
	const steps = Math.min(most, Math.round(description.until / description.step));
	for (let step = 0; step < steps; step += 1) {
		ofStep = 0;
		const { status, retries } = toTheEnd(simulation.step());
		iterations += ofStep;
		if (retries > 0) retried += 1;
		if (status === "solved") continue;
		failed += 1;
		failedIterations = Math.max(failedIterations, ofStep);
	}
	return { scene: name, steps, failed, retried, failedIterations, iterations };
}

/** One row for each scene in the folder, with a bounded number of steps. */
export function hardScenes(
	folder: string,
	most: number,
	tell: (row: HardRow) => void,
): { rows: HardRow[]; missed: string[] } {
	const [rows, missed]: [HardRow[], string[]] = [[], []];
	for (const { file, mayFail, restitution } of SCENES) {
		const path = join(folder, "scenes", `${file}.json`);
		const read = parseScene(readFileSync(path, "utf8"), path);
		const contact = { ...read.contact, ...(restitution !== undefined && { restitution }) };
		const name = restitution === undefined ? file : `${file}, e ${restitution}`;
		const row = rowOf(name, { ...read, contact }, most);
		rows.push(row);
		tell(row);
		if (mayFail ? row.failedIterations > ITERATIONS_MAX : row.failed > 0) missed.push(name);
	}
	return { rows, missed };
}

export const hardScenesBench: Bench = {
	name: "hard-scenes",
	what: "walls, pits, stacks and pyramids on which methods fail: failed steps, retries and iterations",
	async run(args) {
		const data = dataFolder();
		if (data === undefined) return 0;
		const most = args.length > 0 ? Number(args[0]) : Number.POSITIVE_INFINITY;
		const { rows, missed } = hardScenes(data, most, (row) => {
			const { scene, steps, failed, retried, failedIterations, iterations } = row;
			console.log(
				`${scene.padEnd(48)} ${steps} steps, ${failed} failed (at most ${failedIterations} iterations), ${retried} retried, ${iterations} iterations`,
			);
		});
		if (args.length === 0) console.log(`recorded in ${recordCsv("hard-scenes", rows)}`);
		for (const name of missed) console.log(`MISSED: ${name}`);
		return missed.length === 0 ? 0 : 1;
	},
};
