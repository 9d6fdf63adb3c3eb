/** The scripts on a real Slurm of two nodes, as they stand: only times and sizes are given on the command line of sbatch, as anyone may. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { Bed, noSlurm, openSlurm, type Slurm, until } from "../../packages/cluster-runner/src/testing/index.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const program = fileURLToPath(new URL("../../packages/cluster-runner/bin/stickslip.mjs", import.meta.url));
const size = ["--cpus-per-task=1", "--time=10"];
/** Long enough to be interrupted, and the same every time. */
const long = ["--method", "gauss-seidel", "--tolerance", "1e-30", "--max-iterations", "8000"];
const over = ["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"];

const lack = noSlurm();
let bed: Bed;
let slurm: Slurm;
let folder: string;
let env: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
	if (lack !== undefined) return;
	bed = new Bed();
	slurm = await openSlurm(bed, { nodes: 2 });
	const bin = join(bed.folder, "bin");
	folder = join(bed.folder, "work");
	for (const path of [bin, folder]) mkdirSync(path);
	symlinkSync(program, join(bin, "stickslip"));
	env = { ...slurm.env, PATH: `${bin}:${process.env.PATH}`, STICKSLIP_RUNS: undefined };
	direct("generate", "spheres", "--contacts", "60", "--output", "pile.hdf5");
});

afterAll(() => bed?.close());

function direct(...words: readonly string[]): string {
	return execFileSync(process.execPath, [program, ...words], { cwd: folder, encoding: "utf8", timeout: 240_000 });
}

/** As a plain solve on one rank ends; it may be unsolved. */
async function plain(...words: readonly string[]): Promise<string> {
	const { out } = await bed.start(process.execPath, [program, "solve", "pile.hdf5", "--json", ...words], {
		cwd: folder,
	}).ended;
	return hashIn(out);
}

const submit = async (...words: readonly string[]): Promise<string> =>
	(await slurm.run("sbatch", ["--parsable", ...size, ...words], { cwd: folder, env })).trim();

const outcome = async (job: string): Promise<string> => {
	let state = "";
	const isOver = async () => {
		state = await slurm.state(job);
		return over.includes(state);
	};
	await until(`job ${job} is over`, isOver, { every: 0.25 });
	return state;
};

const text = (name: string): string => {
	const path = join(folder, name);
	return existsSync(path) ? readFileSync(path, "utf8") : "";
};

