/** A rank that fails in any way, at a moment chosen by a seed, ends all ranks, and is named. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { Random } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import type { FailingTask } from "../testing/failing-rank.js";
import { shareThreads } from "../threads/communicator.js";
import { Control } from "./control.js";
import { cores } from "./pin.js";
import { runWorkers, type WorkersOptions } from "./run-workers.js";

const program = bundle(new URL("../testing/failing-rank.ts", import.meta.url));
afterAll(() => program.remove());

/** Every thread that is started during a test. */
const threads: Worker[] = [];
const note = (worker: Worker) => threads.push(worker);
beforeEach(() => {
	threads.length = 0;
	process.on("worker", note);
});
afterEach(() => void process.off("worker", note));
/** A thread that has ended has no id any more. */
const alive = () => threads.filter(({ threadId }) => threadId !== -1).length;

function start(size: number, fault: Pick<FailingTask, "who" | "when" | "how">, more: Partial<WorkersOptions> = {}) {
	const control = Control.create();
	const common = { ...fault, shared: shareThreads(size), control: control.buffer, cores: cores().length };
	const task = (rank: number): FailingTask => ({ ...common, rank });
	return { control, workers: runWorkers<number>({ ranks: size, file: program.file, task, control, ...more }) };
}

async function failureOf(workers: Promise<unknown>): Promise<RankError> {
	const error = await workers.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof RankError)) expect.fail(`no RankError but ${String(error)}`);
	return error;
}

describe("workers", () => {
	it.each([1, 3, 6])("of %i ranks return their results by rank, and end", async (size) => {
		const { workers } = start(size, { who: -1, when: 0, how: "nothing" });
		expect(await workers).toEqual(Array.from({ length: size }, (_, rank) => rank));
		expect(threads.length).toBe(size);
		expect(alive()).toBe(0);
	});

	it.each([
		["throws", /^rank \d failed: no convergence of the universe$/],
		["aborts", /^rank \d has had enough$/],
		["exits", /^rank \d ended without a result \(exit code 7\)$/],
		["runs out of memory", /^rank \d ran out of memory$/],
	] as const)("end when one %s, and the error names it", async (how, message) => {
		for (const seed of [1, 2, 3]) {
			const random = new Random(seed);
			const size = 2 + random.below(4);
			const fault = { who: random.below(size), when: random.below(200), how };
			const { workers } = start(size, fault, { heapMegabytesMax: 40 });
			const error = await failureOf(workers);
			expect(error.message, `seed ${seed}`).toMatch(message);
			expect(error.rank, `seed ${seed}`).toBe(fault.who);
			if (how !== "aborts") expect(error.cause).toBeInstanceOf(Error);
			expect(alive()).toBe(0);
		}
	});

	it("end when a thread is terminated from outside, and the error names it", async () => {
		const { control, workers } = start(3, { who: 1, when: 20, how: "waits to be terminated" });
		while (control.beats(1) < 21) await new Promise((go) => setTimeout(go, 5));
		// Threads are started and given their tasks in the order of ranks.
		const ended = threads[1]?.terminate();
		expect(await failureOf(workers)).toMatchObject({ rank: 1 });
		await ended;
		expect(alive()).toBe(0);
	});

	it("that compute on and never check are terminated after the period of grace", async () => {
		const { workers } = start(3, { who: 2, when: 5, how: "throws while one computes" }, { graceSeconds: 0.5 });
		expect(await failureOf(workers)).toMatchObject({
			rank: 2,
			message: "rank 2 failed: no convergence of the universe",
		});
		expect(alive()).toBe(0);
	});

	it("end when the main thread aborts them, with the rank that it names", async () => {
		const { control, workers } = start(2, { who: 0, when: 3, how: "waits to be terminated" }, { graceSeconds: 0.5 });
		while (control.beats(0) < 4) await new Promise((go) => setTimeout(go, 5));
		control.abort(7, "is gone from another host");
		expect(await failureOf(workers)).toMatchObject({ rank: 7, message: "rank 7 is gone from another host" });
		expect(alive()).toBe(0);
	});

	it("report that a rank's file cannot be loaded", async () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-workers-"));
		try {
			const file = join(folder, "broken.mjs");
			writeFileSync(file, 'import { nothing } from "node:fs";\nexport default () => nothing;\n');
			const { message } = await failureOf(runWorkers({ ranks: 2, file, task: () => ({}), control: Control.create() }));
			// Node 22 and later name the reason, Node 20 hides it behind a second attempt.
			expect(message).toMatch(/cannot load .*broken\.mjs|does not provide an export named 'nothing'/);
			expect(alive()).toBe(0);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it("are named by their rank in a larger run", async () => {
		const control = Control.create();
		const task = () => ({});
		const options = { ranks: 2, file: "no-such-file.mjs", task, control, firstRank: 10 };
		const { rank, message } = await failureOf(runWorkers(options));
		expect([10, 11]).toContain(rank);
		expect(message).toContain("no-such-file.mjs");
		expect(alive()).toBe(0);
	});
});
