/** A program without contacts, on ranks of every kind: tasks one after another, requests, failures, states on other numbers of ranks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { requireMpi } from "@stickslip/comm";
import { cutState, RankError, type RunState } from "@stickslip/core/parallel";
import { array, integer, record } from "@stickslip/core/schema";
import { afterAll, describe, expect, it } from "vitest";
import { noProc, rankProcesses, soon } from "../../testing/processes.js";
import { packageFolder } from "../base/own.js";
import type { Transport } from "../base/transports.js";
import { type Checkpointer, openCheckpointer } from "../checkpoints/checkpointer.js";
import { memoryLog, Playground } from "../testing/checkpoints.js";
import { ownedBy, WALKERS, type WalkPart, type WalkResult } from "../testing/walk-program.js";
import { choose } from "./choose.js";
import type { Ranks, Task } from "./ranks.js";
import { RunEvents } from "./run-events.js";
import { startRanks } from "./start-ranks.js";

/** As the build made it: threads and processes load it by its URL. */
const program = new URL(`file://${join(packageFolder, "dist/testing/walk-program.js")}`).href;
const play = new Playground();
afterAll(() => play.remove());

const identity = { program: "walk", problem: "0".repeat(64), options: {} };
const isResult = record({
	rank: integer(0, 99),
	steps: integer(0, 1e9),
	farthest: (value): value is number => typeof value === "number",
	walkers: array(Int32Array),
	places: array(Float64Array),
});

function hasMpi(): boolean {
	try {
		requireMpi(process.env);
		return true;
	} catch {
		return false;
	}
}

interface Wish extends Partial<Pick<WalkPart, "steps" | "fails" | "pause">> {
	readonly signal?: AbortSignal;
	readonly onProgress?: (numbers: readonly number[]) => void;
	readonly checkpointer?: Checkpointer;
	readonly log?: ReturnType<typeof memoryLog>;
	readonly from?: RunState;
}

function taskOf(
	ranks: number,
	{ steps = 40, fails = -1, pause = 0, from, checkpointer, log, ...rest }: Wish = {},
): Task<WalkResult> {
	return {
		part: (rank) => {
			const own = ownedBy(rank, ranks);
			return { part: { ...own, steps, fails, pause }, buffers: [], from: from && cutState(from, { ...own }) };
		},
		isResult: (value, rank): value is WalkResult => isResult(value) && value.rank === rank,
		resultBytesMax: 2 ** 20,
		stateBytesMax: 2 ** 20,
		events: new RunEvents({ ranks, checkpointer, log }),
		...rest,
	};
}

const isOfOne = (value: unknown): value is WalkResult => isResult(value) && value.rank === 0;

/** By walker, whoever had it. */
function whole(results: readonly WalkResult[]) {
	const places = new Float64Array(2 * WALKERS);
	for (const { walkers, places: own } of results) {
		for (const [at, id] of walkers.entries()) places.set(own.subarray(2 * at, 2 * at + 2), 2 * id);
	}
	return { steps: results[0]!.steps, farthest: results[0]!.farthest, places };
}

async function withRanks<Result>(
	ranks: number,
	transport: Transport | undefined,
	use: (own: Ranks) => Promise<Result>,
) {
	const own = await startRanks(program, { ...choose(1, { ranks, ...(transport && { transport }) }), patience: 20 });
	try {
		return await use(own);
	} finally {
		await own.close();
	}
}

const alone = async (wish: Wish = {}) => whole(await withRanks(1, undefined, (own) => own.run(taskOf(1, wish))));

const ways: [string, number, Transport | undefined][] = [
	["this thread", 1, undefined],
	["threads", 3, "threads"],
	["zeromq", 3, "zeromq"],
	["threads+zeromq", 4, "threads+zeromq"],
	["mpi", 2, "mpi"],
];

