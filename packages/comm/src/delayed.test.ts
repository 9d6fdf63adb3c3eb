import { afterAll, expect, it } from "vitest";
import { conformance } from "./testing/conformance.js";
import { zeromqPrograms } from "./testing/zeromq-start.js";

const programs = zeromqPrograms();
afterAll(() => programs.remove());

conformance("zeromq, delayed", {
	sizes: [3],
	start: (run) => programs.start(run, { perProcess: 0, delaySeed: run.seeds[0] ?? 1 }),
	without: [
		{ test: "thousands of rounds", reason: "thousands of delays; the seeds below cover more orders in less time" },
	],
});

conformance("threads+zeromq, delayed", {
	sizes: [4],
	start: (run) => programs.start(run, { perProcess: 2, isJoined: true, delaySeed: run.seeds[0] ?? 1 }),
	without: [
		{ test: "thousands of rounds", reason: "thousands of delays; the seeds below cover more orders in less time" },
	],
});

it("gives the same whatever is late: 100 seeds", { timeout: 120_000 }, async () => {
	for (let delaySeed = 1; delaySeed <= 25; delaySeed += 1) {
		const seeds = [0, 1, 2, 3].map((i) => 4 * delaySeed + i);
		const run = { program: "a reduction between begin and finish", size: 3, seeds, patienceSeconds: 20 };
		const outcomes = await programs.start(run, { perProcess: 0, delaySeed });
		const bad = outcomes.filter((outcome) => !outcome.ok);
		expect(bad, `delay seed ${delaySeed}, seeds ${seeds.join(" ")}`).toEqual([]);
	}
});
