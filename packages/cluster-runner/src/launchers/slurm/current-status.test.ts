/** The status of runs whose folders say one thing and Slurm another, with a squeue that is played. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { linesOf, testFolder } from "../../../testing/run-cli.js";
import { runHere } from "../../../testing/run-here.js";
import { solveLine } from "../../../testing/solve-line.js";
import { createRun, type Run } from "../../runs/folder.js";
import { changeState, endState } from "../../runs/state.js";

interface Played {
	readonly run: Run;
	readonly status: () => Promise<{ readonly status: string; readonly why?: string }>;
	readonly calls: () => string[];
	readonly type: (...words: readonly string[]) => ReturnType<typeof runHere>;
}

/** A run of job 42 in a folder of its own, for which squeue prints these lines; undefined: it does not answer. */
function played(lines: readonly string[] | undefined): Played {
	const folder = testFolder();
	const runs = join(folder, "runs");
	const file = join(folder, "squeue");
	const answer = lines === undefined ? "exit 1" : lines.map((line) => `echo '${line}'`).join("\n");
	writeFileSync(file, `#!/bin/sh\necho "$@" >> "${folder}/calls"\n${answer}\n`);
	chmodSync(file, 0o755);
	const run = createRun(runs, {
		...solveLine("solve", "a.hdf5"),
		where: "slurm",
		restarts: 0,
		checkpoint: 60,
		capsule: true,
	});
	changeState(run.folder, { status: "running", attempt: 1, job: { scheduler: "slurm", id: "42" } });
	vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
	onTestFinished(() => void vi.unstubAllEnvs());
	const type = (...words: readonly string[]) => runHere([...words, "--runs", runs]);
	const status = async () => JSON.parse((await type("status", run.id, "--json")).out);
	const calls = () => (existsSync(join(folder, "calls")) ? linesOf(readFileSync(join(folder, "calls"), "utf8")) : []);
	return { run, status, calls, type };
}

function withCheckpoint({ folder }: Run): void {
	const place = join(folder, "checkpoints", "0", "000000000007");
	mkdirSync(place, { recursive: true });
	writeFileSync(join(place, "manifest.json"), "{}");
}

describe("a stopped run", () => {
	it.each([
		["is in the queue again", ["42|PENDING|BeginTime"], "waiting"],
		["is about to be", ["42|COMPLETING|None"], "waiting"],
		["has no job any more", [], "stopped"],
		["has a job that has ended", ["42|COMPLETED|None"], "stopped"],
		["has a Slurm that does not answer", undefined, "stopped"],
	] as const)("%s", async (_, lines, expected) => {
		const { run, status } = played(lines);
		endState(run.folder, 75);
		expect((await status()).status).toBe(expected);
	});

	it("is not looked up where it was stopped on request", async () => {
		const { run, status, calls, type } = played(["42|PENDING|None"]);
		expect((await type("stop", run.id, "--wait", "0")).code).toBe(0);
		endState(run.folder, 75);
		expect([(await status()).status, calls()]).toEqual(["stopped", []]);
	});
});

describe("a waiting run", () => {
	it.each([
		["is in the queue", ["42|PENDING|Resources"], "waiting"],
		["was cancelled there", ["42|CANCELLED|None"], "cancelled"],
		["has a job that is forgotten", [], "cancelled"],
		["has a job that could not start", ["42|NODE_FAIL|None"], "lost"],
		["has a Slurm that does not answer", undefined, "waiting"],
	] as const)("%s", async (_, lines, expected) => {
		const { run, status } = played(lines);
		changeState(run.folder, { status: "waiting" });
		expect((await status()).status).toBe(expected);
	});

	it("that was cancelled in the queue after a checkpoint is stopped", async () => {
		const { run, status } = played(["42|CANCELLED|None"]);
		changeState(run.folder, { status: "waiting" });
		withCheckpoint(run);
		expect((await status()).status).toBe("stopped");
	});
});

describe("a run whose node is lost", () => {
	it.each([
		["waits where its job is in the queue again", ["42|PENDING|None"], "waiting"],
		["is lost as long as Slurm takes it for running", ["42|RUNNING|None"], "lost"],
	] as const)("%s", async (_, lines, expected) => {
		const { run, status } = played(lines);
		const file = join(run.folder, "state.json");
		// No process of this host began then.
		writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), began: "1" }));
		expect((await status()).status).toBe(expected);
	});
});

it("all runs of a folder are looked up in one request, arrays by their numbers", async () => {
	const { run, calls, type } = played(["42|PENDING|None", "43_1|PENDING|None"]);
	endState(run.folder, 75);
	const other = createRun(join(run.folder, ".."), {
		...{ ...solveLine("solve", "b.hdf5"), where: "slurm", restarts: 0, checkpoint: 60, capsule: true },
	});
	changeState(other.folder, { status: "stopped", attempt: 1, job: { scheduler: "slurm", id: "43_1" } });
	const { out } = await type("runs", "--json");
	expect(linesOf(out).map((line) => JSON.parse(line).status)).toEqual(["waiting", "waiting"]);
	expect(calls()).toEqual([expect.stringMatching(/--jobs=4[23](_1)?,4[23](_1)? /)]);
});
