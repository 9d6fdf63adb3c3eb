import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { beganOf } from "../base/proc.js";
import { readRun } from "../records/facts.js";
import { findRun, listRuns } from "../records/find.js";
import { writeService } from "../records/service.js";
import { askToStop, stopRequest, withdrawStop } from "../records/stop.js";
import { readRequest } from "../requests/stored.js";
import { createRun, makeId, type Run, removeSecret, runsFolder, secretOf } from "./folder.js";
import { hasEnded, runStatus, type SystemProbe } from "./run-status.js";
import { cancelWords } from "./scheduler.js";
import { changeState, endState, readState, renewState, type State, statusOf } from "./state.js";
import { shownStatus, viewAsJson, viewAsText } from "./summary.js";
import { viewOf } from "./view.js";

const line = [
	"solve",
	"data/pile 1.hdf5",
	"--tolerance",
	"1e-8",
	"--set",
	"m=2",
	"--set",
	"delta=1",
	"--json",
	"--ranks",
	"4",
];

function made(runs: string, words: readonly string[] = line): Run {
	return createRun(runs, { ...solveLine(...words), where: "local", restarts: 2, checkpoint: 60, capsule: true });
}

/** A folder with the name of a run. */
function named(runs: string, id: string): void {
	mkdirSync(join(runs, id));
	writeFileSync(join(runs, id, "run.json"), "{}");
}

describe("a new run", () => {
	it("has its facts, its state and its secret, and nothing else", () => {
		const runs = join(testFolder(), "deep", "runs");
		const { id, folder } = made(runs);
		expect(readdirSync(runs)).toEqual([id]);
		expect(readdirSync(folder).sort()).toEqual(["key", "logs", "request.json", "run.json", "state.json"]);
		expect(readRun(folder)).toMatchObject({
			...{ id, name: "pile 1", line, where: "local", restarts: 2, checkpoint: 60, capsule: true },
			...{ folder: process.cwd(), node: process.versions.node, machine: { host: hostname() } },
		});
		expect(readRequest(folder)).toEqual({
			solve: {
				...{ command: "solve", inputs: ["data/pile 1.hdf5"], json: true, history: false },
				options: { tolerance: 1e-8, set: { m: 2, delta: 1 } },
			},
			how: { ranks: 4 },
		});
		expect(readState(folder)).toMatchObject({ status: "waiting", pid: process.pid, attempt: 0 });
		expect([statSync(folder).mode & 0o777, statSync(join(folder, "key")).mode & 0o777]).toEqual([0o700, 0o600]);
	});

	it("has a name that says when and what, and that no other has", () => {
		const at = new Date("2026-11-18T14:57:03.999Z");
		expect(makeId("Pile of Ünits/../x", at)).toMatch(/^20261118-145703-pile-of-nits-x-[a-z]{4}$/);
		expect(makeId("", at)).toMatch(/^20261118-145703-[a-z]{4}$/);
		expect(makeId("a".repeat(300), at).length).toBe(45);
		const runs = testFolder();
		const ids = new Set(Array.from({ length: 20 }, () => made(runs).id));
		expect(ids.size).toBe(20);
	});

	it("keeps one secret until it is removed", () => {
		const { folder } = made(testFolder());
		const secret = secretOf(folder);
		expect([secretOf(folder), /^[0-9a-f]{64}$/.test(secret)]).toEqual([secret, true]);
		removeSecret(folder);
		expect(existsSync(join(folder, "key"))).toBe(false);
		expect(secretOf(folder)).not.toBe(secret);
	});

	it("ends like any other where its secret cannot be removed, or its state was damaged", () => {
		const { folder } = made(testFolder());
		rmSync(join(folder, "key"));
		mkdirSync(join(folder, "key", "in the way"), { recursive: true });
		writeFileSync(join(folder, "state.json"), "{");
		removeSecret(folder);
		endState(folder, 75);
		expect(readState(folder)).toMatchObject({ status: "stopped", exitCode: 75 });
	});

	it("leaves nothing where it cannot be made", () => {
		const file = join(testFolder(), "file");
		writeFileSync(file, "");
		expect(() => made(file)).toThrow(`runs: ${file}: no run can be created there (EEXIST); choose another folder`);
	});
});

