/** Scaling whose factors can be worked out by hand. */
import { describe, expect, it } from "vitest";
import type { Sample, Values } from "../study/sample.js";
import { FACTORS, scalingOf } from "./scaling.js";
import { scalingPage, scalingRecords, scalingText } from "./scaling-page.js";
import { verdictOf, warningsOf } from "./verdict.js";

const made = {
	...{ version: "1", node: "20", host: "h", processor: "p", cores: 4, platform: "linux", date: "", probe: 2 },
	others: 0,
};
const rank = (compute: number, wait = 0, reduce = 0): Values => ({ compute, pack: 0, wait, reduce });

function sample(ranks: number, seconds: number, perRank: readonly Values[], more: Partial<Sample> = {}): Sample {
	const values = {
		seconds,
		contacts: 1000,
		iterations: 10,
		exchanges: 20,
		reductions: 10,
		bytes: 80_000,
		messages: 20,
	};
	return {
		axes: { problem: "pile", method: "auto", transport: ranks === 1 ? "none" : "threads", ranks },
		...{ round: 0, status: "solved", reason: "", hash: "x", values, perRank, made, ...more },
	};
}

/** One rank takes 8 s. Of two, one computes 4 s and the other 4.2; both take 5 s. */
const samples = [
	sample(1, 8, [rank(8)]),
	sample(1, 9, [rank(9)], { round: 1 }),
	sample(2, 5, [rank(4, 0.8, 0.2), rank(4.2, 0.5, 0.3)]),
];
const around = { kind: "strong", cores: 4 } as const;

