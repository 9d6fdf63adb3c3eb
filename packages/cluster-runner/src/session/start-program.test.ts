/** Programs from outside the package: results, states that go on with other numbers of ranks, requests, failures. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cutState, gatherStates, RankError, type RunState } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../base/own.js";
import { ownedBy, type WalkPart, type WalkResult } from "../testing/walk-program.js";
import { type ProgramOptions, type ProgramTask, startProgram } from "./start-program.js";

const module = pathToFileURL(join(packageFolder, "dist/testing/walk-program.js"));

function partOf(rank: number, ranks: number, steps: number): WalkPart {
	return { ...ownedBy(rank, ranks), steps, fails: -1, pause: 0 };
}

function walk(steps: number, more: Partial<ProgramTask<WalkPart, WalkResult>> = {}): ProgramTask<WalkPart, WalkResult> {
	return { part: (rank, ranks) => partOf(rank, ranks, steps), ...more };
}

async function run(options: ProgramOptions, task: ProgramTask<WalkPart, WalkResult>): Promise<WalkResult[]> {
	const ranks = await startProgram(module, options);
	try {
		return await ranks.run(task);
	} finally {
		await ranks.close();
	}
}

const distance = (results: readonly WalkResult[]) => results.map(({ farthest, steps }) => [farthest, steps])[0];

describe("a program from outside", () => {
	it("runs on ranks of any kind, and goes on from a state on another number of them", async () => {
		const expected = distance(await run({ ranks: 1 }, walk(30)));
		const states: RunState[] = [];
		const saving = walk(18, {
			part: (rank, ranks) => ({ ...partOf(rank, ranks, 18), saves: true }),
			onState: (rank, state) => {
				states[rank] = state;
			},
		});
		await run({ ranks: 2, transport: "zeromq" }, saving);
		const whole = gatherStates(states);
		const from = (rank: number, ranks: number) => cutState(whole, { ...ownedBy(rank, ranks) });
		expect(distance(await run({ ranks: 3, transport: "threads" }, walk(30, { from })))).toEqual(expected);
	});

	it("is asked to stop, and tells how far it is", async () => {
		const stop = new AbortController();
		const seen: number[] = [];
		const endless = walk(1e9, {
			part: (rank, ranks) => ({ ...partOf(rank, ranks, 1e9), pause: 1 }),
			signal: stop.signal,
			onProgress: ([step = 0]) => {
				seen.push(step);
				stop.abort();
			},
		});
		const [{ steps }] = (await run({ ranks: 2, transport: "threads" }, endless)) as [WalkResult];
		expect(steps).toBeLessThan(1e9);
		expect(steps).toBeGreaterThanOrEqual(seen[0]!);
	});

	it("rejects with the rank that fails, and says so to whoever comes next", async () => {
		const ranks = await startProgram(module, { ranks: 2, transport: "threads" });
		const failing = walk(10, { part: (rank, of) => ({ ...partOf(rank, of, 10), fails: 1 }) });
		const error: unknown = await ranks.run(failing).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(RankError);
		expect(ranks.failure?.message).toMatch(/sprained an ankle/);
		await expect(ranks.run(walk(1))).rejects.toThrow(/sprained an ankle/);
		await ranks.close();
		await expect(startProgram(module, { ranks: 0 })).rejects.toThrow(/ranks/);
	});

	it("refuses what is not a result", async () => {
		const isResult = (value: unknown): value is WalkResult => value === "nothing";
		await expect(run({ ranks: 2, transport: "zeromq" }, walk(3, { isResult }))).rejects.toThrow(RankError);
	});
});
