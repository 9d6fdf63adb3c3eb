/** Replays of traces that can be worked out by hand, and loads and traces of a real solve. */
import { generate } from "@stickslip/core";
import { prepare } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { describe, expect, it } from "vitest";
import { forecast } from "./forecast.js";
import { FREE, type LineCosts } from "./line-costs.js";
import { loadsOf, type RankLoad, summaryOf } from "./loads.js";
import { networkOf } from "./networks.js";
import { clusterPlatform, measuredPlatform } from "./platform.js";
import { recordShare, recordSolve } from "./record-trace.js";
import { dissemination, doubling, type ReductionStep } from "./reductions.js";
import { latticeOf, tileLoads } from "./tile-graph.js";
import { type Operation, operationsOf, type TraceEvent, totalsOf } from "./trace.js";
import { type ShareSize, sampledWork, workOnAllCores } from "./work.js";

const STILL = { mean: 0, seed: 1 };
const local = (seconds: number): Operation => ({ kind: "local", seconds, numbers: 0 });
const reduce = (numbers: number): Operation => ({ kind: "reduce", seconds: 0, numbers });
const none = new Int32Array(0);
const TWICE = { least: 2, seconds: 0 };

/** Two ranks with so many contacts, that send each other `blocks`. */
function pair(contacts: readonly [number, number], blocks: number): RankLoad[] {
	return contacts.map((count, rank) => {
		const other = Int32Array.of(1 - rank);
		const messages = { width: 3, targets: other, sent: Int32Array.of(blocks), sources: other };
		const halo = { ...messages, received: Int32Array.of(blocks) };
		return {
			contacts: count,
			ghosts: blocks,
			halo,
			steps: [{ interior: count / 2, boundary: count / 2, passed: halo }],
		};
	});
}

const perContact = { seconds: (_: number, { contacts }: ShareSize) => contacts * 1e-6 };

const lineOf = (first: number, each: number) =>
	[3, 3000].map((numbers) => ({ numbers, seconds: first + each * numbers }));

describe("forecasts", () => {
	it("of balanced ranks on a network that costs nothing lose nothing", () => {
		const platform = measuredPlatform(2, 2, FREE);
		const operations = [local(1), reduce(5), local(1)];
		const found = forecast({ operations, loads: pair([100, 100], 10), work: perContact, platform, jitter: STILL });
		expect(found).toMatchObject({ parallel: 1, loadBalance: 1, serialisation: 1, transfer: 1 });
		expect(found.seconds).toBeCloseTo(2e-4, 15);
	});

	it("find the factors of an uneven pair whose exchange takes as long as its work", () => {
		const within = { latency: 200e-6, perByte: 0 };
		const platform = measuredPlatform(2, 2, { ...FREE, within });
		const operations: Operation[] = [{ kind: "product", seconds: 1, numbers: 0 }, local(1)];
		const found = forecast({ operations, loads: pair([300, 100], 10), work: perContact, platform, jitter: STILL });
		// 300 us of work hide the 200 us on the way, then 300 us more; the other rank waits for its message from 100 to 200 us.
		expect(found.seconds).toBeCloseTo(600e-6, 12);
		expect(found.loadBalance).toBeCloseTo(2 / 3, 12);
		expect(found.parallel).toBeCloseTo(2 / 3, 12);
		expect(found.loadBalance * found.serialisation * found.transfer).toBeCloseTo(found.parallel, 12);
	});

	it("count what packing and posting cost the cores, and what other hosts cost more", () => {
		const costs: LineCosts = {
			...FREE,
			begin: { exchange: 1e-6, messages: lineOf(2e-6, 1e-9), less: 0 },
			finish: { exchange: 3e-6, messages: lineOf(4e-6, 2e-9), less: 0 },
		};
		const operations: Operation[] = [{ kind: "product", seconds: 1, numbers: 0 }];
		const loads = pair([100, 100], 10);
		const of = { operations, loads, work: perContact, jitter: STILL };
		const here = forecast({ ...of, platform: measuredPlatform(2, 2, costs) });
		expect(here.seconds).toBeCloseTo(100e-6 + 10e-6 + 30 * 3e-9, 12);
		const network = { ...networkOf("omnipath-2017")!, overhead: 5e-6, between: { latency: 12e-6, perByte: 0 }, gap: 0 };
		const apart = forecast({ ...of, platform: clusterPlatform(2, 1, costs, network) });
		// Of 5 us each message has 3 us already, with three numbers to pack; work hides the 2 us that the latency leaves.
		expect(apart.seconds - here.seconds).toBeCloseTo(2 * (2e-6 - 4.5e-9), 12);
	});

	it("let triangles wait for each of their exchanges, and sweeps work meanwhile", () => {
		const within = { latency: 20e-6, perByte: 0 };
		const platform = measuredPlatform(2, 2, { ...FREE, within });
		const [one, two] = pair([100, 100], 10).map((load) => ({ ...load, steps: [...load.steps, ...load.steps] }));
		const of = { loads: [one!, two!], work: perContact, platform, jitter: STILL };
		const seconds = (kind: "sweep" | "triangle") =>
			forecast({ ...of, operations: [{ kind, seconds: 1, numbers: 0 }] }).seconds;
		// Steps of 50 contacts without ghosts and 50 with them.
		expect(seconds("sweep")).toBeCloseTo(200e-6, 12);
		expect(seconds("triangle")).toBeCloseTo(200e-6 + 20e-6, 12);
	});

	it("of reductions take a step for each binary digit", () => {
		const within = { latency: 1e-6, perByte: 0 };
		for (const [size, steps] of [
			[2, 1],
			[8, 3],
			// The ninth hands its number to the first, which is a step late for the others and early for the ninth.
			[9, 4],
			[64, 6],
		] as const) {
			const costs: LineCosts = { ...FREE, within, reduction: { name: "doubling", step: 2e-6, number: 0 } };
			const one = pair([1, 1], 0)[0]!;
			const alone = {
				...one,
				halo: { ...one.halo, targets: none, sources: none, sent: none, received: none },
				steps: [],
			};
			const loads = Array.from({ length: size }, () => alone);
			const platform = measuredPlatform(size, size, costs);
			const found = forecast({ operations: [reduce(5)], loads, work: perContact, platform, jitter: STILL });
			expect(found.seconds).toBeCloseTo(steps * 3e-6, 12);
		}
	});
});