describe("finding a run", () => {
	const ids = ["20261117-080000-pile-abcd", "20261118-145703-pile-efgh", "20261118-145705-wall-kmnp"];
	const runs = () => {
		const folder = testFolder();
		for (const id of ids) named(folder, id);
		mkdirSync(join(folder, "20991231-000000-none-zzzz"));
		writeFileSync(join(folder, "notes.txt"), "");
		return folder;
	};

	it("takes an id, the beginning of one, its last letters, a path, and last", () => {
		const folder = runs();
		expect(listRuns(folder)).toEqual(ids);
		for (const name of [ids[0]!, "20261117", "abcd", join(folder, ids[0]!), `${folder}/${ids[0]}/`]) {
			expect(findRun(folder, name)).toBe(join(folder, ids[0]!));
		}
		expect([findRun(folder), findRun(folder, "last")]).toEqual([join(folder, ids[2]!), join(folder, ids[2]!)]);
	});

	it("tells in one line what is not clear, with the nearest", () => {
		const folder = runs();
		expect(() => findRun(folder, "20261118")).toThrow(
			`runs: 20261118: 2 runs match, e.g. ${ids[1]} and ${ids[2]}; give more of the id`,
		);
		expect(() => findRun(folder, "20261118-145703-pile-efgx")).toThrow(`no such run; did you mean ${ids[1]}?`);
		expect(() => findRun(folder, "20261119-145705")).toThrow(`did you mean ${ids[2]}?`);
		expect(() => findRun(folder, "abce")).toThrow(`did you mean ${ids[0]}?`);
		expect(() => findRun(folder, "q")).toThrow("runs: q: no such run; stickslip runs lists all");
		expect(() => findRun(folder, "")).toThrow('runs: "": is not a run; name one, or last');
		expect(() => findRun(folder, "./nowhere")).toThrow("is not a folder; name the folder of a run");
		expect(() => findRun(folder, folder)).toThrow("has no run.json, so it is not a run");
		expect(() => findRun(join(folder, "none"))).toThrow("there are no runs; create one with stickslip launch");
	});

	it("looks where it is told, else where the environment says", () => {
		expect(runsFolder("/a/b")).toBe("/a/b");
		expect(runsFolder()).toBe(process.env.STICKSLIP_RUNS ?? join(process.env.HOME ?? "", ".stickslip", "runs"));
	});
});

