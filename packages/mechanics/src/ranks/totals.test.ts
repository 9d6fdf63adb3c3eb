import { Random } from "@stickslip/core";
import { SelfCommunicator } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { Totals } from "./totals.js";

const totals = () => new Totals(new SelfCommunicator());

describe("Totals", () => {
	it("gives the same bits in any order of the terms", () => {
		const random = new Random(7);
		const terms = Float64Array.from(
			{ length: 3000 },
			() => (random.uniform() - 0.5) * 10 ** (20 * random.uniform() - 10),
		);
		const sums = totals().sums(terms, 1000, 3);
		for (let turn = 0; turn < 5; turn += 1) {
			const order = random.shuffle(Int32Array.from({ length: 1000 }, (_, i) => i));
			const shuffled = new Float64Array(3000);
			for (const [i, from] of order.entries()) shuffled.set(terms.subarray(3 * from, 3 * from + 3), 3 * i);
			expect(totals().sums(shuffled, 1000, 3)).toEqual(sums);
		}
	});

	it("is exact for whole numbers and near to any sum", () => {
		expect([...totals().sums(Float64Array.of(1, -2, 2, 5, 3, 7), 3, 2)]).toEqual([6, 10]);
		const random = new Random(1);
		const terms = Float64Array.from({ length: 4096 }, () => random.uniform());
		const exact = terms.reduce((sum, term) => sum + term, 0);
		expect(Math.abs(totals().sums(terms, 4096, 1)[0]! - exact)).toBeLessThan(1e-11);
	});

	it("finds extremes in any order, those of the smallest ids where values are equal", () => {
		const rows = [
			[2, 7, 9],
			[2, 7, 8],
			[2, 9, 1],
			[1, 0, 0],
			[-1, 3, 3],
		];
		const random = new Random(3);
		for (let turn = 0; turn < 20; turn += 1) {
			const order = [...random.shuffle(Int32Array.from(rows.keys()))];
			const left = order.map((row) => Float64Array.of(...rows[row]!));
			const merged: Float64Array[] = [];
			// A rank that merges one row after another with its own.
			const communicator = new SelfCommunicator();
			communicator.reduce = (values, merge) => {
				for (const other of left) merge(values, other);
				merged.push(values);
			};
			expect([...new Totals(communicator).extremes(Float64Array.of(0, -1, -1))]).toEqual([2, 7, 8]);
			expect(merged).toHaveLength(1);
		}
		expect(totals().extremes(Float64Array.of(3, 1, 2))).toEqual(Float64Array.of(3, 1, 2));
	});

	it("cancels to zero what cancels", () => {
		expect(totals().sums(Float64Array.of(1e300, 1, -1e300, -1), 4, 1)[0]).toBe(0);
	});

	it("has no sum of what is not finite, and zero of nothing", () => {
		expect(totals().sums(Float64Array.of(1, Number.NaN), 2, 1)[0]).toBeNaN();
		expect(totals().sums(Float64Array.of(1, Number.POSITIVE_INFINITY), 2, 1)[0]).toBeNaN();
		expect(totals().sums(new Float64Array(0), 0, 1)[0]).toBe(0);
		expect(totals().sums(Float64Array.of(Number.MAX_VALUE), 1, 1)[0]).toBe(Number.MAX_VALUE);
	});
});
