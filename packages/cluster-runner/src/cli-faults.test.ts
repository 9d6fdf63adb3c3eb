/** Ranks that die, hang or are left alone, at moments that a seed chooses: one line names the rank, and no process is left behind. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { EndlessRuns, endless, expectCancelled, expectNobody, pause, skipWithout } from "../testing/endless-runs.js";
import { rankProcesses, soon } from "../testing/processes.js";
import { interrupted, linesOf, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";

const runs = new EndlessRuns();

describe("a rank that is killed", () => {
	const further = [
		["zeromq", 3, 2],
		["zeromq", 2, 3],
	] as const;
	it.for([["zeromq", 3, 1], ["threads+zeromq", 4, 4], ...(isThorough ? further : [])] as const)(
		"ends the run in its name: %s, %i ranks, seed %i",
		async ([transport, ranks, seed], context) => {
			skipWithout(transport, context);
			await runs.killRank(transport, ranks, seed);
		},
	);

	it("costs its own file only", async (context) => {
		skipWithout("zeromq", context);
		const easy = join(runs.folder, "easy.hdf5");
		await runHere(["generate", "spheres", "--contacts", "20", "--output", easy]);
		const run = await runs.start("zeromq", 2, [easy, "--time-limit", "2"]);
		await pause(500);
		process.kill(run.processes[1]!, "SIGKILL");
		const { code, out } = await run.ended;
		expect([code, linesOf(out).length > 3]).toEqual([3, true]);
		expect(out).toContain("easy.hdf5");
	});
});

describe("a process that hangs", () => {
	it("is lost after 3 s of silence", async (context) => {
		skipWithout("zeromq", context);
		const run = await runs.start("zeromq", 2);
		await pause(1500);
		process.kill(run.processes[0]!, "SIGSTOP");
		const { code, err } = await run.ended;
		expect([code, err]).toEqual([
			3,
			expect.stringMatching(/^stickslip: rank \d was lost \(no heartbeat for 3 s\); .*\n$/),
		]);
		await expectNobody(run);
	});
});

describe("a starting process that is stopped for longer than a heartbeat may be missing", () => {
	it("goes on, with all its ranks", async (context) => {
		skipWithout("zeromq", context);
		const transports = ["zeromq", "threads+zeromq"];
		const all = await Promise.all(transports.map((transport) => runs.start(transport, 2, ["--json"])));
		// The first before its ranks can have met it, the other at work.
		const stops = all.map(async ({ hub }, index) => {
			await pause(1500 * index);
			hub.kill("SIGSTOP");
			await pause(4500);
			hub.kill("SIGCONT");
		});
		await Promise.all(stops);
		// Longer than either side waits before it takes the other for lost.
		await pause(1500);
		for (const run of all) {
			expect(rankProcesses(run.mark)).toEqual(run.processes);
			run.hub.kill("SIGINT");
			const { code, out } = await run.ended;
			expect([code, JSON.parse(out).status]).toEqual([1, "cancelled"]);
			await expectNobody(run);
		}
	});
});

describe("a run's folder that hangs", () => {
	it("keeps nobody from the ranks: checkpoints go on, and one that is lost is named", async (context) => {
		skipWithout("zeromq", context);
		const kept = testFolder();
		const run = await runs.start("zeromq", 2, ["--checkpoint", "0.5", "--runs", kept]);
		let told = "";
		run.hub.stderr?.on("data", (part: Buffer) => {
			told += part.toString();
		});
		const place = join(kept, readdirSync(kept).find((name) => !name.startsWith(".")) ?? "");
		const newest = () =>
			readdirSync(join(place, "checkpoints", "0"))
				.sort()
				.at(-1) ?? "";
		expect(await soon(() => existsSync(join(place, "checkpoints", "0")) && /^\d/.test(newest()))).toBe(true);
		// Opening a pipe without a reader blocks, like a file system that does not answer.
		const log = join(place, "logs", "run.jsonl");
		spawnSync("mkfifo", [`${log}.pipe`]);
		renameSync(`${log}.pipe`, log);
		for (let more = 0; more < 2; more += 1) {
			const before = newest();
			expect(await soon(() => newest() > before), "a checkpoint more").toBe(true);
		}
		process.kill(run.processes[1]!, "SIGKILL");
		expect(await soon(() => told.includes("was lost (killed by SIGKILL)")), "it is named").toBe(true);
		// From now on somebody reads.
		const reader = openSync(log, "r+");
		onTestFinished(() => closeSync(reader));
		expect((await run.ended).code).toBe(3);
		await expectNobody(run);
	});
});

describe("ranks whose hub is killed", () => {
	it.for(["zeromq", "threads+zeromq"])("end by themselves: %s", async (transport, context) => {
		skipWithout(transport, context);
		await runs.killHub(transport);
	});
});

describe("Ctrl-C", () => {
	it("stops all ranks at the same iterate: threads", async () => {
		const words = ["solve", runs.problem, ...endless, "--ranks", "2", "--json"];
		expectCancelled(await interrupted(words), "threads");
	});

	it("stops all ranks at the same iterate: zeromq", async (context) => {
		skipWithout("zeromq", context);
		expectCancelled(await runs.interrupt("zeromq"), "zeromq");
	});

	it("ends all at once the second time, with exit code 130", async (context) => {
		skipWithout("zeromq", context);
		const run = await runs.start("zeromq", 2);
		await pause(1000);
		// A process that does not answer cannot stop in an orderly way: there is time for the second signal.
		process.kill(run.processes[1]!, "SIGSTOP");
		run.hub.kill("SIGINT");
		await pause(300);
		run.hub.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		await expectNobody(run);
	});
});