describe("how a run stands", () => {
	const at = Date.parse("2026-11-18T15:00:00Z");
	const probe = (changes: Partial<SystemProbe> = {}): SystemProbe => {
		return { host: "here", ageOf: () => 3, isAlive: () => true, beganOf: () => "77", ...changes };
	};
	const state = (changes: Partial<State> = {}): State => {
		const updated = new Date(at - 3000).toISOString();
		return { status: "running", host: "here", pid: 5, began: "77", updated, attempt: 1, ...changes };
	};
	const job = { scheduler: "slurm", id: "12" } as const;

	it.each([
		["at work", state(), probe(), "running", ""],
		["gone", state(), probe({ isAlive: () => false }), "lost", "its process 5 has ended"],
		["another process by that number", state(), probe({ beganOf: () => "78" }), "lost", "its process 5 has ended"],
		["at work, by a clock that was set back", state(), probe({ ageOf: () => 3600 }), "running", ""],
		["elsewhere, heard of", state({ host: "far" }), probe({ isAlive: () => false }), "running", ""],
		["elsewhere, silent", state({ host: "far" }), probe({ ageOf: () => 63 }), "lost", "no heartbeat for 63 s"],
		["in a queue for long", state({ status: "waiting", job }), probe({ ageOf: () => 1e6 }), "waiting", ""],
		[
			"waiting, its maker gone",
			state({ status: "waiting" }),
			probe({ isAlive: () => false }),
			"lost",
			"its process 5 has ended",
		],
		["ended, its process gone", state({ status: "solved" }), probe({ isAlive: () => false }), "solved", ""],
	] as const)("%s", (_, given, asked, status, why) => {
		expect(runStatus(given, asked)).toEqual({ status, why });
	});

	it("is asked of the system itself", () => {
		const { folder } = made(testFolder());
		changeState(folder, { status: "running", attempt: 1 });
		expect(runStatus(readState(folder)).status).toBe("running");
		expect(beganOf(process.pid)).toMatch(/^\d+$/);
		expect(beganOf(2 ** 30)).toBeUndefined();
	});

	it("keeps attempt and job while the state is renewed, and an exit code only where it ended", async () => {
		const { folder } = made(testFolder());
		changeState(folder, { status: "waiting", job });
		changeState(folder, { status: "running", attempt: 3 });
		await renewState(folder);
		expect(readState(folder)).toMatchObject({ status: "running", attempt: 3, job });
		endState(folder, 3);
		expect(readState(folder)).toMatchObject({ status: "failed", attempt: 3, job, exitCode: 3 });
		await renewState(folder);
		expect(readState(folder)).not.toHaveProperty("exitCode");
	});

	it("is written over where no other file can be made", () => {
		const run = made(testFolder());
		// In a folder this deep the name of a temporary file is too long for the system, but state.json just fits.
		let folder = `${run.folder}-deep`;
		while (folder.length < 4060) folder += `/${"d".repeat(Math.min(200, Math.max(1, 4060 - folder.length - 1)))}`;
		mkdirSync(dirname(folder), { recursive: true });
		renameSync(run.folder, folder);
		const file = join(folder, "state.json");
		const before = readFileSync(file, "utf8");
		expect(() => writeFileSync(join(folder, ".state.json.part-of-thirty-characters"), "")).toThrow("ENAMETOOLONG");
		endState(folder, 75);
		expect(readState(folder)).toMatchObject({ status: "stopped", exitCode: 75 });
		expect(readFileSync(file, "utf8").length).toBeGreaterThanOrEqual(before.length);
		rmSync(file);
		endState(folder, 0);
		expect(existsSync(file)).toBe(false);
	});

	it("is not known where the power failed while it was renewed, and can be gone on with", async () => {
		for (const left of ["", "\0\0\0", undefined]) {
			const { folder } = made(testFolder());
			const file = join(folder, "state.json");
			if (left === undefined) rmSync(file);
			else for (const name of ["state.json", "progress.json"]) writeFileSync(join(folder, name), left);
			expect(viewOf(folder)).toMatchObject({ runStatus: { status: "lost", why: "its status is unknown" } });
			await renewState(folder);
			changeState(folder, { status: "running", attempt: 1 });
			expect(runStatus(readState(folder)).status).toBe("running");
		}
	});

	it("is told from the exit code", () => {
		expect([0, 1, 2, 3, 75, 139].map(statusOf)).toEqual([
			"solved",
			"unsolved",
			"refused",
			"failed",
			"stopped",
			"failed",
		]);
		expect((["waiting", "running", "stopped", "lost"] as const).map(hasEnded)).toEqual([false, false, true, true]);
	});
});

