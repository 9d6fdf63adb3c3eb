/** What storing a step in a run file takes: time, bytes, and the time beside that of a step of the simulation. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHdf5 } from "@stickslip/cluster-runner";
import { type AppendModule, makeScene, RunWriter, STATISTICS_COLUMNS, statisticsRow } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { openScene, runSteps } from "./simulate.js";

const BODIES = [30, 1000, 5000, 20_000];
/** Steps until bodies touch. */
const FIRST_STEPS = 20;
const STORED = 40;

export interface RunFileRow {
	readonly bodies: number;
	readonly contacts: number;
	/** Milliseconds: of a step of the simulation, the least of storing one, and the least of storing one where the file is closed and opened again. */
	readonly step: number;
	readonly store: number;
	readonly release: number;
	/** Of the file before anything is stored, and of each stored step. */
	readonly bytesFirst: number;
	readonly bytesEach: number;
}

/** A bed of so many spheres. */
export function runFileRow(module: AppendModule, wanted: number, stored = STORED): RunFileRow {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-bench-"));
	try {
		const simulation = openScene(makeScene("spheres", { bodies: wanted }));
		let seconds = 0;
		let statistics: Float64Array = new Float64Array(0);
		runSteps(simulation, FIRST_STEPS, (told) => {
			const { detect, setup, solve, rest } = told.seconds;
			seconds = detect + setup + solve + rest;
			statistics = statisticsRow(told);
		});
		const { setup, contacts, reaction: impulses, bodies, time } = simulation;
		const options = {
			rank: 0,
			ranks: 1,
			version: "0",
			scene: "{}",
			statistics: STATISTICS_COLUMNS,
			hasRates: false,
			hasMoments: false,
		};
		const path = join(folder, "run.h5");
		const writer = RunWriter.open(module, path, false, options, setup.model, setup.bodies);
		const times = { store: [] as number[], release: [] as number[] };
		const add = (step: number, which: keyof typeof times) => {
			const start = performance.now();
			writer.addStatistics(statistics);
			writer.add({ step, time, duration: setup.step, bodies, contacts, impulses });
			if (which === "release") writer.release();
			times[which].push(performance.now() - start);
		};
		add(0, "release");
		const bytesFirst = statSync(path).size;
		for (let step = 1; step <= stored; step += 1) add(step, "store");
		writer.release();
		const bytesEach = (statSync(path).size - bytesFirst) / stored;
		for (let step = 1; step <= stored; step += 1) add(stored + step, "release");
		writer.end();
		return {
			...{ bodies: bodies.own, contacts: contacts.count, step: 1000 * seconds },
			...{ store: Math.min(...times.store), release: Math.min(...times.release.slice(1)), bytesFirst, bytesEach },
		};
	} finally {
		if (existsSync(folder)) rmSync(folder, { recursive: true });
	}
}

export const runFiles: Bench = {
	name: "run-files",
	what: "time and bytes of storing a step of a simulation",
	async run(args) {
		const sizes = args.length > 0 ? args.map(Number) : BODIES;
		if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
			console.log("npm run bench -- run-files [BODIES...]");
			return 2;
		}
		const module = (await loadHdf5()) as AppendModule;
		console.log("milliseconds and bytes; `release` closes the file after the step and opens it again");
		const rows: Readonly<Record<string, number>>[] = [];
		for (const size of sizes) {
			const row = Object.entries(runFileRow(module, size)).map(([name, value]) => [name, Number(value.toPrecision(3))]);
			rows.push(Object.fromEntries(row) as Record<string, number>);
			console.log(row.map(([name, value]) => `${name} ${value}`).join("  "));
		}
		if (args.length === 0) console.log(`recorded in ${recordCsv("run-files", rows)}`);
		return 0;
	},
};
