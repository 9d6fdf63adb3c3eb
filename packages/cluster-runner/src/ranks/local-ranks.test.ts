/** Ranks of one process: answers, named failures, and memory that stays with its owner. */
import { Control } from "@stickslip/comm";
import { generate, InputError, type Problem, solve } from "@stickslip/core";
import { assemble, prepare, RankError, type RankResult, type ShareRows } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { describe, expect, it } from "vitest";
import { reasonOf, refusalIn } from "../protocol/refusal.js";
import { solveRanks } from "../solve/solve-ranks.js";
import { startLocalRanks } from "./local-ranks.js";
import { RunEvents } from "./run-events.js";

const problem = generate("spheres", { contacts: 60 });
const prepared = prepare(problem, {});
/** Minutes of work, so that it is not over before something happens to it. */
const endless = prepare(problem, { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: 1e9 });

/** Ranks of one process, and a task for them. */
function crewOf(
	ranks: number,
	change: (rows: ShareRows, rank: number) => ShareRows = (rows) => rows,
	control = Control.create(),
	of = prepared,
) {
	const crew = startLocalRanks({
		program: "solve",
		ranks,
		firstRank: 0,
		threads: ranks,
		link: { kind: "threads" },
		ranksHere: ranks,
		cores: [],
		patienceSeconds: 200,
		control,
	});
	const run = async () => {
		const shares = cutShares(of, ranks);
		const part = (rank: number) => {
			const outline = shares.outline(rank);
			return { part: { outline, rows: change(shares.rows(outline), rank), options: of.options }, buffers: [] };
		};
		return (await crew.start({ part, watch: new RunEvents({ ranks }) }).results) as RankResult[];
	};
	return { crew, run };
}

describe("local ranks", () => {
	it("returns the answer of one rank, task after task, and leaves no thread", async () => {
		const { crew, run } = crewOf(3);
		for (let task = 0; task < 3; task += 1) {
			const { report } = assemble(await run());
			expect(report.hash).toBe(solve(problem).report.hash);
		}
		await crew.close();
		await crew.ended;
	});

	it("refuses what is not a part of the program's, by name", async () => {
		const { crew } = crewOf(2);
		const part = () => ({ part: { outline: 7 }, buffers: [] });
		const error = await crew
			.start({ part, watch: new RunEvents({ ranks: 2 }) })
			.results.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(RankError);
		expect((error as RankError).message).toMatch(/^rank \d failed: received an invalid part of a task$/);
	});

	it.each([0, 1, 2])("names rank %i where it throws, with its error, and ends the others", async (rank) => {
		const damaged = (rows: ShareRows, own: number): ShareRows =>
			own === rank ? { ...rows, operator: { kind: "assembled" } as never } : rows;
		const error = await crewOf(3, damaged)
			.run()
			.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(RankError);
		expect([(error as RankError).rank, (error as RankError).message]).toEqual([
			rank,
			expect.stringMatching(new RegExp(`^rank ${rank} failed: \\S`)),
		]);
	});

	it("ends in the name of a rank that was lost elsewhere, while it works or before", async () => {
		for (const wait of [0, 400]) {
			const control = Control.create();
			const { run } = crewOf(2, undefined, control, endless);
			setTimeout(() => control.abort(7, "was lost (killed by SIGKILL)"), wait);
			const ended = await run().catch((reason: unknown) => reason);
			expect(ended).toBeInstanceOf(RankError);
			expect((ended as RankError).message).toBe("rank 7 was lost (killed by SIGKILL)");
		}
	});
});

describe("bad input that a rank sees", () => {
	it("is the caller's InputError, of a rank that says so and of no other", () => {
		const bad = new InputError("pile.hdf5", "operator", "global has no rows", "use another");
		const told = refusalIn(new RankError(3, reasonOf(bad)));
		expect(told).toBeInstanceOf(InputError);
		expect((told as InputError).message).toBe(bad.message);
		const failed = new RankError(3, reasonOf(new Error("no more ink")));
		expect([refusalIn(failed), failed.message]).toEqual([failed, "rank 3 failed: no more ink"]);
		const cut = new RankError(3, reasonOf(bad).slice(0, 40));
		expect(refusalIn(cut)).toBe(cut);
	});
});

describe("solving on ranks from a program", () => {
	const bytesOf = (of: Problem) => [of.q, of.mu, of.rigid?.frame].map((array) => array?.length);

	it("leaves the caller's problem as it was, also for one rank, which shares its memory", async () => {
		const own = structuredClone(problem);
		for (const ranks of [1, 2]) {
			const { report } = await solveRanks(own, { ranks, transport: "threads" });
			expect(report).toMatchObject({ ranks, transport: "threads", hash: solve(problem).report.hash });
			expect(bytesOf(own)).toEqual(bytesOf(problem));
		}
		expect(own).toEqual(problem);
	});

	it.each(["threads", "zeromq"] as const)("tells of progress and stops on request, over %s", async (transport) => {
		const hard = generate("planks", { contacts: 1500 });
		const controller = new AbortController();
		const seen: number[] = [];
		const { report } = await solveRanks(hard, {
			ranks: 2,
			transport,
			tolerance: 1e-300,
			maxIterations: 1e9,
			method: "pqn-diagonal",
			signal: controller.signal,
			onProgress: ({ iterations }) => {
				seen.push(iterations);
				if (seen.length === 3) controller.abort();
			},
		});
		expect(report).toMatchObject({ status: "cancelled", ranks: 2, transport });
		expect(seen.length).toBeGreaterThanOrEqual(3);
		expect(report.iterations).toBeGreaterThanOrEqual(seen[2] ?? 0);
	});

	it("that was asked to stop before it begins returns the start", async () => {
		const { report } = await solveRanks(problem, { ranks: 2, tolerance: 1e-14, signal: AbortSignal.abort() });
		expect(report.status).toBe("cancelled");
	});
});
