/** A terminal that follows a batch job on a real Slurm of two nodes: what ends it, and what `status`, `stop` and `resume` say of a job that is in the queue again. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bed, type Ended, type Running } from "./testing/bed.js";
import { noSlurm } from "./testing/lacking.js";
import { openSlurm, type Slurm } from "./testing/slurm.js";
import { until } from "./testing/wait.js";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
const lack = noSlurm();
/** Far more work than any of these tests waits for. */
const endless = ["solve", "pile.hdf5", "--method", "gauss-seidel", "--tolerance", "1e-300", "--max-iterations", "1e9"];

let bed: Bed;
let slurm: Slurm;
let work: string;
let runsCount = 0;

beforeAll(async () => {
	if (lack !== undefined) return;
	bed = new Bed();
	slurm = await openSlurm(bed, { nodes: 2 });
	work = join(bed.folder, "work");
	mkdirSync(work);
	expect((await typed(["generate", "spheres", "--contacts", "60", "--output", "pile.hdf5"])).code).toBe(0);
});
afterAll(() => bed?.close());

function start(words: readonly string[], runs = ""): Running {
	const env = { ...slurm.env, STICKSLIP_RUNS: runs };
	return bed.start(process.execPath, [program, ...words], { cwd: work, env, seconds: 90 });
}

const typed = (words: readonly string[], runs = ""): Promise<Ended> => start(words, runs).ended;

interface State {
	readonly status: string;
	readonly exitCode?: number;
	readonly job?: { readonly id: string };
}

interface Launched {
	readonly runs: string;
	readonly terminal: Running;
	readonly folder: string;
	state(): State;
}

/** An endless run on one node of its own, which iterates when this returns. */
async function launched(...words: readonly string[]): Promise<Launched> {
	runsCount += 1;
	const runs = join(bed.folder, `runs-${runsCount}`);
	mkdirSync(runs, { mode: 0o700 });
	const size = ["--nodes", "1", "--ranks-per-node", "2"];
	const terminal = start(["launch", "slurm", ...size, ...words, "--", ...endless], runs);
	const isAtWork = () => readdirSync(runs).some((id) => existsSync(join(runs, id, "progress.json")));
	await until("the job iterates", isAtWork, { seconds: 60, every: 0.05 });
	const folder = join(runs, readdirSync(runs)[0]!);
	return { runs, terminal, folder, state: () => JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) };
}

async function jobEnds({ state }: Launched): Promise<void> {
	const job = state().job!.id;
	const isOver = async () => !["RUNNING", "PENDING", "COMPLETING"].includes(await slurm.state(job));
	await until(`job ${job} has ended`, isOver, { seconds: 30, every: 0.1 });
}

/** The status that `stickslip status` reports. */
async function reported({ runs }: Launched): Promise<{ readonly status: string; readonly why?: string }> {
	return JSON.parse((await typed(["status", "--json"], runs)).out);
}

describe.skipIf(lack !== undefined)(`a followed job (skipped where there is no Slurm: ${lack ?? "there is"})`, () => {
	it("stops with a checkpoint on SIGTERM, as on Ctrl-C, and is resumed with the placement that it had", async () => {
		const run = await launched();
		run.terminal.child.kill("SIGTERM");
		const { code, err } = await run.terminal.ended;
		expect([code, run.state().status, run.state().exitCode], err).toEqual([75, "stopped", 75]);
		expect(readdirSync(join(run.folder, "checkpoints", "0")).length).toBeGreaterThan(0);
		await jobEnds(run);

		const placement = readFileSync(join(run.folder, "placement.json"), "utf8");
		const resumed = start(["resume", "last"], run.runs);
		const isAtWork = () => run.state().status === "running";
		await until("it is at work again", isAtWork, { seconds: 60, every: 0.05 });
		resumed.child.kill("SIGINT");
		const again = await resumed.ended;
		expect(again.code, again.err).toBe(75);
		expect(readFileSync(join(run.folder, "placement.json"), "utf8")).toBe(placement);
		expect(again.err).toMatch(/^stickslip: continues on 1 node of 2 ranks \(slurm\), as before$/m);
		await jobEnds(run);
	});

	it("goes on where its terminal is closed, and is stopped from another one", async () => {
		const run = await launched();
		run.terminal.child.kill("SIGHUP");
		expect((await run.terminal.ended).code).toBe(0);
		expect((await reported(run)).status).toBe("running");
		expect((await typed(["stop", "last"], run.runs)).code).toBe(0);
		expect(run.state()).toMatchObject({ status: "stopped", exitCode: 75 });
		await jobEnds(run);
	});

	it("waits in the queue again after it was preempted: status says so, resume refuses, stop removes it", async () => {
		const run = await launched("--detach");
		const job = run.state().job!.id;
		// The urgent job has both nodes until this test has ended.
		const urgent = slurm.preempt(60).catch(() => {});
		await until("the job is in the queue", async () => (await slurm.state(job)) === "PENDING", { seconds: 40 });
		const found = await reported(run);
		expect([found.status, found.why]).toEqual(["waiting", expect.stringContaining(job)]);
		expect((await typed(["runs"], run.runs)).out).toMatch(/ waiting /);
		const resumed = await typed(["resume", "last"], run.runs);
		expect([resumed.code, resumed.out], resumed.err).toEqual([2, ""]);
		const stopped = await typed(["stop", "last"], run.runs);
		expect([stopped.code, run.state().status], stopped.err).toEqual([0, "stopped"]);
		expect(await slurm.state(job)).toBe("CANCELLED");
		await slurm.run("scancel", ["--partition=urgent", "--user=root"]);
		await urgent;
	});

	it("waits in the queue again after its time was over, and is cancelled there by Slurm's own command", async () => {
		const run = await launched("--detach");
		const job = run.state().job!.id;
		// Slurm sends the same signal before the time limit.
		await slurm.run("scancel", ["--signal=TERM", "--batch", job]);
		await until("it is in the queue", async () => (await slurm.state(job)) === "PENDING", { seconds: 40, every: 0.05 });
		expect([run.state().status, (await reported(run)).status]).toEqual(["waiting", "waiting"]);
		await slurm.run("scancel", [job]);
		await until("it is cancelled", async () => (await slurm.state(job)) === "CANCELLED", { seconds: 20, every: 0.1 });
		expect((await reported(run)).status).toBe("stopped");
		const resumed = start(["resume", "last", "--detach"], run.runs);
		expect((await resumed.ended).code).toBe(0);
		expect((await typed(["stop", "last"], run.runs)).code).toBe(0);
	});
});
