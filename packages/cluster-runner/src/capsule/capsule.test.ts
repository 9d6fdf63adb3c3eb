import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { generate, type SolveOptions, type Status, solve } from "@stickslip/core";
import { readSolution, withFclib } from "@stickslip/core/fclib";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { loadHdf5 } from "../base/hdf5.js";
import { type Loaded, load } from "../files/load.js";
import { type Form, saveGenerated } from "../files/save.js";
import { isFailure } from "./capsule.js";
import { readCapsule } from "./read.js";
import { comparison, replayOptions } from "./replay.js";
import { historyOf, Trace } from "./trace.js";
import { baseName, type CapsuleInput, writeCapsule } from "./write.js";

const line = ["solve", "pile.hdf5", "--max-iterations", "3"];

/** A generated pile as read from a file. */
async function loaded(folder: string, form: Form = "global"): Promise<Loaded> {
	const path = join(folder, `pile-${form}.hdf5`);
	await saveGenerated(path, generate("spheres", { contacts: 40, seed: 3 }), form);
	return await load(path);
}

/** Written by a solve that runs into its limit; the path of the JSON file and what was solved. */
async function unsolved(folder: string, options: SolveOptions, form: Form = "global") {
	const there = await loaded(folder, form);
	const solution = solve(there.problem, options);
	const path = await writeCapsule({ folder, loaded: there, options, ended: { solution }, line });
	return { path: path ?? "", solution, there };
}

async function replayed(path: string): Promise<{ hash: string; status: string }> {
	const replay = readCapsule(path);
	const { problem } = await load(replay.file);
	const { report } = solve(problem, replayOptions(replay, {}));
	return report;
}

describe("a capsule", () => {
	const limited: readonly (readonly [string, SolveOptions, Form])[] = [
		["of a global form", { maxIterations: 3, tolerance: 1e-12 }, "global"],
		["of a local form", { maxIterations: 3, tolerance: 1e-12, measure: "natural" }, "local"],
		[
			"of a method with settings",
			{ method: "pqn", set: { m: 5, delta: 0.2 }, maxIterations: 4, tolerance: 1e-12 },
			"global",
		],
	];
	it.each(limited)("%s is replayed to the same bits", async (_, options, form) => {
		const { path, solution } = await unsolved(testFolder(), options, form);
		const again = await replayed(path);
		expect([again.status, again.hash]).toEqual(["iteration-limit", solution.report.hash]);
	});

	it("keeps a start of the caller's own as the first guess", async () => {
		const folder = testFolder();
		const start = new Float64Array(126).map((_, index) => (index % 3 === 0 ? 0.1 + index : 0.01));
		const { path, solution, there } = await unsolved(folder, { start, maxIterations: 2, tolerance: 1e-12 });
		expect(there.problem.contacts).toBe(42);
		expect(readCapsule(path).options.start).toBe("guess");
		expect((await replayed(path)).hash).toBe(solution.report.hash);
	});

	it("has the best iterate as the solution of its file, and says how it ended", async () => {
		const { path, solution } = await unsolved(testFolder(), { maxIterations: 3, tolerance: 1e-12, history: true });
		const json = JSON.parse(readFileSync(path, "utf8"));
		const { status, hash, energy } = solution.report;
		expect(json).toMatchObject({ stickslip: "capsule", format: 1, contacts: 42, line, status, hash, energy });
		expect(json.history).toMatchObject({ of: 3, measured: true });
		expect(json.history.points.map(([iteration]: number[]) => iteration)).toEqual([1, 2, 3]);
		const module = await loadHdf5();
		const { r } = withFclib(module, join(dirname(path), json.file), (file) => readSolution(file, 0)) ?? {};
		expect(r).toEqual(solution.reaction);
	});

	it("of a lost rank has the problem and the reason, and no solution", async () => {
		const folder = testFolder();
		const there = await loaded(folder);
		const failure = { rank: 3, reason: "rank 3 ended by SIGKILL" };
		const trace = new Trace();
		trace.add({ iterations: 7, error: 0.5, exact: false });
		const ran = { ranks: 4, transport: "threads+zeromq", gang: { where: "ssh", nodes: 2 } };
		const path = await writeCapsule({ folder, loaded: there, options: {}, ended: { failure }, line, trace, ran });
		const json = JSON.parse(readFileSync(path ?? "", "utf8"));
		expect(json).toMatchObject({ status: "failed", failure, ran, history: { of: 1, points: [[7, 0.5]] } });
		expect(json).not.toHaveProperty("hash");
		const module = await loadHdf5();
		expect(withFclib(module, join(folder, json.file), (file) => readSolution(file, 0))).toBeUndefined();
		const replay = readCapsule(path ?? "");
		expect(solve((await load(replay.file)).problem, replayOptions(replay, {})).report.status).toBe("solved");
	});
});