describe("scaling", () => {
	it("is the product of its factors", () => {
		const [group] = scalingOf(samples);
		const [one, two] = group!.rows.map(({ measured }) => measured!);
		expect([group!.baseline, one!.seconds, one!.spread, one!.rounds]).toEqual([1, 8, 0.125, 2]);
		expect(one!.against).toMatchObject({ speedup: 1, efficiency: 1, product: 1 });
		const { speedup, efficiency, factors, product } = two!.against!;
		expect([speedup, efficiency]).toEqual([1.6, 0.8]);
		// 4.1 of 4.2 s; the rank that waits least waits 0.8 s of 5; 4.2 of the other 4.2; 8 s computed instead of 8.2.
		expect(factors.loadBalance).toBeCloseTo(4.1 / 4.2, 12);
		expect(factors.transfer).toBeCloseTo(4.2 / 5, 12);
		expect(factors.serialisation).toBeCloseTo(1, 12);
		expect(factors.iterations).toBe(1);
		expect(factors.computation).toBeCloseTo(8 / 8.2, 12);
		expect(product).toBeCloseTo(efficiency, 12);
		expect(two!.against!.parallel).toBeCloseTo((4.1 / 4.2) * (4.2 / 5), 12);
		expect(FACTORS.reduce((all, name) => all * factors[name], 1)).toBe(product);
	});

	it("counts work where the problem grows, and does not hide iterations", () => {
		const grown = sample(2, 16, [rank(15, 1), rank(16)]);
		const weak = [samples[0]!, { ...grown, values: { ...grown.values, contacts: 2000, iterations: 20 } }];
		const { against } = scalingOf(weak)[0]!.rows[1]!.measured!;
		expect(against!.efficiency).toBe(0.5);
		expect(against!.factors.iterations).toBe(0.5);
		expect(against!.factors.computation).toBeCloseTo(32 / 31, 12);
		expect(against!.product).toBeCloseTo(0.5, 12);
		expect(verdictOf(scalingOf(weak)[0]!.rows[1]!, around)).toMatch(
			/50.0 % efficient; most is lost by iterations \(50.0 %\): 20.0/,
		);
	});

	it("of steps has the efficiency of their solves beside it", () => {
		const steps = (one: Sample, solve: number): Sample => ({
			...one,
			values: { ...one.values, steps: 10 },
			perRank: one.perRank!.map((values) => ({ ...values, compute: 10 * values.compute!, solve: 10 * solve })),
		});
		const { rows } = scalingOf([steps(samples[0]!, 6), steps(samples[2]!, 4)])[0]!;
		expect(rows[1]!.measured!.against!.solveEfficiency).toBeCloseTo(0.75, 12);
		const slow = (one: Sample, detect: number) => ({
			...steps(one, 2),
			perRank: one.perRank!.map((values) => ({ ...values, compute: 80, detect, solve: 20 })),
		});
		const [, two] = scalingOf([slow(samples[0]!, 60), slow(sample(2, 8, [rank(8), rank(8)]), 50)])[0]!.rows;
		expect(verdictOf(two!, around)).toMatch(
			/computation \(50.0 %\): .*, most of it in detect, 5.00 s of a step instead of 3.00 s/,
		);
	});

	it("names the largest loss, and says where the factors do not explain it", () => {
		const [, two] = scalingOf(samples)[0]!.rows;
		expect(verdictOf(two!, around)).toMatch(
			/80.0 % efficient; most is lost by transfer \(16.0 %\): 2.00 exchanges, 1.00 reductions and 8.00 kB/,
		);
		const late = scalingOf([samples[0]!, sample(2, 6, [rank(2, 4), rank(6)])])[0]!.rows[1]!;
		expect(verdictOf(late, around)).toMatch(/most is lost by load balance \(33.3 %\): rank/);
		const disturbed = scalingOf([samples[0]!, sample(2, 8, [rank(4), rank(4)])])[0]!.rows[1]!;
		expect(verdictOf(disturbed, around)).toMatch(/the factors multiply to 100.0 %, times were disturbed/);
	});

	it("says in the cell what makes it worth less", () => {
		const told = (more: Partial<Sample["made"]>, cores = 4) =>
			verdictOf(scalingOf([samples[0]!, { ...samples[2]!, made: { ...made, ...more } }])[0]!.rows[1]!, {
				...around,
				cores,
			});
		expect(told({})).toMatch(/of an iteration$/);
		expect(told({ others: 1.5 })).toMatch(/; other programs kept 1.50 cores busy$/);
		expect(told({ probe: 4 })).toMatch(/; the clock was 0.500 times as fast as with the baseline$/);
		expect(told({}, 1)).toMatch(/; 2 ranks share 1 core$/);
		expect(told({}, 1.5)).toMatch(/; 2 ranks share 1.50 cores$/);
		const [one] = scalingOf(samples)[0]!.rows;
		expect(verdictOf(one!, { ...around, cores: 0.5 })).toBe("the baseline; one rank has 0.500 cores");
		const late = scalingOf([samples[2]!, sample(4, 4, [rank(4)])])[0]!.rows[1]!;
		expect(verdictOf(late, around)).toMatch(/efficient against 2 ranks/);
	});

	it("says what is missing or differs: baselines, cores, cells, answers", () => {
		const failed = { status: "failed", reason: "pile: ranks: 8 ranks for 5 contacts", hash: "", values: {} };
		const { perRank: _, ...lost } = sample(8, 1, []);
		const [group] = scalingOf([samples[2]!, sample(4, 4, [rank(2)], { hash: "y" }), { ...lost, ...failed }]);
		expect(warningsOf(group!, { kind: "strong", cores: 2 })).toEqual([
			"pile, auto: 8 ranks over threads failed: pile: ranks: 8 ranks for 5 contacts",
			"pile, auto: one rank was not measured: efficiency is against 2 ranks",
			"pile, auto: 4, 8 ranks share 2 cores: they say nothing about scaling",
			"pile, auto: the answers differ: 2 hashes where there should be one",
		]);
		const [alone] = scalingOf(samples.slice(0, 2));
		expect(warningsOf(alone!, { kind: "strong", cores: 1 })).toEqual([
			"pile, auto: only 1 rank measured: there is nothing to compare, 1 core can be used here",
		]);
		const [none] = scalingOf([{ ...lost, ...failed }]);
		expect(warningsOf(none!, around).join()).toMatch(/no cell could be measured/);
		expect(verdictOf(none!.rows[0]!, around)).toMatch(/^failed: pile/);
	});

	it("is told as text, as a page and as records, whatever is missing", () => {
		const { perRank: _, ...lost } = sample(8, 1, []);
		const groups = scalingOf([...samples, { ...lost, status: "failed", reason: "<lost>", hash: "", values: {} }]);
		const text = scalingText(groups, around).join("\n");
		expect(text).toMatch(/^2 threads +5.00 +0.0 % +1.60 +80.0 %/m);
		expect(text).toMatch(/^8 threads +failed$/m);
		const { sections, warnings } = scalingPage(groups, around);
		expect(sections[0]!.plots!.map(({ title }) => title)).toEqual(["Speed-up", "Efficiency"]);
		expect(warnings.join()).toContain("<lost>");
		const records = scalingRecords(groups, around);
		expect(records.map(({ status, speedup }) => [status, speedup])).toEqual([
			["solved", 1],
			["solved", 1.6],
			["failed", undefined],
		]);
	});
});