describe("a request to stop", () => {
	it("stands until it is withdrawn, also where somebody made it by hand", () => {
		const { folder } = made(testFolder());
		expect(stopRequest(folder)).toBeUndefined();
		askToStop(folder, { isNow: true });
		expect(stopRequest(folder)).toEqual({ isNow: true });
		endState(folder, 1);
		expect(readState(folder).status).toBe("cancelled");
		withdrawStop(folder);
		withdrawStop(folder);
		expect(stopRequest(folder)).toBeUndefined();
		writeFileSync(join(folder, "stop"), "");
		expect(stopRequest(folder)).toEqual({ isNow: false });
	});

	it("is withdrawn also where somebody made a folder of its name", () => {
		const { folder } = made(testFolder());
		mkdirSync(join(folder, "stop", "deeper"), { recursive: true });
		expect(stopRequest(folder)).toEqual({ isNow: false });
		withdrawStop(folder);
		expect(stopRequest(folder)).toBeUndefined();
	});

	it("takes a job out of a queue with its scheduler's own words", () => {
		expect(cancelWords({ scheduler: "slurm", id: "12" })).toEqual(["scancel", "12"]);
		expect(cancelWords({ scheduler: "kubernetes", id: "job/pile", namespace: "sim" }).join(" ")).toBe(
			"kubectl delete job/pile service/pile secret/pile --ignore-not-found --wait=false --namespace sim",
		);
		expect(cancelWords({ scheduler: "kubernetes", id: "jobset/pile" }).join(" ")).toBe(
			"kubectl delete jobset/pile secret/pile --ignore-not-found --wait=false",
		);
	});
});

describe("what a folder tells", () => {
	it("finds the newest checkpoint that is complete", () => {
		const { folder } = made(testFolder());
		for (const [name, files] of [
			["0/000000000900", ["manifest.json"]],
			["1/000000000099", ["manifest.json", "part-0"]],
			["1/000000000100", ["part-0"]],
		] as const) {
			mkdirSync(join(folder, "checkpoints", name), { recursive: true });
			for (const file of files) writeFileSync(join(folder, "checkpoints", name, file), "12345");
		}
		expect(viewOf(folder).checkpoint).toMatchObject({ input: 1, iteration: 99, bytes: 10 });
		rmSync(join(folder, "checkpoints"), { recursive: true });
		expect(viewOf(folder)).not.toHaveProperty("checkpoint");
	});

	it("has the addresses of a service while it runs", () => {
		const { folder } = made(testFolder());
		const facts = { addresses: { zeromq: "tcp://127.0.0.1:9440" }, clients: { ann: "/keys/client-ann.json" } };
		writeService(folder, facts);
		expect(viewOf(folder).service).toBeUndefined();
		changeState(folder, { status: "running", attempt: 1 });
		const view = viewOf(folder);
		expect([view.service, viewAsJson(view)]).toEqual([facts, expect.objectContaining({ service: facts })]);
		const text = viewAsText(view).join("\n");
		for (const part of ["tcp://127.0.0.1:9440", "ann: /keys/client-ann.json"]) expect(text).toContain(part);
		endState(folder, 75);
		expect(viewOf(folder).service).toBeUndefined();
	});

	it("is done where a simulation is solved", () => {
		const { folder } = made(testFolder());
		endState(folder, 0);
		const view = viewOf(folder);
		const ofLine = (words: readonly string[]) => shownStatus({ ...view, facts: { ...view.facts, line: words } });
		expect([ofLine(["solve", "a.hdf5"]), ofLine(["simulate", "drum"])]).toEqual(["solved", "done"]);
		endState(folder, 3);
		expect(shownStatus(viewOf(folder))).toBe("failed");
	});

	it("refuses a file of a later version, and what is not a run's", () => {
		const { folder } = made(testFolder());
		const file = join(folder, "run.json");
		const facts = JSON.parse(readFileSync(file, "utf8"));
		writeFileSync(file, JSON.stringify({ ...facts, format: 3 }));
		expect(() => viewOf(folder)).toThrow(`${file}: format: 3 is newer than 2; use a newer stickslip`);
		writeFileSync(file, JSON.stringify({ ...facts, restarts: "many" }));
		expect(() => viewOf(folder)).toThrow(`${file}: restarts: is not an integer from 0; it is damaged`);
		writeFileSync(file, "[1");
		expect(() => viewOf(folder)).toThrow(`${file}: line 1, column `);
	});
});