describe("writing", () => {
	const failure = { rank: -1, reason: "the host was lost" };

	it("never replaces another capsule, also of one who writes at the same time", async () => {
		const folder = testFolder();
		const input: CapsuleInput = {
			folder: join(folder, "made", "new"),
			loaded: await loaded(folder),
			options: {},
			ended: { failure },
			line,
		};
		const paths = await Promise.all([1, 2, 3].map(() => writeCapsule(input)));
		expect(paths.map((path) => basename(path ?? "")).sort()).toEqual([
			"pile-global-failed-2.json",
			"pile-global-failed-3.json",
			"pile-global-failed.json",
		]);
		expect(await writeCapsule({ ...input, once: true })).toBeUndefined();
		const other = { ...input.loaded, problem: { ...input.loaded.problem, name: "elsewhere/pile-global.hdf5" } };
		expect(basename((await writeCapsule({ ...input, loaded: other, once: true })) ?? "")).toBe(
			"pile-global-failed-4.json",
		);
		expect(readdirSync(input.folder)).toHaveLength(8);
	});

	it("leaves nothing behind where it fails, and says why in one line", async () => {
		const folder = testFolder();
		const there = await loaded(folder);
		writeFileSync(join(folder, "file"), "");
		const input: CapsuleInput = {
			folder: join(folder, "file", "in"),
			loaded: there,
			options: {},
			ended: { failure },
			line,
		};
		await expect(writeCapsule(input)).rejects.toThrow(/^[^\n]*folder: cannot be made \(ENOTDIR\); [^\n]*$/);
		const { global: _, ...formless } = there.problem;
		const into = join(folder, "into");
		await expect(writeCapsule({ ...input, folder: into, loaded: { ...there, problem: formless } })).rejects.toThrow();
		expect(readdirSync(into)).toEqual([]);
	});

	it("makes names that every file system takes", () => {
		expect(baseName("/data/a b/Stack: 3.hdf5", "stalled")).toBe("Stack-3-stalled");
		expect(baseName("../..", "failed")).toBe("problem-failed");
		expect(baseName("x".repeat(500), "diverged")).toHaveLength(69);
	});
});

describe("the history", () => {
	it("keeps the first and the last point of any number, evenly thinned between", () => {
		for (const count of [1, 2, 9, 10, 11, 1000, 4321]) {
			const { of, points } = historyOf(
				Array.from({ length: count }, (_, index) => 1 / (1 + index)),
				10,
			);
			expect(of).toBe(count);
			expect(points.length).toBeLessThanOrEqual(11);
			expect([points[0], points.at(-1)]).toEqual([
				[1, 1],
				[count, 1 / count],
			]);
			const steps = points.slice(1, -1).map(([iteration], index) => iteration - (points[index]?.[0] ?? 0));
			expect(new Set(steps).size).toBeLessThanOrEqual(1);
		}
	});

	it("tells estimates, and errors that are no numbers", () => {
		const trace = new Trace();
		trace.add({ iterations: 1, error: 0.5, exact: true });
		trace.add({ iterations: 2, error: Number.NaN, exact: false });
		expect(trace.history).toEqual({
			of: 2,
			measured: false,
			points: [
				[1, 0.5],
				[2, null],
			],
		});
		expect(new Trace().history).toEqual({ of: 0, measured: true, points: [] });
	});
});

describe("a replay", () => {
	const replay = {
		file: "x.hdf5",
		status: "stalled",
		reason: "r",
		options: { method: "pqn", tolerance: 1e-8, set: { m: 5, delta: 1 } },
	} as const;

	it("lets the line win, and drops what belongs to another method", () => {
		expect(replayOptions(replay, { set: {} })).toEqual(replay.options);
		expect(replayOptions(replay, { tolerance: 1e-4, set: { m: 9 } })).toEqual({
			method: "pqn",
			tolerance: 1e-4,
			set: { m: 9, delta: 1 },
		});
		expect(replayOptions(replay, { method: "gauss-seidel", set: {} })).toEqual({
			method: "gauss-seidel",
			tolerance: 1e-8,
			set: {},
		});
	});

	it("says whether the answer is the same, where that can be said", async () => {
		const { report } = solve((await loaded(testFolder())).problem, { maxIterations: 2, tolerance: 1e-12 });
		expect(comparison({ ...replay, hash: report.hash }, report)).toMatch(/^the answer is the same/);
		expect(comparison({ ...replay, hash: "other" }, report)).toMatch(/^the answer differs/);
		expect(comparison(replay, report)).toBeUndefined();
		expect(comparison({ ...replay, status: "time-limit", hash: "other" }, report)).toBeUndefined();
	});

	it("is of what failed: neither of an answer nor of a stop on request", () => {
		const statuses: readonly Status[] = ["solved", "cancelled", "stalled", "diverged"];
		expect(statuses.map(isFailure)).toEqual([false, false, true, true]);
	});
});
