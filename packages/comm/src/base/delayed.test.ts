import { afterAll, expect, it } from "vitest";
import { conformance } from "../testing/conformance.js";
import type { Run } from "../testing/outcome.js";
import { isThorough } from "../testing/thorough.js";
import { zeromqPrograms } from "../testing/zeromq-start.js";

const programs = zeromqPrograms();
afterAll(() => programs.remove());
const seedOf = (runs: readonly Run[]) => runs[0]?.seeds[0] ?? 1;

conformance("zeromq, delayed", {
	sizes: [3],
	late: { sizes: [] },
	start: (runs) => programs.start(runs, { perProcess: 0, delaySeed: seedOf(runs) }),
	without: [
		{ test: "thousands of rounds", reason: "thousands of delays; the seeds below cover more orders in less time" },
	],
});

conformance("threads+zeromq, delayed", {
	sizes: [4],
	late: { sizes: [4], programs: ["late in an exchange"] },
	start: (runs) => programs.start(runs, { perProcess: 2, isJoined: true, delaySeed: seedOf(runs) }),
	without: [
		{ test: "thousands of rounds", reason: "thousands of delays; the seeds below cover more orders in less time" },
	],
});

const delays = isThorough ? 10 : 2;

it(`gives the same whatever is late: ${10 * delays} seeds`, async () => {
	for (let delaySeed = 1; delaySeed <= delays; delaySeed += 1) {
		const seeds = Array.from({ length: 10 }, (_, i) => 10 * delaySeed + i);
		const run = { program: "a reduction between begin and finish", size: 3, seeds, patienceSeconds: 200 };
		const outcomes = (await programs.start([run], { perProcess: 0, delaySeed })).flat();
		const bad = outcomes.filter((outcome) => !outcome.ok);
		expect(bad, `delay seed ${delaySeed}, seeds ${seeds.join(" ")}`).toEqual([]);
	}
});
