/** A start that is worse than zero: used or dropped, and what it costs to find out. */

import { describe, expect, test } from "vitest";
import { GOOD_START } from "../kernels/generated/energy.js";
import { MEASURES } from "../measures/measures.js";
import { pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { FACTORS, METHODS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { runOf } from "../testing/runs.js";
import { sampleProblem } from "../testing/samples.js";
import type { Report } from "./report.js";
import { solve } from "./solve.js";

const spheres = pile("spheres", 120);
const found = solve(spheres, { tolerance: 1e-4 }).reaction;
const times = (factor: number) => found.map((value) => factor * value);

const counts = ({ iterations, products, exchanges, reductions }: Report) => ({
	iterations,
	products,
	exchanges,
	reductions,
});

describe.each([...METHODS, ...FACTORS])("%s", (method) => {
	const options = { method, tolerance: 1e-5, maxIterations: 60 };
	const fromZero = solve(spheres, options).report;

	test.each(MEASURES)(
		"%s: worse than zero is dropped for zero, for one product and two or three reductions",
		(measure) => {
			const plain = solve(spheres, { ...options, measure }).report;
			const { report } = solve(spheres, { ...options, measure, start: times(50), worseStart: "drop" });
			expect(report.hash).toBe(plain.hash);
			expect(counts(report)).toEqual({
				...counts(plain),
				exchanges: plain.exchanges + 1,
				reductions: plain.reductions + (measure === "energy" ? 2 : 3),
			});
		},
	);

	test("better than zero is used, with the bits of use", () => {
		const start = times(0.9);
		const [used, kept] = (["use", "drop"] as const).map((worseStart) =>
			solve(spheres, { ...options, start, worseStart }),
		);
		expect(kept!.report.hash).toBe(used!.report.hash);
		expect(kept!.report.hash).not.toBe(fromZero.hash);
		// Its error is below GOOD_START, so that nobody has to know that of zero.
		expect(counts(kept!.report)).toEqual(counts(used!.report));
	});

	test("use is the default", () => {
		const [start, limits] = [times(50), { ...options, maxIterations: 3 }];
		const { report } = solve(spheres, { ...limits, start });
		expect(report.hash).toBe(solve(spheres, { ...limits, start, worseStart: "use" }).report.hash);
		expect(report.hash).not.toBe(solve(spheres, limits).report.hash);
	});

	test("so large that no measure is finite: dropped", () => {
		const start = found.map(() => 1e300);
		const { report } = solve(spheres, { ...options, start, worseStart: "drop" });
		expect(report.hash).toBe(fromZero.hash);
	});
});

test.each([
	["equality rows", sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 })],
	["a few contacts", randomProblem({ seed: 4, contacts: 6 })],
	["unsymmetric", randomProblem({ seed: 5, contacts: 20, skew: 0.1 })],
])("%s: dropped as well", (_, problem) => {
	const start = solve(problem).reaction.map((value) => 1e3 * value);
	const limits = { tolerance: 1e-4, maxIterations: 200 };
	const { report } = solve(problem, { ...limits, start, worseStart: "drop" });
	expect(report.hash).toBe(solve(problem, limits).report.hash);
});

test("a start is dropped where the judge's energy error is above GOOD_START and above that of zero", () => {
	const energyOf = (reaction: Float64Array) => judge(spheres, reaction).energy;
	const zero = energyOf(times(0));
	const kinds = new Set<string>();
	for (const factor of [-1, -0.5, 0.1, 0.5, 1, 1.5, 1.9, 2, 2.1, 2.5, 3, 4, 6, 8, 16]) {
		const run = runOf(spheres, { start: times(factor), worseStart: "drop", tolerance: 0 });
		run.begin();
		const isDropped = run.system.r.values.every((value) => value === 0);
		run.system.close();
		// A negative start is outside the cones, and taken to their tips.
		if (factor < 0) continue;
		const energy = energyOf(times(factor));
		expect(isDropped).toBe(energy > GOOD_START && energy > zero);
		kinds.add(isDropped ? "dropped" : energy > zero ? "used, though zero is better" : "used");
	}
	expect([...kinds].sort()).toEqual(["dropped", "used", "used, though zero is better"]);
});

test("a repeated solve drops it again, and ends with the same bits", () => {
	const options = { start: times(50), worseStart: "drop", repeat: 3, tolerance: 1e-5 } as const;
	expect(solve(spheres, options).report.hash).toBe(solve(spheres, { tolerance: 1e-5 }).report.hash);
});

test("no time at all: the better of the two is the answer", () => {
	const stopped = (start: Float64Array) => solve(spheres, { start, worseStart: "drop", timeLimit: 0 });
	expect(stopped(times(50)).reaction.every((value) => value === 0)).toBe(true);
	expect(stopped(times(0.9)).report.energy).toBeLessThan(0.9);
});
