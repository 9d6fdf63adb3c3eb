import { expect, it } from "vitest";
import { flat, type LimitRow, line, summary, sweepsWanted, targetOf } from "./limits-table.js";

/** 8 sweeps of 10 us each in 100 us, beside 500 us of Siconos. */
const row: LimitRow = {
	set: "data",
	problem: "one",
	contacts: 100,
	tolerance: 1e-4,
	target: targetOf(1e-4),
	products: 8,
	seconds: 1e-4,
	sweepSeconds: 1e-5,
	siconosSeconds: 5e-4,
};

it("tells how many sweeps the time wanted would be", () => {
	expect(sweepsWanted(row)).toBeCloseTo(5, 12);
	expect(targetOf(1e-8)).toBe(15);
	expect(flat(row)).toMatchObject({ target: 10, ratio: 5, ratioOfSweeps: 6.25, sweepsWanted: 5 });
	expect(line(row)).toMatch(/ 5\.0 sweeps for 10$/);
});

it("sums rows up by set and tolerance, in geometric means", () => {
	const faster = { ...row, problem: "two", seconds: 2.5e-5, products: 2 };
	const fewer = { ...row, problem: "three", sweepSeconds: 1.25e-5 };
	expect(summary([row, faster, fewer, { ...row, tolerance: 1e-8, target: 15 }])).toEqual([
		"data, natural 0.0001: 3 rows, 7.94 times faster, 1 of them at least 10; 9.21 if nothing but sweeps took time, and then 1.09 times as many sweeps as there may be; less than 5 may there be in 1",
		"data, natural 1e-8: 1 rows, 5.00 times faster, 0 of them at least 15; 6.25 if nothing but sweeps took time, and then 2.40 times as many sweeps as there may be; less than 5 may there be in 1",
	]);
});
