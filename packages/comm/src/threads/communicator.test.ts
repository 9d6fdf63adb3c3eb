import { InputError } from "@stickslip/core/parallel";
import { afterAll, describe, expect, it } from "vitest";
import { Control } from "../base/control.js";
import { cores } from "../base/pin.js";
import { runWorkers } from "../base/run-workers.js";
import { bundle } from "../testing/bundle.js";
import { conformance } from "../testing/conformance.js";
import { byRun, type Outcome, type Run } from "../testing/outcome.js";
import { isThorough } from "../testing/thorough.js";
import type { ThreadsTask } from "../testing/threads-rank.js";
import { shareThreads } from "./communicator.js";

const program = bundle(new URL("../testing/threads-rank.ts", import.meta.url));
afterAll(() => program.remove());

const start = (strict: boolean) => async (runs: readonly Run[]) => {
	const control = Control.create();
	const ranks = runs[0]!.size;
	const shared = shareThreads(ranks, { strict });
	const common = { runs, shared, control: control.buffer, cores: cores().length };
	const task = (rank: number): ThreadsTask => ({ ...common, rank });
	return byRun(await runWorkers<Outcome[]>({ ranks, file: program.file, task, control }), runs);
};

for (const strict of [true, false]) {
	conformance(strict ? "threads, strict" : "threads", {
		sizes: strict ? [1, 3] : isThorough ? [1, 2, 3, 5, 8] : [1, 5],
		strict,
		late: { sizes: strict ? [] : [5] },
		start: start(strict),
	});
}

describe("threads", () => {
	const many = isThorough ? 64 : 24;
	it(`are ${many} on however few cores, slowly but surely`, async () => {
		const names = ["a reduction between begin and finish", "broadcasts"];
		const runs = names.map((program) => ({ program, size: many, seeds: [1], patienceSeconds: 200 }));
		const outcomes = await start(false)(runs);
		expect(outcomes.flat().filter(({ ok }) => !ok)).toEqual([]);
	});

	it("are at least one, and not too many", () => {
		for (const size of [0, -1, 1.5, 1025, Number.NaN]) expect(() => shareThreads(size)).toThrow(InputError);
	});
});
