/** When checkpoints of a run are due, which are kept, and what happens to those that cannot be written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { generate, InputError, type SolveOptions, solve } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { solveRanks } from "../solve/solve-ranks.js";
import { Bed } from "../testing/bed.js";
import {
	checkpointsIn,
	essence,
	keptOptions,
	keptProblem,
	memoryLog,
	open,
	Playground,
	partsOf,
	stateAt,
	writeCheckpoints,
} from "../testing/checkpoints.js";
import { openSmallDisk } from "../testing/small-disk.js";
import { type Checkpointer, openCheckpointer } from "./checkpointer.js";
import { nameOf } from "./folder.js";
import { solveIdentity } from "./identity.js";

const play = new Playground();
afterAll(() => play.remove());

async function opened(ranks: number, folder = play.folder()) {
	const log = memoryLog();
	const checkpointer = await open(folder, { log });
	checkpointer.begin(ranks);
	const events = () => log.lines.map(({ event }) => event);
	return { folder, log, checkpointer, events };
}

function take(checkpointer: Checkpointer, iteration: number, rank: number, ranks = 2): Promise<void> {
	return checkpointer.take(rank, partsOf(stateAt(iteration), ranks)[rank]!);
}

const complete = (folder: string) => checkpointsIn(folder).filter((name) => !name.startsWith("."));

describe("a checkpointer", () => {
	it("makes a checkpoint of the parts of all ranks and of no fewer, in any order", async () => {
		const { folder, checkpointer } = await opened(2);
		await take(checkpointer, 5, 1);
		await checkpointer.settle();
		expect([checkpointer.last, complete(folder)]).toEqual([undefined, []]);
		await take(checkpointer, 5, 0);
		await checkpointer.settle();
		expect(checkpointer.last).toMatchObject({ iteration: 5, folder: join(folder, nameOf(5)) });
		await checkpointer.close();
		expect(checkpointsIn(folder)).toEqual([nameOf(5)]);
		expect((await open(folder)).from).toEqual(stateAt(5));
	});

	it("finishes one that was being written when it is stopped at the next iteration", async () => {
		const { folder, checkpointer } = await opened(2);
		const writes = [take(checkpointer, 5, 0), take(checkpointer, 6, 1)];
		checkpointer.suspend();
		await Promise.all([...writes, take(checkpointer, 6, 0), take(checkpointer, 5, 1)]);
		await checkpointer.end({ status: "cancelled", iterations: 6 });
		expect([checkpointer.suspended, complete(folder)]).toEqual([true, [nameOf(5), nameOf(6)]]);
		await checkpointer.close();
	});

	it("asks for one at a time, after its interval or when it is told to", async () => {
		const folder = play.folder();
		const checkpointer = await open(folder, { interval: 30 });
		checkpointer.begin(2);
		const begun = performance.now();
		const due = (seconds: number) => checkpointer.isDue(begun + 1000 * seconds);
		expect([due(29), due(31), due(70)]).toEqual([false, true, false]);
		await take(checkpointer, 5, 0);
		expect(due(99)).toBe(false);
		await take(checkpointer, 5, 1);
		await checkpointer.settle();
		expect([due(45), due(62), checkpointer.isDue()]).toEqual([false, true, false]);
		await Promise.all([take(checkpointer, 9, 0), take(checkpointer, 9, 1)]);
		await checkpointer.settle();
		checkpointer.request();
		expect([due(63), due(64)]).toEqual([true, false]);
		await checkpointer.close();
	});

	it("loses one of which a rank could not write its part, and says why; the one before stays", async () => {
		const { folder, checkpointer, log, events } = await opened(2);
		await Promise.all([take(checkpointer, 5, 0), take(checkpointer, 5, 1)]);
		await take(checkpointer, 8, 0);
		checkpointer.unsaved(1, 8, "the disk is full");
		await checkpointer.end({ status: "cancelled", iterations: 8 });
		expect([checkpointer.suspended, checkpointer.lost, checkpointer.last?.iteration]).toEqual([
			false,
			"the disk is full",
			5,
		]);
		expect(log.lines.at(-1)).toEqual({
			level: "warn",
			event: "checkpoint-lost",
			facts: { iteration: 8, reason: "the disk is full" },
		});
		await Promise.all([take(checkpointer, 9, 0), take(checkpointer, 9, 1)]);
		await checkpointer.close();
		expect([checkpointer.lost, checkpointsIn(folder)]).toEqual([undefined, [nameOf(5), nameOf(9)]]);
		expect(events().filter((event) => event === "checkpoint").length).toBe(2);
	});

	it("does not believe a rank that says it has written what is not there", async () => {
		const { folder, checkpointer } = await opened(2);
		await take(checkpointer, 5, 0);
		checkpointer.saved(1, { iteration: 5, counts: { blocks: 6 }, bytes: 99, sha256: "0" });
		await checkpointer.close();
		expect([checkpointer.last, checkpointsIn(folder)]).toEqual([undefined, []]);
		expect(checkpointer.lost).toMatch(/part-0001/);
	});

	it("replaces a damaged one of the same iteration, and then removes all that are older or damaged", async () => {
		const folder = play.folder();
		await writeCheckpoints(folder, [10, 20], 2);
		rmSync(join(folder, nameOf(20), "part-0000"));
		const { checkpointer } = await opened(2, folder);
		expect(checkpointer.from?.iteration).toBe(10);
		await Promise.all([take(checkpointer, 15, 0), take(checkpointer, 15, 1)]);
		await checkpointer.settle();
		expect(complete(folder)).toEqual([nameOf(10), nameOf(15)]);
		await checkpointer.close();
		rmSync(join(folder, nameOf(15), "part-0000"));
		const again = await opened(2, folder);
		await Promise.all([take(again.checkpointer, 15, 0), take(again.checkpointer, 15, 1)]);
		await again.checkpointer.close();
		expect((await open(folder)).from).toEqual(stateAt(15));
	});

	it("removes what lost processes left, and leaves alone what a live one is writing", async () => {
		const folder = play.folder();
		const live = spawn(process.execPath, ["--eval", "setTimeout(() => {}, 60_000)"]);
		const dead = spawn(process.execPath, ["--eval", ""]);
		try {
			await once(dead, "exit");
			for (const [name, pid] of [
				["live", live.pid],
				["dead", dead.pid],
			] as const) {
				mkdirSync(join(folder, `.writing-${name}`), { recursive: true });
				const owner = { token: name, host: hostname(), pid };
				writeFileSync(join(folder, `.writing-${name}`, "owner.json"), JSON.stringify(owner));
			}
			const checkpointer = await open(folder);
			await checkpointer.close();
			expect(readdirSync(folder)).toEqual([".writing-live"]);
		} finally {
			live.kill("SIGKILL");
		}
	});

	it("refuses what makes no sense to keep", async () => {
		for (const rest of [{ interval: -1 }, { interval: Number.NaN }]) {
			await expect(open(play.folder(), rest)).rejects.toThrow(InputError);
		}
		expect(() => solveIdentity(keptProblem, { ...keptOptions, repeat: 2 })).toThrow(InputError);
	});

	it("loses all where its folder cannot be made, and nothing but that", async () => {
		const file = join(play.base, "file");
		writeFileSync(file, "");
		const { checkpointer, events } = await opened(1, join(file, "inside"));
		await checkpointer.take(0, stateAt(5));
		await checkpointer.end({ status: "cancelled", iterations: 5 });
		expect([checkpointer.suspended, checkpointer.last]).toEqual([false, undefined]);
		expect(events()).toEqual(["checkpoint-folder", "unsaved", "checkpoint-lost"]);
		await checkpointer.close();
	});

	it("makes no part of a run anew that somebody removed, and says that nothing is kept", async () => {
		const { folder, checkpointer } = await opened(2);
		await Promise.all([take(checkpointer, 5, 0), take(checkpointer, 5, 1)]);
		await checkpointer.settle();
		rmSync(folder, { recursive: true });
		checkpointer.suspend();
		await Promise.all([take(checkpointer, 6, 0), take(checkpointer, 6, 1)]);
		await checkpointer.end({ status: "cancelled", iterations: 6 });
		await checkpointer.close();
		expect([checkpointer.suspended, checkpointer.lost, existsSync(folder)]).toEqual([
			false,
			"the folder is gone",
			false,
		]);
	});
});

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!isRoot)("a disk that is full (skipped where this is not root of a Linux machine)", () => {
	it("costs a checkpoint, and when there is room again the next is written", async () => {
		const bed = new Bed();
		try {
			const disk = openSmallDisk(bed, 2 ** 20);
			const { folder, checkpointer } = await opened(2, join(disk.folder, "kept"));
			await Promise.all([take(checkpointer, 5, 0), take(checkpointer, 5, 1)]);
			await checkpointer.settle();
			disk.fill();
			await Promise.all([take(checkpointer, 6, 0), take(checkpointer, 6, 1)]);
			await checkpointer.settle();
			expect([checkpointer.lost, complete(folder)]).toEqual(["the disk is full", [nameOf(5)]]);
			disk.free();
			await Promise.all([take(checkpointer, 7, 0), take(checkpointer, 7, 1)]);
			await checkpointer.close();
			expect(checkpointsIn(folder)).toEqual([nameOf(5), nameOf(7)]);
			expect((await open(folder)).from).toEqual(stateAt(7));
		} finally {
			bed.close();
		}
	});
});

describe("a solve that is kept", () => {
	const problem = generate("planks", { contacts: 800 });
	const options: SolveOptions = { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: 1500, history: true };
	const undisturbed = essence(solve(problem, options).report);

	it.each([
		["in this thread", { ranks: 1 }, true],
		["over threads", { ranks: 2, transport: "threads" }, true],
		["by processes that see the folder", { ranks: 2, transport: "zeromq" }, true],
		["by processes that do not see it", { ranks: 2, transport: "zeromq" }, false],
	] as const)("while it goes on, %s, has the same bits", async (_, way, isAccessible) => {
		const folder = play.folder();
		const log = memoryLog();
		const checkpointer = await openCheckpointer({
			folder,
			interval: 0,
			identity: solveIdentity(problem, options),
			log,
		});
		checkpointer.request();
		if (!isAccessible) writeFileSync(join(checkpointer.directory!.folder, "owner.json"), "{}");
		const { report } = await solveRanks(problem, {
			...options,
			...way,
			checkpointer,
			log,
		});
		await checkpointer.close();
		expect(essence(report)).toEqual(undisturbed);
		const events = log.lines.map(({ event }) => event);
		expect(events.filter((event) => event === "saved").length).toBeGreaterThanOrEqual(way.ranks);
		expect(events.filter((event) => /lost|unsaved|damaged/.test(event))).toEqual([]);
		expect([events[0], events.at(-1)]).toEqual(["started", "ended"]);
		const manifest = readFileSync(join(folder, checkpointsIn(folder)[0]!, "manifest.json"), "utf8");
		expect(JSON.parse(manifest).parts.length).toBe(way.ranks);
		const again = await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options) });
		const resumed = await solveRanks(problem, { ...options, ranks: 1, checkpointer: again });
		expect(essence(resumed.report)).toEqual(undisturbed);
		await again.close();
	});
});
