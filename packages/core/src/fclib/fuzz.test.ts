/**
 * The reader against spoilt files: it reads, or it ends in one InputError line; it neither crashes nor hangs nor grows; and what it
 * reads without HDF5 is what HDF5 reads. The attempts run in a worker that is watched from outside, because nothing
 * inside can stop a call that does not return.
 * STICKSLIP_FUZZ=count tries more than the usual number; STICKSLIP_FUZZ_SEED starts elsewhere.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { attempt } from "../testing/fuzz.js";
import { goodFiles, OTHERS } from "../testing/good-files.js";
import { mutatedReaders } from "../testing/mutated.js";
import type { Hdf5Module } from "./module.js";

const here = dirname(fileURLToPath(import.meta.url));
const data = process.env.STICKSLIP_DATA ?? join(here, "../../../../../shared/data");
const folder = mkdtempSync(join(tmpdir(), "stickslip-fuzz-"));
const count = Number(process.env.STICKSLIP_FUZZ ?? (process.env.STICKSLIP_THOROUGH === "1" ? 1500 : 200));
const firstSeed = Number(process.env.STICKSLIP_FUZZ_SEED ?? 0);
/** A seed that takes longer hangs. */
const SECONDS_MAX = 200;
/** Memory that is really there (the library's address space may grow without being touched). */
const BYTES_MAX = 2 ** 30;

interface Answer {
	readonly seed: number;
	readonly outcome: "read" | "refused" | "crashed";
	readonly isPlain: boolean;
	readonly line: string;
	readonly milliseconds: number;
	readonly rss: number;
}

/** The worker: spoils, writes, reads, answers. Bundled, because a worker has no TypeScript. */
const program = (good: readonly string[], spoilt: string): string => `
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { ready } from ${JSON.stringify(pathToFileURL(fileURLToPath(import.meta.resolve("h5wasm/node"))).href)};
import { Random } from ${JSON.stringify(join(here, "../base/random.ts"))};
import { attempt, spoil } from ${JSON.stringify(join(here, "../testing/fuzz.ts"))};
const files = ${JSON.stringify(good)}.map((path) => readFileSync(path));
const hdf5 = await ready;
parentPort.on("message", (seed) => {
	const random = new Random(seed);
	// A name for each: HDF5 would take a file that it failed to close for the same one.
	const path = ${JSON.stringify(spoilt)} + seed;
	const bytes = spoil(new Uint8Array(files[random.below(files.length)]), random);
	writeFileSync(path, bytes);
	const start = performance.now();
	const answer = { outcome: "crashed", isPlain: false, line: "" };
	try {
		Object.assign(answer, attempt(hdf5, path, bytes));
	} catch (error) {
		answer.line = String(error?.stack ?? error);
	}
	rmSync(path);
	parentPort.postMessage({ seed, ...answer, milliseconds: performance.now() - start, rss: process.memoryUsage.rss() });
});
parentPort.postMessage("ready");
`;

let hdf5: Hdf5Module;
const good: string[] = [];

beforeAll(async () => {
	hdf5 = await ready;
	good.push(...goodFiles(hdf5, folder), ...OTHERS.map((name) => join(data, name)).filter((path) => existsSync(path)));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Sends one seed after another; a worker that is silent for too long is ended, and the seed told. */
async function attempts(from: number, to: number): Promise<Answer[]> {
	const bundle = join(folder, "worker.mjs");
	const contents = program(good, join(folder, "spoilt-"));
	buildSync({
		stdin: { contents, resolveDir: here, loader: "ts" },
		outfile: bundle,
		bundle: true,
		format: "esm",
		platform: "node",
		target: "node20",
		external: ["file:*"],
	});
	const answers: Answer[] = [];
	const worker = new Worker(bundle, { stderr: true });
	try {
		await new Promise<void>((resolve, reject) => {
			let timer: NodeJS.Timeout | undefined;
			const next = (seed: number): void => {
				if (seed === to) {
					resolve();
					return;
				}
				timer = setTimeout(() => reject(new Error(`seed ${seed} hangs`)), 1000 * SECONDS_MAX);
				worker.postMessage(seed);
			};
			worker.on("error", reject);
			worker.on("message", (answer: Answer | "ready") => {
				clearTimeout(timer);
				if (answer !== "ready") answers.push(answer);
				next(from + answers.length);
			});
		});
	} finally {
		await worker.terminate();
	}
	return answers;
}

test(`${count} spoilt files: read or refused in one line`, { timeout: 240_000 + 50 * count }, async () => {
	const answers = await attempts(firstSeed, firstSeed + count);
	expect(answers.filter(({ outcome }) => outcome === "crashed").map(({ seed, line }) => `${seed}: ${line}`)).toEqual(
		[],
	);
	for (const { outcome, line, seed } of answers) {
		if (outcome === "refused") expect(line, `seed ${seed}`).toMatch(/^spoilt: [^\n]+: [^\n]+; [^\n]+$/);
	}
	const largest = answers.reduce((most, { rss }) => Math.max(most, rss), 0);
	const slowest = answers.reduce((most, { milliseconds }) => Math.max(most, milliseconds), 0);
	const read = answers.filter(({ outcome }) => outcome === "read").length;
	console.log(
		`fuzz: ${good.length} good files, seeds ${firstSeed} to ${firstSeed + count - 1}: ${read} read, ${count - read} refused, ` +
			`slowest ${slowest.toFixed(0)} ms, memory ${(largest / 2 ** 20).toFixed(0)} MiB`,
	);
	expect(largest).toBeLessThan(BYTES_MAX);
	// The spoiling reaches deep: neither nearly all is refused nor nearly all is read.
	expect(answers.filter(({ isPlain }) => isPlain).length).toBeGreaterThan(0.05 * count);
	expect(read).toBeGreaterThan(0.1 * count);
	expect(read).toBeLessThan(0.9 * count);
});

test("the good files are good", () => {
	const attempts = good.map((path) => attempt(hdf5, path, readFileSync(path)));
	// Two are packed, and in one there is a vector that was never written.
	const isPlain = (path: string) => !/gzip|drum|Chute/.test(path);
	expect(attempts).toEqual(good.map((path) => ({ outcome: "read", isPlain: isPlain(path), line: "" })));
});

test("as the bench of mutations has them: a hundred seeds, read or refused", async () => {
	const read = (path: string) => (existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined);
	const files = { folder, data, read, write: writeFileSync, remove: rmSync };
	const { fclib } = await mutatedReaders(files);
	const outcomes = Array.from({ length: 100 }, (_, seed) => fclib(new Random(seed)));
	expect(new Set(outcomes)).toEqual(new Set(["read", "refused"]));
});
