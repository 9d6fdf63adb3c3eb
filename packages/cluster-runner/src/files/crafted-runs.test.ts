/** Everything that reads a run file, on files that were changed from a seed: it is read, or refused with the place; nothing else is thrown. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { describeScene, RunWriter } from "@stickslip/mechanics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeRun, runAsText } from "../commands/info-run.js";
import { drawStep } from "../simulate/draw-step.js";
import { madeUpBodies, madeUpContacts, madeUpModel } from "../testing/bodies.js";
import { changeTree, readTree, writeTree } from "../testing/crafted-runs.js";
import { loadAppender, openRun, writeXdmf } from "./run-files.js";
import { partPath } from "./run-names.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-crafted-"));
const rounds = Number(process.env.STICKSLIP_FUZZ ?? (process.env.STICKSLIP_THOROUGH === "1" ? 1500 : 60));
const firstSeed = Number(process.env.STICKSLIP_FUZZ_SEED ?? 0);
const RANKS = 2;
const good = join(folder, "good.h5");

beforeAll(async () => {
	for (let rank = 0; rank < RANKS; rank += 1) await writeGood(rank);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Three steps of six made-up bodies on two ranks, with a scene of the catalogue. */
async function writeGood(rank: number): Promise<void> {
	const options = {
		...{ rank, ranks: RANKS, version: "0", hasRates: false, hasMoments: true },
		scene: JSON.stringify(describeScene("stack", { bodies: 3 })),
		statistics: ["step", "energy", "solved"],
	};
	const bodies = (step: number) => madeUpBodies(1 + 3 * rank, 3, 6, step);
	const path = partPath(good, rank);
	const writer = RunWriter.open(await loadAppender(), path, false, options, madeUpModel(), bodies(0));
	for (let step = 0; step < 3; step += 1) {
		writer.addStatistics(Float64Array.of(step, 1, 1));
		const { contacts, impulses } = madeUpContacts(rank === 0 ? step : 0);
		writer.add({ step, time: step / 4, duration: 0.25, bodies: bodies(step), contacts, impulses });
	}
	writer.end();
}

async function readAll(path: string): Promise<void> {
	runAsText(await describeRun(path));
	const run = await openRun(path);
	try {
		for (const step of run.steps) {
			run.bodies(step);
			run.contacts(step);
			drawStep(run, step, join(folder, "picture.svg"));
		}
		run.statistics();
		writeXdmf(path, run);
	} finally {
		run.close();
	}
}

test(`${rounds} run files, changed and with valid checksums: read or refused`, {
	timeout: 60_000 + 1000 * rounds,
}, async () => {
	const trees = Array.from({ length: RANKS }, (_, rank) => readTree(partPath(good, rank)));
	await readAll(good);
	const wrong: string[] = [];
	let [read, refused] = [0, 0];
	for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
		const random = new Random(seed);
		// A name for each: HDF5 would take a file that it failed to close for the same one.
		const path = join(folder, `changed-${seed}.h5`);
		const which = random.below(RANKS);
		for (const [rank, tree] of trees.entries()) {
			writeTree(partPath(path, rank), rank === which ? changeTree(tree, random) : tree);
		}
		try {
			await readAll(path);
			read += 1;
		} catch (error) {
			const isRefusal = error instanceof InputError && error.place !== "";
			if (isRefusal) refused += 1;
			else wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
		}
		for (let rank = 0; rank < RANKS; rank += 1) rmSync(partPath(path, rank));
	}
	expect(wrong).toEqual([]);
	expect(Math.min(read, refused)).toBeGreaterThan(rounds / 20);
});
