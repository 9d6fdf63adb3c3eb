/** Solves that are stopped and resumed, on any ranks: the bits of the uninterrupted solve. */
import { join } from "node:path";
import { generate, type Report, type SolveOptions, solve, solveAsync } from "@stickslip/core";
import { BLOCK_SPACE, cutState, REQUEST, type RunState } from "@stickslip/core/parallel";
import { afterAll, describe, expect, it } from "vitest";
import type { RankOptions } from "../ranks/choose.js";
import { solveRanks } from "../solve/solve-ranks.js";
import { change, checkpointsIn, essence, Playground } from "../testing/checkpoints.js";
import { type Checkpointer, openCheckpointer } from "./checkpointer.js";
import { solveIdentity } from "./identity.js";

const play = new Playground();
afterAll(() => play.remove());

const problem = generate("spheres", { contacts: 300 });

/** A checkpoint at this iteration, as written by this many ranks; which blocks each has makes no difference. */
async function checkpointAt(folder: string, options: SolveOptions, iteration: number, ranks: number): Promise<void> {
	const states: RunState[] = [];
	let iterations = 0;
	await solveAsync(problem, {
		...options,
		keep: {
			get request() {
				iterations += 1;
				return iterations > iteration ? REQUEST.suspend : 0;
			},
			save: (state) => states.push(state),
		},
	});
	const [state] = states;
	if (state === undefined) throw new Error(`no state at ${iteration}`);
	const checkpointer = await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options) });
	checkpointer.begin(ranks);
	const { ids } = state.spaces[BLOCK_SPACE]!;
	const parts = Array.from({ length: ranks }, (_, rank) => ids.filter((id) => id % ranks === rank));
	await Promise.all(parts.map((own, rank) => checkpointer.take(rank, cutState(state, { [BLOCK_SPACE]: own }))));
	await checkpointer.close();
	expect(checkpointer.last?.iteration).toBe(state.iteration);
}

async function goOn(
	folder: string,
	options: SolveOptions & RankOptions,
): Promise<{ report: Report; checkpointer: Checkpointer }> {
	const checkpointer = await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options) });
	const { report } = await solveRanks(problem, { ...options, checkpointer });
	await checkpointer.close();
	return { report, checkpointer };
}

const ways: readonly RankOptions[] = [
	{ ranks: 1 },
	{ ranks: 2, transport: "threads" },
	{ ranks: 3, transport: "threads" },
];

describe.each<[string, SolveOptions]>([
	["auto", { tolerance: 1e-300, maxIterations: 60, history: true }],
	["gauss-seidel", { method: "gauss-seidel", tolerance: 1e-300, maxIterations: 40, history: true }],
	[
		"proximal-gauss-seidel",
		{ method: "proximal-gauss-seidel", tolerance: 1e-300, maxIterations: 40, set: { patience: 5 } },
	],
	["pqn", { method: "pqn", tolerance: 1e-300, maxIterations: 20, history: true }],
])("%s", (_, options) => {
	const undisturbed = essence(solve(problem, options).report);

	it.each(ways)("goes on with %o to the same bits", async (way) => {
		const folder = play.folder();
		const [early, late] = [3, 11];
		await checkpointAt(folder, options, early, 5);
		await checkpointAt(folder, options, late, 2);
		const [first, last] = checkpointsIn(folder);
		const { report, checkpointer } = await goOn(folder, { ...options, ...way });
		expect(essence(report)).toEqual(undisturbed);
		expect([checkpointer.suspended, checkpointer.last?.iteration, checkpointsIn(folder)]).toEqual([
			false,
			late,
			[first, last],
		]);
	});

	it("goes on from the one before where the last is damaged", async () => {
		const folder = play.folder();
		await checkpointAt(folder, options, 3, 5);
		await checkpointAt(folder, options, 11, 2);
		const [, last] = checkpointsIn(folder);
		change(join(folder, last!, "part-0001"), (bytes) => bytes.fill(7, 100, 101));
		const { report, checkpointer } = await goOn(folder, { ...options, ranks: 1 });
		expect(essence(report)).toEqual(undisturbed);
		expect(checkpointer.last?.iteration).toBe(3);
	});
});
