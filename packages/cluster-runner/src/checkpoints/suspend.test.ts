/** Solves that are stopped while ranks work, again and again and each time resumed on other ranks, end with the bits of the uninterrupted one. */
import { readdirSync } from "node:fs";
import { findMpi, findMpirun } from "@stickslip/comm";
import { generate, Random, type SolveOptions, solve } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import type { RankOptions } from "../ranks/choose.js";
import { STOP_WITHOUT_CHECKPOINT } from "../ranks/ranks.js";
import { solveRanks } from "../solve/solve-ranks.js";
import { essence, memoryLog, Playground } from "../testing/checkpoints.js";
import { openCheckpointer } from "./checkpointer.js";
import { solveIdentity } from "./identity.js";

const play = new Playground();
afterAll(() => play.remove());

const problem = generate("planks", { contacts: 1500 });
const MOST = 2000;
const options: SolveOptions = { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: MOST, history: true };

const ways: readonly RankOptions[] = [
	{ ranks: 1 },
	{ ranks: 2, transport: "threads" },
	{ ranks: 3, transport: "zeromq" },
	{ ranks: 4, transport: "threads+zeromq" },
	{ ranks: 5, transport: "threads" },
];

/** Why MPI is not available. */
function lackOfMpi(): string | undefined {
	const library = findMpi();
	if (library === undefined) return "there is no MPI library";
	return findMpirun(library.kind) === undefined ? `there is no mpirun for ${library.path}` : undefined;
}

const lack = lackOfMpi();

/** Stops after this many iterations, as SIGTERM would. */
async function stoppedAt(folder: string, way: RankOptions, iterations: number, reason?: string) {
	const log = memoryLog();
	const checkpointer = await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options), log });
	const begun = checkpointer.from?.iteration ?? 0;
	const controller = new AbortController();
	const { report } = await solveRanks(problem, {
		...options,
		...way,
		checkpointer,
		log,
		signal: controller.signal,
		onProgress: (now) => {
			if (now.iterations - begun >= iterations) controller.abort(reason);
		},
	});
	await checkpointer.close();
	return { report, checkpointer, begun, log };
}

describe("a solve that is stopped", () => {
	const undisturbed = essence(solve(problem, options).report);

	const seeds = Array.from({ length: Number(process.env.STICKSLIP_ROUNDS ?? 1) }, (_, seed) => seed);

	it.each(seeds)("by seed %i, several times, each time on other ranks", async (seed) => {
		const random = new Random(seed);
		const folder = play.folder();
		let last = 0;
		for (let stops = 0; stops < 3; stops += 1) {
			const way = ways[(seed + stops) % ways.length]!;
			const { report, checkpointer, begun } = await stoppedAt(folder, way, 1 + random.below(300));
			expect(begun).toBe(last);
			expect([report.status, checkpointer.suspended, checkpointer.last?.iteration]).toEqual([
				"cancelled",
				true,
				report.iterations,
			]);
			expect(report.iterations).toBeGreaterThan(last);
			last = report.iterations;
		}
		expect(last).toBeLessThan(MOST);
		const { report, checkpointer } = await stoppedAt(
			folder,
			ways[random.below(ways.length)]!,
			Number.POSITIVE_INFINITY,
		);
		expect(essence(report)).toEqual(undisturbed);
		expect(checkpointer.suspended).toBe(false);
		expect(readdirSync(folder).length).toBe(2);
		await checkpointer.remove();
		expect(readdirSync(folder)).toEqual([]);
	});

	it.skipIf(lack !== undefined)(`over MPI and goes on without it (skipped where ${lack ?? "it is not"})`, async () => {
		const folder = play.folder();
		const stopped = await stoppedAt(folder, { ranks: 2, transport: "threads+mpi", processes: 1 }, 1);
		expect([stopped.report.status, stopped.checkpointer.suspended]).toEqual(["cancelled", true]);
		const { report } = await stoppedAt(folder, { ranks: 1 }, Number.POSITIVE_INFINITY);
		expect(essence(report)).toEqual(undisturbed);
	});

	it("before its ranks iterate, with a checkpoint of all of them", async () => {
		for (const way of ways.slice(1, 3)) {
			const folder = play.folder();
			const checkpointer = await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options) });
			const { report } = await solveRanks(problem, { ...options, ...way, checkpointer, signal: AbortSignal.abort() });
			await checkpointer.close();
			expect([report.status, checkpointer.suspended, checkpointer.last?.iteration]).toEqual(["cancelled", true, 0]);
			expect(
				(await openCheckpointer({ folder, interval: 0, identity: solveIdentity(problem, options) })).from?.spaces.blocks
					?.count,
			).toBe(problem.contacts);
		}
	});

	it("at once, without a checkpoint, where that is asked for", async () => {
		for (const way of ways.slice(0, 2)) {
			const folder = play.folder();
			const { report, checkpointer } = await stoppedAt(folder, way, 1, STOP_WITHOUT_CHECKPOINT);
			expect([report.status, checkpointer.suspended, readdirSync(folder)]).toEqual(["cancelled", false, []]);
		}
	});
});