describe.skipIf(lack !== undefined)(`scripts (skipped where there is no Slurm: ${lack ?? "there is"})`, () => {
	it.concurrent("solve.sbatch solves on all nodes to the bits of one rank", async ({ expect }) => {
		const job = await submit(join(here, "solve.sbatch"), "pile.hdf5", "--json");
		expect([await outcome(job), hashIn(text(`stickslip-${job}.out`))]).toEqual(["COMPLETED", await plain()]);
		expect(text(`stickslip-${job}.out`)).toContain('"ranks":2,"transport":"zeromq"');
	});

	it.concurrent("array.sbatch solves each file of a list once", async ({ expect }) => {
		writeFileSync(join(folder, "list.txt"), "pile.hdf5\nmissing.hdf5\n");
		const job = await submit("--array=1-2", join(here, "array.sbatch"), "list.txt", "--tolerance", "1e-5");
		expect([await outcome(`${job}_1`), await outcome(`${job}_2`)]).toEqual(["COMPLETED", "FAILED"]);
		expect(hashIn(text("pile.json"))).toBe(await plain("--tolerance", "1e-5"));
		expect(text(`stickslip-${job}-2.out`)).toMatch(/missing\.hdf5: does not exist/);
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it.concurrent("requeue.sbatch leaves a checkpoint, is put back into the queue and goes on to the same bits", async ({
		expect,
	}) => {
		const job = await submit(join(here, "requeue.sbatch"), "pile.hdf5", "--json", ...long);
		const runs = join(folder, `runs-${job}`);
		const isAtWork = () =>
			existsSync(runs) && readdirSync(runs).some((id) => existsSync(join(runs, id, "progress.json")));
		await until("the job iterates", isAtWork, { every: 0.05 });
		// As Slurm does before the time is over.
		await slurm.run("scancel", ["--signal=TERM", "--batch", job]);
		await until("it is put back", async () => (await slurm.state(job)) === "PENDING", { every: 0.1 });
		expect(await outcome(job)).toBe("FAILED");
		const said = text(`stickslip-${job}.out`);
		expect(said).toMatch(/stickslip: stopped at iteration \d+ of pile\.hdf5, with a checkpoint/);
		expect([hashIn(said), JSON.parse(reportIn(said)).iterations]).toEqual([await plain(...long), 8000]);
	});

	it.concurrent("launch slurm --array measures a study part by part, and a part that is killed is cells that failed", async ({
		expect,
	}) => {
		const runs = join(folder, "runs-array");
		const study = join(folder, "study");
		// The second pile iterates for minutes.
		const words = ["study", "strong", "pile.hdf5", "spheres:4000", "--ranks", "1,2", "--rounds", "1", "-o", study];
		const launch = ["launch", "slurm", "--array", "2", "--ranks-per-node", "2", "--runs", runs];
		const line = [program, ...launch, "--", ...words, "--tolerances", "1e-30", "--max-iterations", "50000"];
		const running = bed.start(process.execPath, line, { cwd: folder, env, seconds: 240 });
		const runOf = (part: number) => join(runs, readdirSync(runs).find((id) => id.endsWith(`-${part}`)) ?? "");
		const statusOf = (part: number) => JSON.parse(readFileSync(join(runOf(part), "state.json"), "utf8"));
		await until("both parts are there", () => existsSync(runs) && readdirSync(runs).length === 2);
		const cells = join(study, "cells-1-of-2.jsonl");
		await until("one is measured", () => existsSync(cells), { every: 0.1 });
		process.kill(statusOf(1).pid, "SIGKILL");
		const { code, out, err } = await running.ended;
		expect(code, err).toBe(2);
		expect(err).toMatch(/part 0 of 2: done\n/);
		// Of the job Slurm tells, of the line in it its supervisor.
		const killed = "(Slurm has ended the job: FAILED|the run's process was killed by SIGKILL)";
		expect(err).toMatch(new RegExp(`part 1 of 2: failed \\(${killed}\\); run \\S+-1\n`));
		expect(out).toMatch(/^2 threads\+zeromq +[\d.]/m);
		expect(out).toMatch(/^2 threads\+zeromq +failed$/m);
		const records = JSON.parse(readFileSync(join(study, "strong.json"), "utf8")) as Record<string, string>[];
		expect(records.map(({ problem, status }) => `${problem} ${status === "failed"}`)).toEqual([
			"pile.hdf5 false",
			"pile.hdf5 false",
			"spheres:4000 true",
			"spheres:4000 true",
		]);
		expect(records[3]!.reason).toMatch(
			new RegExp(`not measured by part 1 of 2: run \\S+-1 has ended failed \\(${killed}`),
		);
	});

	it.concurrent("what launch slurm --dry-run prints works when it is handed in: one run, also over a requeue", async ({
		expect,
	}) => {
		const runs = join(folder, "runs-by-hand");
		const options = ["--nodes", "2", "--ranks-per-node", "1", "--runs", runs, "--partition", "work", "--time", "10m"];
		const script = join(folder, "by-hand.sbatch");
		const line = ["solve", "pile.hdf5", "--json", ...long];
		writeFileSync(script, direct("launch", "slurm", ...options, "--dry-run", "--", ...line));
		expect(existsSync(runs)).toBe(false);
		const job = (await slurm.run("sbatch", ["--parsable", script], { cwd: folder, env })).trim();
		const isAtWork = () =>
			existsSync(runs) && readdirSync(runs).some((id) => existsSync(join(runs, id, "progress.json")));
		await until("the job iterates", isAtWork, { every: 0.05 });
		await slurm.run("scancel", ["--signal=TERM", "--batch", job]);
		await until("it is put back", async () => (await slurm.state(job)) === "PENDING", { every: 0.1 });
		expect(await outcome(job)).toBe("FAILED");
		const [out = "", err = ""] = ["out", "err"].map((kind) => {
			return text(readdirSync(folder).find((name) => name.endsWith(`-${job}.${kind}`)) ?? "");
		});
		expect(err).toMatch(/stickslip: stopped at iteration \d+ of pile\.hdf5, with a checkpoint/);
		expect([hashIn(out), JSON.parse(reportIn(out)).iterations], err).toEqual([await plain(...long), 8000]);
		expect(readdirSync(runs)).toHaveLength(1);
	});
});

function reportIn(said: string): string {
	return said.split("\n").find((line) => line.startsWith("{")) ?? "{}";
}

function hashIn(said: string): string {
	return JSON.parse(reportIn(said)).hash ?? "no report";
}
