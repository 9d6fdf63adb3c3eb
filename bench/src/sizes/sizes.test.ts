/** Sizes: exponents of known powers, targets that are missed, and a pile of either motion. */
import { describe, expect, it } from "vitest";
import { exponent, missed, type Row, TARGETS } from "./growth.js";
import { measure, summary } from "./main.js";

const row = (contacts: number, seconds: number, over: Partial<Row> = {}): Row => ({
	...{ pile: "planks", motion: "moving", contacts, seed: 3, method: "auto", tolerance: 1e-3 },
	...{ status: "solved", iterations: 10, products: 10, seconds, processor: seconds, energy: 1e-4, ...over },
});

describe("growth", () => {
	it("finds the exponent of a power, and none of one size", () => {
		const points = [1, 10, 100].map((n) => [n, 3 * n ** 1.25] as const);
		expect(exponent(points)).toBeCloseTo(1.25, 12);
		expect(exponent([[10, 1]])).toBeUndefined();
	});

	it("tells each target that is missed, and none that is held", () => {
		const [planks, , spheres] = TARGETS;
		const grown = (power: number) => [1e3, 1e4, 1e5].map((n) => row(n, 1e-6 * n ** power));
		expect(missed(planks!, grown(1.2))).toEqual([]);
		expect(missed(planks!, grown(1.4))).toEqual([
			"planks, moving: processor time to 1e-3 grows with exponent 1.40, above 1.3",
		]);
		const heap = row(10_000, 1, { pile: "spheres", products: 700, status: "stalled" });
		expect(missed(spheres!, [heap])).toEqual([
			"spheres, moving: 1 of 1 not solved to 1e-3",
			"spheres, moving: 700 sweeps to 1e-3 at 10000 contacts, seed 3, above 600",
		]);
	});
});

describe("measure", () => {
	it("solves to one tolerance after the other, and what is known is not measured again", () => {
		const done: Row[] = [];
		const limits = { iterations: 1000, seconds: 60 };
		const rows = measure("planks", "settled", 60, 3, "auto", limits, [], (one) => done.push(one));
		expect(rows.map(({ status }) => status)).toEqual(["solved", "solved", "solved"]);
		for (const { energy, tolerance } of rows) expect(energy).toBeLessThanOrEqual(tolerance);
		expect(done).toEqual(rows);
		expect(measure("planks", "settled", 60, 3, "auto", limits, rows, (one) => done.push(one))).toEqual(rows);
		expect(done.length).toBe(3);
		expect(summary(rows)).toHaveLength(3);
	});

	it("begins a next step where the last one ended", () => {
		const limits = { iterations: 1000, seconds: 60 };
		const [fromZero, fromLast] = (["settled", "last step"] as const).map((motion) => {
			const rows = measure("spheres", motion, 100, 3, "proximal-gauss-seidel", limits);
			expect(rows[0]!.status).toBe("solved");
			return rows[0]!.products;
		});
		expect(fromLast).toBeLessThan(fromZero!);
	});
});
