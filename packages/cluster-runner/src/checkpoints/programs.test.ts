/** Checkpoints of a program that has nothing to do with contacts: what 3 ranks had begun continues on 2, and on 5. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { cutState, gatherStates, type RunState } from "@stickslip/core/parallel";
import { afterAll, describe, expect, it } from "vitest";
import { checkpointsIn, memoryLog, Playground } from "../testing/checkpoints.js";
import { CELLS, WALKERS, Walk, type WalkIds } from "../testing/walk-program.js";
import { type Checkpointer, openCheckpointer } from "./checkpointer.js";

const play = new Playground();
afterAll(() => play.remove());

const LAST = 60;
const identity = { program: "walk", problem: "0".repeat(64), options: { pace: "0.25" } };

/** The ownership depends on the number of ranks; the fifth of five owns no cell. */
function ownedBy(rank: number, ranks: number): WalkIds {
	const of = (count: number) => Int32Array.from({ length: count }, (_, id) => (7 * id) % count);
	return {
		walkers: of(WALKERS).filter((id) => (3 * id) % ranks === rank),
		cells: Int32Array.from({ length: CELLS }, (_, id) => id).filter((id) => id % ranks === rank),
	};
}

/** Runs on this many ranks from the newest checkpoint, or the start, until this iteration, with checkpoints at these iterations. */
async function walk(folder: string, ranks: number, last: number, savedAt: readonly number[]): Promise<RunState> {
	const checkpointer = await openCheckpointer({ folder, interval: 0, identity });
	checkpointer.begin(ranks);
	const all = Array.from({ length: ranks }, (_, rank) => {
		const owned = ownedBy(rank, ranks);
		const one = new Walk(owned);
		if (checkpointer.from) one.resume(cutState(checkpointer.from, { ...owned }));
		return one;
	});
	while (all[0]!.iteration < last) {
		for (const one of all) one.step();
		if (savedAt.includes(all[0]!.iteration)) await save(checkpointer, all);
	}
	await checkpointer.close();
	return gatherStates(all.map((one) => one.state));
}

/** The last rank first; scalars come from rank 0 alone. */
async function save(checkpointer: Checkpointer, all: readonly Walk[]): Promise<void> {
	const parts = all.map((one, rank) => ({ ...one.state, ...(rank > 0 && { scalars: {} }) }));
	await Promise.all([...parts.entries()].reverse().map(([rank, part]) => checkpointer.take(rank, part)));
	await checkpointer.settle();
	expect(checkpointer.lost).toBeUndefined();
}

describe("a program of walkers and cells", () => {
	it.each([2, 5, 1])(
		"saved by 3 ranks, goes on with %i to the bits of the one that nobody disturbed",
		async (ranks) => {
			const undisturbed = await walk(play.folder(), 1, LAST, []);
			const folder = play.folder();
			await walk(folder, 3, 31, [17, 29]);
			const state = await walk(folder, ranks, LAST, [45]);
			expect(state).toEqual(undisturbed);
			expect(checkpointsIn(folder).map(Number)).toEqual([29, 45]);
		},
	);

	it("goes on from the checkpoint before where a part of the newest is missing", async () => {
		const folder = play.folder();
		await walk(folder, 3, 31, [17, 29]);
		rmSync(join(folder, checkpointsIn(folder)[1]!, "part-0002"));
		const log = memoryLog();
		const checkpointer = await openCheckpointer({ folder, interval: 0, identity, log });
		expect(checkpointer.from?.iteration).toBe(17);
		expect(log.lines.map(({ event }) => event)).toEqual(["checkpoint-damaged", "resumed"]);
		await checkpointer.close();
		expect(await walk(folder, 2, LAST, [])).toEqual(await walk(play.folder(), 1, LAST, []));
	});

	it("is no other program's, nor one with other options", async () => {
		const folder = play.folder();
		await walk(folder, 3, 31, [29]);
		const other = (change: object) => openCheckpointer({ folder, interval: 0, identity: { ...identity, ...change } });
		await expect(other({ program: "swim" })).rejects.toThrow(/program: is a checkpoint of walk, not of swim;/);
		await expect(other({ options: { pace: "0.5" } })).rejects.toThrow(
			/options: was made with pace 0.25 instead of 0.5/,
		);
	});

	it.each<[string, (state: RunState) => RunState]>([
		["a width that does not fit", (state) => change(state, { width: 3 })],
		["a width of 0", (state) => change(state, { width: 0, values: new Float64Array(0) })],
		["a name without end", (state) => ({ ...state, spaces: { ["x".repeat(41)]: state.spaces.cells! } })],
		[
			"more vectors than a part has room for",
			(state) => {
				const cells = state.spaces.cells!;
				const vectors = Array.from({ length: 1001 }, (_, at) => [`v${at}`, cells.vectors.weather!] as const);
				return { ...state, spaces: { cells: { ...cells, vectors: Object.fromEntries(vectors) } } };
			},
		],
		[
			"more spaces",
			(state) => {
				const all = Array.from({ length: 17 }, (_, at) => [`s${at}`, state.spaces.cells!] as const);
				return { ...state, spaces: Object.fromEntries(all) };
			},
		],
	])("loses the checkpoint of a state that could not be read again: %s", async (_, spoil) => {
		const folder = play.folder();
		const checkpointer = await openCheckpointer({ folder, interval: 0, identity });
		await checkpointer.take(0, spoil(new Walk(ownedBy(0, 1)).state));
		await checkpointer.close();
		expect(checkpointer.lost).toBe("the program's state exceeds the limits of a checkpoint");
		expect(checkpointsIn(folder)).toEqual([]);
	});

	it("loses that of one with too many lists and signed zeros, which are arrays too", async () => {
		const checkpointer = await openCheckpointer({ folder: play.folder(), interval: 0, identity });
		const state = new Walk(ownedBy(0, 1)).state;
		const zeros = Array.from({ length: 5000 }, () => ({ zero: -0 }));
		await checkpointer.take(0, { ...state, scalars: { zeros } });
		await checkpointer.close();
		expect(checkpointer.lost).toBe("a state of 5006 arrays, and 4096 are the most");
	});
});

function change(state: RunState, vector: { width: number; values?: Float64Array }): RunState {
	const { cells } = state.spaces;
	const { weather } = cells!.vectors;
	return { ...state, spaces: { cells: { ...cells!, vectors: { weather: { ...weather!, ...vector } } } } };
}