describe.each(ways)("ranks of a program, over %s", (_, ranks, transport) => {
	it.skipIf(transport === "mpi" && !hasMpi())(
		"run task after task to the numbers of one rank (mpi: needs MPI)",
		async () => {
			const expected = [await alone({ steps: 40 }), await alone({ steps: 7 }), await alone({ steps: 0 })];
			const log = memoryLog();
			await withRanks(ranks, transport, async (own) => {
				for (const [at, steps] of [40, 7, 0].entries()) {
					const seen: number[] = [];
					const onProgress = (numbers: readonly number[]) => seen.push(numbers[0]!);
					expect(whole(await own.run(taskOf(ranks, { steps, onProgress, log })))).toEqual(expected[at]);
					expect(seen.every((step) => step <= steps)).toBe(true);
					expect(log.lines.filter(({ event }) => event === "walk")).toHaveLength(ranks * (at + 1));
				}
			});
		},
	);

	it.skipIf(transport === "mpi" && !hasMpi())(
		"have tasks of their own, some at once, each with its stop and its progress (mpi: needs MPI)",
		async () => {
			const expected = await alone({ steps: 40 });
			await withRanks(ranks, transport, async (own) => {
				const seen: number[] = [];
				const stop = new AbortController();
				const taskAlone = (rank: number, wish: Wish) => ({
					...taskOf(1, wish),
					part: () => taskOf(1, wish).part(0),
					alone: rank,
					isResult: isOfOne,
				});
				const long = own.run(
					taskAlone(ranks - 1, {
						steps: 1e6,
						pause: 1,
						signal: stop.signal,
						onProgress: ([step]) => {
							seen.push(step!);
							if (seen.length === 2) stop.abort();
						},
					}),
				);
				// In this thread the tasks of one rank run one after another anyway.
				const waits =
					ranks === 1 ? [] : Array.from({ length: 3 * ranks }, (_, at) => own.run(taskAlone(at % (ranks - 1), {})));
				const queued = own.run(taskAlone(ranks - 1, {}));
				const late = new AbortController();
				const never = own.run(taskAlone(ranks - 1, { steps: 1e6, pause: 1, signal: late.signal }));
				late.abort();
				for (const results of [...(await Promise.all(waits)), await queued]) expect(whole(results)).toEqual(expected);
				expect(whole(await long).steps).toBeLessThan(1e6);
				expect(whole(await never).steps).toBeLessThan(1e6);
				expect(whole(await own.run(taskOf(ranks)))).toEqual(expected);
			});
		},
	);

	it.skipIf(transport === "mpi" && !hasMpi())(
		"stop on request with a state that goes on with any other number of them (mpi: needs MPI)",
		async () => {
			const endless = 1e9;
			const folder = play.folder();
			const log = memoryLog();
			const first = await openCheckpointer({ folder, interval: 0, identity, log });
			const controller = new AbortController();
			const stopped = await withRanks(ranks, transport, async (own) => {
				const onProgress = () => {
					if (!controller.signal.aborted) setTimeout(() => controller.abort(), 20);
				};
				const results = await own.run(
					taskOf(ranks, { steps: endless, pause: 1, signal: controller.signal, onProgress, checkpointer: first, log }),
				);
				await first.settle();
				// They are available for the next task, which was not asked to stop.
				expect(whole(await own.run(taskOf(ranks, { steps: 5 })))).toEqual(await alone({ steps: 5 }));
				return whole(results);
			});
			expect([first.last?.iteration, first.lost]).toEqual([stopped.steps, undefined]);
			await first.close();
			const until = stopped.steps + 11;
			const expected = await alone({ steps: until });
			for (const [others, by] of [
				[2, "threads"],
				[1, undefined],
			] as const) {
				const again = await openCheckpointer({ folder, interval: 0, identity });
				const { from } = again;
				const results = await withRanks(others, by, (own) =>
					own.run(taskOf(others, { steps: until, ...(from && { from }) })),
				);
				expect(whole(results)).toEqual(expected);
				await again.close();
			}
		},
	);

	it.skipIf(transport === "mpi" && !hasMpi())(
		"end when one fails, by name, and give the reason to whoever comes next (mpi: needs MPI)",
		async () => {
			const fails = ranks - 1;
			const own = await startRanks(program, { ...choose(1, { ranks, ...(transport && { transport }) }), patience: 20 });
			const error = await own.run(taskOf(ranks, { fails })).catch((reason: unknown) => reason);
			expect((error as Error).message).toMatch(/sprained an ankle/);
			if (transport !== undefined) {
				expect(error).toBeInstanceOf(RankError);
				expect((error as RankError).rank).toBe(fails);
				expect(await own.run(taskOf(ranks)).catch((reason: unknown) => reason)).toEqual(error);
			}
			await own.close();
		},
	);
});

describe("what is no program", () => {
	it("is refused by name", async () => {
		expect(existsSync(new URL(program))).toBe(true);
		for (const name of ["nonsense", "file:///nowhere/at-all.js"]) {
			const own = await startRanks(name, { ...choose(1, { ranks: 2, transport: "threads" }), patience: 5 });
			const error = await own.run(taskOf(2)).catch((reason: unknown) => reason);
			expect((error as Error).message).toMatch(/there is no program|Cannot find module/);
			await own.close();
		}
	});
});

it.skipIf(noProc)("a rank that is lost between two tasks ends them all, named to the next (needs /proc)", async () => {
	process.env.STICKSLIP_TEST_WALK = `${process.pid}.walk`;
	const mark = `STICKSLIP_TEST_WALK=${process.env.STICKSLIP_TEST_WALK}`;
	const own = await startRanks(program, { ...choose(1, { ranks: 2, transport: "zeromq" }), patience: 5 });
	await own.run(taskOf(2));
	const [child] = rankProcesses(mark);
	process.kill(child ?? expect.fail("no process of a rank"), "SIGKILL");
	expect(await soon(() => own.failure !== undefined)).toBe(true);
	expect(own.failure?.message).toMatch(/^rank \d was lost/);
	expect(await own.run(taskOf(2)).catch((reason: unknown) => reason)).toBeInstanceOf(RankError);
	await own.close();
});