/** What every rank has after a reduction in which each begins with its own number: how often each number counts. */
function reduced(stepsOf: (rank: number, size: number) => ReductionStep[], size: number): void {
	const sent = new Map<string, number>();
	const received = new Map<string, number>();
	const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
	for (let rank = 0; rank < size; rank += 1) {
		for (const { to, from } of stepsOf(rank, size)) {
			if (to !== undefined) count(sent, `${rank}-${to}`);
			if (from !== undefined) count(received, `${from}-${rank}`);
		}
	}
	expect(received).toEqual(sent);
}

describe("reductions", () => {
	it("receive what is sent, for any number of ranks", () => {
		for (let size = 1; size <= 33; size += 1) {
			reduced(doubling, size);
			reduced(dissemination, size);
		}
	});
});

describe("traces", () => {
	const exchange = (of: number): TraceEvent => ({ what: "exchange", of, before: 1, during: 2 });

	it("tell products, sweeps and triangles apart, and keep all seconds", () => {
		const events: TraceEvent[] = [
			exchange(0),
			...[exchange(0), exchange(1), exchange(1)],
			{ what: "reduce", of: 5, before: 1, during: 0 },
			...[exchange(1), exchange(1)],
		];
		const operations = operationsOf(events, 3, 2);
		const kinds = operations.map(({ kind }) => kind);
		expect(kinds).toEqual(["local", "product", "local", "sweep", "local", "reduce", "local", "triangle"]);
		expect(operations.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(6 * 3 + 1);
		expect(() => operationsOf([exchange(2)], 3, 2)).toThrow("more than its halo");
	});

	it("of shares do what the whole solve does, and all of their contacts are there", () => {
		const problem = generate("spheres", { contacts: 300, seed: 3 });
		const backwards = { symmetric: "yes", operator: "matrix-free" };
		for (const [method, set] of [["gauss-seidel"], ["pqn-diagonal"], ["pqn"], ["sor", backwards]] as const) {
			const prepared = prepare(problem, { method, set: set ?? {}, tolerance: 1e-3, maxIterations: 12 });
			const solve = recordSolve(prepared, cutShares(prepared, 1), TWICE);
			const shares = cutShares(prepared, 5);
			const loads = loadsOf(shares);
			const traces = loads.map((_, rank) => recordShare(prepared, shares, rank, solve, TWICE)!);
			for (const [rank, trace] of traces.entries()) {
				const kinds = trace.operations.map(({ kind }) => kind);
				expect(kinds).toEqual(solve.trace.operations.map(({ kind }) => kind));
				expect(trace.contacts).toBe(loads[rank]!.contacts);
				const { steps } = loads[rank]!;
				expect(steps.reduce((sum, { interior, boundary }) => sum + interior + boundary, 0)).toBe(trace.contacts);
			}
			expect(summaryOf(loads).contactsMean * 5).toBe(problem.contacts);
			const totals = totalsOf(solve.trace.operations);
			expect(totals.sweep.count > 0).toBe(method === "gauss-seidel" || method === "sor");
			expect(totals.product.count).toBeGreaterThan(0);
		}
	});
});

describe("sampled work", () => {
	const trace = (contacts: number, seconds: number) => ({
		...{ problem: "", method: "", operator: "", status: "", iterations: 1, steps: 1 },
		contacts,
		operations: [local(seconds)],
	});

	it("takes longer where all cores are at work, by no more than larger shares do", () => {
		const together = [
			{ method: "a", contacts: 100, ratio: 1.2 },
			{ method: "a", contacts: 1000, ratio: 1 },
			{ method: "a", contacts: 10_000, ratio: 1.1 },
			{ method: "b", contacts: 100, ratio: 3 },
		];
		const work = workOnAllCores({ seconds: () => 1 }, "a", { together });
		const seconds = [50, 1000, 10_000, 1e6].map((contacts) => work.seconds(0, { contacts, ghosts: 0 }));
		expect(seconds).toEqual([1, 1, 1.1, 1.1]);
	});

	const sample = (contacts: number, ghosts: number, seconds: number) => ({
		share: { contacts, ghosts },
		trace: trace(contacts, seconds),
	});

	it("grows with contacts and ghosts as it does in the samples", () => {
		const [each, ghost] = [2e-3, 5e-4];
		const samples = [100, 200, 150, 400].map((contacts, i) =>
			sample(contacts, 90 * (i + 1), contacts * each + 90 * (i + 1) * ghost),
		);
		const work = sampledWork(samples, 100);
		expect(work.seconds(0, { contacts: 1000, ghosts: 0 })).toBeCloseTo(2, 9);
		expect(work.seconds(0, { contacts: 1000, ghosts: 600 })).toBeCloseTo(2.3, 9);
		expect(sampledWork([sample(100, 0, 1)], 3).seconds(0, { contacts: 50, ghosts: 20 })).toBeCloseTo(0.5, 12);
	});

	it("is that of the share itself where all are timed", () => {
		const samples = [sample(100, 10, 3), sample(101, 10, 1)];
		const work = sampledWork(samples, 2);
		expect(samples.map(({ share }) => work.seconds(0, share))).toEqual([3, 1]);
	});
});

describe("graphs of tiles", () => {
	it("have lattices of as many ranks, near to cubes", () => {
		expect(latticeOf(64)).toEqual([4, 4, 4]);
		expect(latticeOf(1024)).toEqual([8, 8, 16]);
		expect(latticeOf(7)).toEqual([1, 1, 7]);
	});

	it("send what is received, in each step, and have all contacts", () => {
		const loads = tileLoads({ ranks: 24, contacts: 4096, tileContacts: 64, layers: 1.5 });
		for (const list of [
			loads.map(({ halo }) => halo),
			...Array.from({ length: 8 }, (_, k) => loads.map(({ steps }) => steps[k]!.passed)),
		]) {
			for (const [rank, { targets, sent }] of list.entries()) {
				for (const [i, other] of targets.entries()) {
					const at = list[other]!.sources.indexOf(rank);
					expect(list[other]!.received[at]).toBe(sent[i]);
				}
			}
		}
		for (const { steps, contacts } of loads) {
			expect(steps.reduce((sum, { interior, boundary }) => sum + interior + boundary, 0)).toBeCloseTo(contacts, 6);
		}
	});
});
