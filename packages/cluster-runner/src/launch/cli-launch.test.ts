/** Launched on this machine: the hash of `solve` on any number of nodes, also after losses, stops and resumes; and no process is left behind. */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { marked, noProc, rankProcesses, soon } from "../../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli } from "../../testing/run-cli.js";
import { runHere } from "../../testing/run-here.js";

const folder = emptyFolder();
const runs = join(folder, "runs");
const easy = join(folder, "easy.hdf5");
const hard = join(folder, "hard.hdf5");
/** Seconds of work, the same for any number of ranks. */
const long = ["solve", hard, "--json", "--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "5000"];
let hash: string;

beforeAll(async () => {
	mkdirSync(runs);
	await runHere(["generate", "planks", "--contacts", "200", "--output", easy]);
	await runHere(["generate", "planks", "--contacts", "2500", "--output", hard]);
	hash = JSON.parse((await runHere([...long, "--ranks", "1"])).out).hash;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let launches = 0;

/** A line under way: its processes are known by a mark, and killed when the test ends, whatever it found. */
function under(words: readonly string[]) {
	launches += 1;
	const value = `${process.pid}.${launches}.`;
	const mark = `STICKSLIP_TEST_LAUNCH=${value}`;
	let child: ChildProcess | undefined;
	const started = (process: ChildProcess) => {
		child = process;
	};
	const ended: Promise<Ended> = runCli(words, {
		env: { STICKSLIP_TEST_LAUNCH: value, STICKSLIP_RUNS: runs },
		started,
	});
	onTestFinished(() => {
		for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
	});
	const line = () => {
		const found = marked(mark).find(({ command }) => command.includes("bundled/supervised.js"));
		// A signal to process 0 would reach this whole group.
		return found?.pid ?? expect.fail("no process of the line");
	};
	return { mark, ended, child: child!, line };
}

function newestRun(): string {
	const id = readdirSync(runs).sort().at(-1) ?? "";
	return join(runs, id);
}

function events(run: string, event: string): number {
	const log = join(run, "logs", "run.jsonl");
	return existsSync(log)
		? linesOf(readFileSync(log, "utf8")).filter((line) => JSON.parse(line).event === event).length
		: 0;
}

const nobody = (mark: string) => soon(() => marked(mark).length === 0);

describe.skipIf(noProc !== undefined)(`launch local (needs processes: ${noProc ?? "seen"})`, () => {
	it("gives the hash of solve on 1, 2 and 4 nodes", async () => {
		const solve = ["solve", easy, "--json"];
		const expected = JSON.parse((await runHere(solve)).out).hash;
		for (const nodes of [1, 2, 4]) {
			const { mark, ended } = under([
				"launch",
				"local",
				"--nodes",
				String(nodes),
				"--ranks-per-node",
				"1",
				"--",
				...solve,
			]);
			const { code, out, err } = await ended;
			expect([code, JSON.parse(out).hash, JSON.parse(out).ranks], err).toEqual([0, expected, nodes]);
			expect(await nobody(mark)).toBe(true);
		}
	});

	it("goes on after the loss of a rank, and of the line itself, to the same bits", async () => {
		const options = ["--nodes", "2", "--ranks-per-node", "1", "--restarts", "2", "--checkpoint", "0.3"];
		const run = under(["launch", "local", ...options, "--", "stickslip", ...long]);
		const fresh = newestRun();
		expect(await soon(() => newestRun() !== fresh && events(newestRun(), "checkpoint") > 0), "a checkpoint").toBe(true);
		process.kill(rankProcesses(run.mark)[1]!, "SIGKILL");
		expect(await soon(() => events(newestRun(), "ready") === 2), "at work again").toBe(true);
		process.kill(run.line(), "SIGKILL");
		const { code, out, err } = await run.ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		expect([events(newestRun(), "restart"), events(newestRun(), "resumed")]).toEqual([2, 2]);
		expect(err).toContain("stickslip: rank 1 was lost (killed by SIGKILL)\nstickslip: starting again");
		expect(err).toContain("stickslip: the run's process was killed by SIGKILL\nstickslip: starting again");
		expect(await nobody(run.mark)).toBe(true);
	});

	it("is stopped with a checkpoint when its terminal is closed, with nobody left to write to", async () => {
		const fresh = newestRun();
		const { child, ended, mark } = under(["launch", "local", "--nodes", "2", "--ranks-per-node", "1", "--", ...long]);
		expect(await soon(() => newestRun() !== fresh && events(newestRun(), "ready") > 0), "at work").toBe(true);
		const run = newestRun();
		child.stdout?.destroy();
		child.stderr?.destroy();
		// The shell and the system may both say so.
		for (let time = 0; time < 2; time += 1) child.kill("SIGHUP");
		expect([(await ended).code, events(run, "checkpoint")]).toEqual([75, 1]);
		expect(await nobody(mark)).toBe(true);
		expect((await runHere(["runs", "--json", "--runs", runs])).out).toMatch(/"status":"stopped"/);
	});

	it("is stopped with a checkpoint, lost with its supervisor, and resumed on other ranks to the same bits", async () => {
		const fresh = newestRun();
		const first = under([
			"launch",
			"local",
			"--nodes",
			"2",
			"--ranks-per-node",
			"1",
			"--checkpoint",
			"0.3",
			"--",
			...long,
		]);
		expect(await soon(() => newestRun() !== fresh && events(newestRun(), "checkpoint") > 0), "a checkpoint").toBe(true);
		const run = newestRun();
		const refused = await runHere(["resume", run]);
		expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/is still running; stickslip status/)]);
		first.child.kill("SIGTERM");
		expect((await first.ended).code).toBe(75);

		const second = under(["resume", run, "--nodes", "1", "--ranks-per-node", "3"]);
		expect(await soon(() => events(run, "ready") === 2), "at work again").toBe(true);
		second.child.kill("SIGKILL");
		expect(await nobody(second.mark), "all end with their supervisor").toBe(true);

		const { code, out, err } = await under(["resume", run, "--ranks-per-node", "1"]).ended;
		expect([code, JSON.parse(out || "{}").hash, JSON.parse(out || "{}").ranks], err).toEqual([1, hash, 1]);
		expect(events(run, "resumed")).toBe(2);
		const over = await runHere(["resume", run]);
		expect([over.code, over.out, over.err]).toEqual([
			1,
			"",
			expect.stringMatching(/has ended unsolved, its report says why/),
		]);
	});
});

describe("a launch that cannot be", () => {
	it("leaves no run behind", async () => {
		const before = existsSync(runs) ? readdirSync(runs).length : 0;
		const lines = [
			["local", "--memory", "4000T"],
			["ssh", "--host", "stickslip-no-such-host.invalid"],
			["local", "--ranks-per-node", "0"],
			["local", "--listen", "203.0.113.7"],
		];
		for (const words of lines) {
			const { code, out, err } = await runHere(["launch", ...words, "--runs", runs, "--", ...long]);
			expect([code, out, linesOf(err).length], err).toEqual([2, "", 1]);
		}
		const missing = await runHere(["launch", "local", "--runs", runs, "--", "solve", "missing.hdf5"]);
		expect([missing.code, linesOf(missing.err)]).toEqual([2, [expect.stringMatching(/missing\.hdf5: /)]]);
		expect(existsSync(runs) ? readdirSync(runs).length : 0).toBe(before);
	});

	it("has nothing to resume where there is no run", async () => {
		const { code, err } = await runHere(["resume", "nothing", "--runs", join(folder, "none")]);
		expect([code, err]).toEqual([2, expect.stringMatching(/no such run/)]);
	});
});
