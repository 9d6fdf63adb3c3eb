/** Constants that are planted and found again, and files that are no machines. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FREE, messageSeconds, nextMessageSeconds, wakeUpSeconds } from "./line-costs.js";
import { fitLine, leastSquaresLine } from "./line-fit.js";
import type { RankLoad } from "./loads.js";
import { interpolate, readMachine } from "./machine.js";
import { NETWORKS } from "./networks.js";
import type { Operation } from "./trace.js";
import { fitCostsToSolves, type TimedSolve } from "./use-fit.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-machine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("fits", () => {
	it("find the line that points lie on, and none below zero", () => {
		const line = leastSquaresLine([0, 1, 10, 1000].map((x) => [x, 3 + 0.5 * x]));
		expect(line.at0).toBeCloseTo(3, 10);
		expect(line.slope).toBeCloseTo(0.5, 10);
		const steep = leastSquaresLine([
			[1, 0.1],
			[10, 10],
		]);
		expect(steep.at0).toBe(0);
		expect(steep.slope).toBeGreaterThan(0);
	});

	it("find what an exchange is made of", () => {
		const [exchange, message, number, latency, perByte] = [1e-7, 4e-7, 1e-9, 3e-7, 1e-10];
		const exchanges = [0, 1, 16, 128, 1024].map((blocks) => {
			const side = exchange + (blocks > 0 ? message : 0) + 3 * blocks * number;
			const way = blocks > 0 ? latency + 24 * blocks * perByte : 0;
			// A third of its end the transport takes of the core by itself.
			return { blocks, whole: 2 * side + way, begin: side, finish: (2 / 3) * side, stolen: side / 3 };
		});
		const late = [1e-5, 1e-3].map((work) => ({ work, alone: work }));
		const loops = late.map((loop, i) => ({ ...loop, seconds: loop.work + exchanges[1]!.whole + i * 2e-5 }));
		const reductions = [1, 5, 45].map((numbers) => ({ numbers, seconds: 8e-7 + 2e-9 * numbers }));
		// Further messages take a quarter of what the first takes.
		const several = [4, 16].map((messages) => {
			const side = exchange + message + 3 * number + (messages - 1) * (message / 4);
			return { ...exchanges[1]!, messages, begin: side, finish: (2 / 3) * side, stolen: side / 3 };
		});
		const costs = fitLine({ exchanges, several, reductions, loops }, "doubling");
		expect(nextMessageSeconds(costs)).toBeCloseTo(message / 4, 12);
		const { less } = fitLine({ exchanges, several: [], reductions, loops }, "doubling").begin;
		expect(less).toBe(0);
		for (const end of [costs.begin, costs.finish]) {
			expect(end.exchange).toBeCloseTo(exchange, 12);
			for (const numbers of [3, 100, 3072, 10_000]) {
				expect(messageSeconds(end, numbers)).toBeCloseTo(message + numbers * number, 12);
			}
		}
		expect(costs.within.latency).toBeCloseTo(latency, 12);
		expect(costs.within.perByte).toBeCloseTo(perByte, 14);
		expect(costs.reduction.step).toBeCloseTo(8e-7 - latency, 12);
		expect(costs.reduction.number).toBeCloseTo(2e-9 - 8 * perByte, 14);
		expect(costs.waking.map(({ wait }) => wait)).toEqual([1e-6, 1e-5, 1e-3]);
		expect([1e-6, 1e-5, 1e-4, 1].map((wait) => wakeUpSeconds(costs.waking, wait))).toEqual([
			0,
			expect.closeTo(0, 12),
			expect.closeTo(1e-5, 12),
			expect.closeTo(2e-5, 12),
		]);
	});

	it("find how many times more a solve costs than loops, and what waking a rank of a crowd takes", () => {
		const [talk, own, times, wake] = [10e-6, 4e-6, 1.7, 17e-6];
		const end = { exchange: 0, messages: [{ numbers: 3, seconds: talk }], less: 0 };
		const costs = { ...FREE, begin: end, finish: end };
		const rounds = 40;
		const use = (cores: number, seconds: number): TimedSolve => {
			const other = (rank: number) => Int32Array.of(1 - rank);
			const one = Int32Array.of(1);
			const loads = [0, 1].map((rank): RankLoad => {
				const halo = { width: 3, targets: other(rank), sent: one, sources: other(rank), received: one };
				return { contacts: 1, ghosts: 1, halo, steps: [] };
			});
			const operations = Array.from({ length: rounds }, (): Operation => ({ kind: "product", seconds: 1, numbers: 0 }));
			return { cores, operations, loads, work: { seconds: () => own }, seconds };
		};
		const alone = rounds * (own + 2 * times * talk);
		// On one core two ranks take turns; in a round the one that is ahead waits for the other, and is woken.
		const found = fitCostsToSolves(costs, use(2, alone), use(1, 2 * alone + rounds * wake));
		expect(messageSeconds(found.begin, 3) / talk).toBeCloseTo(times, 6);
		expect(found.crowded.wake / wake).toBeCloseTo(1, 1);
	});
});

describe("machines", () => {
	it("are read from files that are ones", () => {
		const path = (name: string, text: string) => {
			const file = join(folder, name);
			writeFileSync(file, text);
			return file;
		};
		expect(() => readMachine(join(folder, "none.json"))).toThrow("does not exist");
		expect(() => readMachine(path("text.json", "no"))).toThrow("is not JSON");
		expect(() => readMachine(path("other.json", '{"kind":"pile"}'))).toThrow("kind: is not");
		const good = { kind: "machine", version: "1", date: "", node: "", processor: "", cores: 2, memoryGiB: 1 };
		const whole = { ...good, work: [], together: [], lines: {}, measured: {} };
		expect(readMachine(path("good.json", JSON.stringify(whole)))).toEqual(whole);
		expect(() => readMachine(path("cores.json", JSON.stringify({ ...whole, cores: 0 })))).toThrow("cores");
	});

	it("have tables that are read between their points", () => {
		expect([50, 100, 1000, 10_000, 1e6].map((x) => interpolate([100, 10_000], [2, 4], x))).toEqual([2, 2, 3, 4, 4]);
	});

	it("are on networks with a source each", () => {
		expect(new Set(NETWORKS.map(({ name }) => name)).size).toBe(NETWORKS.length);
		for (const { source, between, overhead, gap } of NETWORKS) {
			expect(source).toMatch(/\w+\.\w+\/|\(.*20\d\d\)/);
			expect(between.latency).toBeGreaterThan(2 * overhead - 1e-12);
			expect(gap).toBeGreaterThan(0);
		}
	});
});
