/** Each bench at a tiny size, so that none breaks unnoticed. */
import { generate, solve } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { colouringOf, sweepRatios, verdict } from "./colours.js";
import { reach, summary } from "./defaults.js";
import { type History, runAgain } from "./golden.js";
import { measure } from "./memory.js";
import { mutate } from "./mutations/mutations.js";
import { READERS } from "./mutations/readers.js";
import { cost, sweepsTo } from "./sweeps.js";
import {
	type Row as ProximalRow,
	sweepsTo as proximalSweepsTo,
	verdict as proximalVerdict,
	spreadOf,
} from "./sweeps-proximal.js";

describe("golden", () => {
	const problem = generate("spheres", { contacts: 100 });
	const start = new Float64Array(3 * problem.contacts);
	const guessed = { ...problem, guesses: [{ r: start }] };
	const given = { delta: 0.01, epsilon: 0.25, m: 10, omega: 1e-10 };
	const run = (tolerance: number, maxIterations: number) =>
		solve(problem, {
			method: "pqn",
			measure: "merit",
			tolerance,
			maxIterations,
			history: true,
			set: { scaling: "none", ...given },
		}).report;
	// The best merit of six iterations is the target: it is reached in units that this form of the method does not like, too.
	const target = Math.min(...(run(0, 6).history ?? []));
	const report = run(target, 6);
	const history = (merits: readonly number[]): History => ({
		problem: "heap",
		golden: true,
		pqn: {
			...given,
			delta_absolute: 1,
			merit_target: target,
			iterations: merits.length,
			failed: false,
			merit_history: merits,
			products_history: merits.map((_, k) => (k === merits.length - 1 ? report.products : 0)),
		},
	});

	it("holds where counts and merits are the same, and only there", () => {
		const merits = report.history ?? [];
		expect(merits.length).toBeGreaterThan(1);
		expect(runAgain(guessed, history(merits), false)).toMatchObject({ held: true, difference: 0 });
		const off = merits.map((merit, k) => (k === 1 ? 1.00001 * merit : merit));
		expect(runAgain(guessed, history(off), false).held).toBe(false);
		expect(runAgain(guessed, history(merits.slice(0, -1)), false).held).toBe(false);
		expect(runAgain(guessed, history(merits), true).held).toBe(false);
	});
});

describe("memory", () => {
	it("keeps the allowances at 3,000 contacts already", () => {
		for (const { what, bytesPerContact, bytesMax } of measure(3000)) {
			expect(bytesPerContact, what).toBeGreaterThan(0);
			if (bytesMax !== "") expect(bytesPerContact, what).toBeLessThanOrEqual(bytesMax);
		}
	});
});

describe("defaults", () => {
	it("tells what was reached and what was not", () => {
		const problem = generate("spheres", { contacts: 100 });
		const row = reach(problem, { measure: "energy", tolerance: 1e-4 }, 10);
		expect(row).toMatchObject({ status: "solved", goal: "energy 1e-4" });
		expect(row.energy).toBeLessThanOrEqual(1e-4);
		const missed = { ...row, problem: "other", status: "stalled", energy: 0.1, seconds: 11 };
		expect(summary([row, missed]).slice(1, 4)).toEqual([
			expect.stringMatching(
				/^energy 1e-4: 1 of 2 solved, \d+\.\d products in the geometric mean, the longest in 11.00 s$/,
			),
			"    other: stalled at energy 1.0e-1",
			"    over 10 s: other 11.0 s",
		]);
	});
});

describe("colours", () => {
	const problem = generate("planks", { contacts: 100 });

	it("counts colours against the bound, by the pattern and by bodies", () => {
		for (const operator of ["assembled", "matrix-free"] as const) {
			const row = colouringOf(problem, operator);
			expect(row.ratio).toBeGreaterThanOrEqual(1);
			expect(row.ratio).toBe(row.colours / row.bound);
			expect(row["least of mean"]).toBeLessThanOrEqual(1);
			expect(row["most of mean"]).toBeGreaterThanOrEqual(1);
		}
	});

	it("compares sweeps of two orders, and tells a promise that was not kept", () => {
		const [row, tight] = sweepRatios(problem, 0, [1e-2, 1e-3], [1, 2]);
		if (row === undefined || tight === undefined) throw new Error("no row for a tolerance");
		expect(tight.coloured).toBeGreaterThanOrEqual(row.coloured);
		expect(row.ratio).toBe(row.coloured / row.shuffled);
		const kept = { ...row, ratio: 1.2, reached: "yes" } as const;
		expect(verdict([], [kept])).toEqual([]);
		expect(verdict([], [kept, { ...kept, problem: "slow", ratio: 1.4 }])).toEqual([
			"slow: 1.40 times the sweeps of the shuffled order, window 0, natural 1e-2",
		]);
		const many = { ...colouringOf(problem, "assembled"), problem: "many", colours: 13, bound: 10, ratio: 1.3 };
		expect(verdict([many], [])).toEqual(["many, assembled: 13 colours, 1.30 times the bound of 10"]);
	});
});

describe("sweeps", () => {
	const problem = generate("planks", { contacts: 100 });

	it("counts sweeps by tolerance", () => {
		const [loose = 0, tight = 0] = sweepsTo(problem, { order: "coloured" }, [1e-2, 1e-4]);
		expect(loose).toBeGreaterThan(0);
		expect(tight).toBeGreaterThanOrEqual(loose);
	});

	it("costs something", () => {
		expect(cost(problem, { operator: "matrix-free", order: "file" })).toBeGreaterThan(0);
	});
});

describe("mutations", () => {
	it("reads or refuses, and tells which input is neither", async () => {
		const readers = READERS.filter(({ name }) => name === "wire" || name === "capsule");
		const rows = await mutate(readers, 0.002, 1, () => {});
		expect(rows.map(({ inputs, held }) => [inputs, held])).toEqual([
			[200, "yes"],
			[420, "yes"],
		]);
		const [none] = await mutate([{ ...readers[0]!, name: "none" }], 0.001, 1, () => {});
		expect(none).toMatchObject({ held: "NO", why: expect.stringContaining("there is no reader none") });
	});
});

describe("sweeps-proximal", () => {
	it("counts sweeps, of which one that is not enough is as many as allowed", () => {
		const problem = generate("planks", { contacts: 100 });
		const [loose, tight] = proximalSweepsTo(problem, "energy", [1e-2, 1e-14], { seed: 2 }, 40);
		expect(loose).toMatchObject({ solved: true });
		expect(tight).toEqual({ sweeps: 40, solved: false });
		const spread = spreadOf([
			{ sweeps: 10, solved: true },
			{ sweeps: 40, solved: false },
		]);
		expect(spread).toEqual({ mean: expect.closeTo(20), least: 10, most: 40, solved: 1 });
	});

	it("tells a figure that is not held", () => {
		const row: ProximalRow = {
			problem: "one",
			contacts: 1,
			tolerance: "natural 1e-4",
			seeds: 1,
			solved: 1,
			sweeps: 1,
			least: 1,
			most: 1,
			published: 2,
			ratio: 0.5,
		};
		const other = { ...row, problem: "other", ratio: 2.1 };
		expect(proximalVerdict([row, { ...row, published: "", ratio: "" }])).toMatchObject({ held: true });
		const { line, held } = proximalVerdict([row, other]);
		expect(held).toBe(false);
		expect(line).toMatch(/^1\.02 times .* worst 2\.10 .*\(other to natural 1e-4\)$/);
	});
});
