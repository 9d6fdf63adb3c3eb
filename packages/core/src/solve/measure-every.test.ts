/** Measures that are taken in some of the iterations only: iterates are the same, reductions fewer, and a run ends where a measure is taken. */
import { expect, test } from "vitest";
import { pile } from "../testing/gallery.js";
import { solve } from "./solve.js";

const problem = pile("spheres", 300);
const TOLERANCE = 1e-4;

const reportOf = (measureEvery: number, options = {}) => {
	const common = { method: "pqn-diagonal", tolerance: TOLERANCE, maxIterations: 2000, set: { measureEvery } };
	return solve(problem, { ...common, ...options }).report;
};

test("a run goes through the same iterates, and ends at the first measure below the tolerance", () => {
	const every = reportOf(1, { history: true });
	expect(every.status).toBe("solved");
	for (const apart of [3, 8]) {
		const { status, history = [], iterations, energy } = reportOf(apart, { history: true });
		expect(status).toBe("solved");
		expect(history.slice(0, every.iterations)).toEqual(every.history);
		expect(iterations).toBe(1 + history.findIndex((value, i) => (i + 1) % apart === 0 && value <= TOLERANCE));
		expect(energy).toBeLessThanOrEqual(TOLERANCE);
	}
});

test("a reduction is saved for each measure that is not taken, and no exchange", () => {
	const limits = { maxIterations: 48, tolerance: 1e-300 };
	const [one, eight] = [reportOf(1, limits), reportOf(8, limits)];
	expect([one.iterations, eight.iterations]).toEqual([48, 48]);
	expect(eight.exchanges).toBe(one.exchanges);
	expect(one.reductions - eight.reductions).toBe(48 - 48 / 8);
});
