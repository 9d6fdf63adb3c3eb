/** Every method on every problem of the gallery: solved, and found solved by a judge that knows nothing of the solver. */

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { blockOnSlope, type Solved, slope, stack } from "../testing/closed-forms.js";
import { difference } from "../testing/dense.js";
import { gallery } from "../testing/gallery.js";
import { judge, velocitiesOf } from "../testing/judge.js";
import { FIRST_ORDER } from "../testing/methods.js";
import type { SolveOptions } from "./options.js";
import type { Solution } from "./report.js";
import { solve } from "./solve.js";

const ways: [string, SolveOptions][] = [
	["auto", { method: "auto" }],
	["pqn", { method: "pqn" }],
	["pqn, scaling=none", { method: "pqn", set: { scaling: "none", deltaRelativeTo: "mean", m: 30, epsilon: 0.01 } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	...FIRST_ORDER.map((method): [string, SolveOptions] => [method, { method }]),
	["gauss-seidel", { method: "gauss-seidel" }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel" }],
	["proximal-gauss-seidel, at once", { method: "proximal-gauss-seidel", set: { patience: 0 } }],
];

/**
 * What the published form does not solve to 1e-8, without safeguards: its C adds impulses to velocities, which differ by factors
 * of a thousand on these two (decision 8).
 */
const excused: Record<string, readonly string[]> = {
	"pqn, scaling=none": ["spheres, 102 contacts, 49 bodies, seed 1", "sparse, badly scaled"],
};

/** Report and answer say the same, whatever the status. */
function expectConsistent(problem: Problem, solution: Solution): void {
	const { reaction, velocity, multiplier, report } = solution;
	const judged = judge(problem, reaction, multiplier);
	// Below about 1e-13 of the velocities both sides are rounding.
	// A contact that rounding puts on either side of sliding decides whether the error counts tenfold.
	const others = [
		judged.energy,
		(10 * judged.energy) / (1 + 9 * judged.energy),
		judged.energy / (10 - 9 * judged.energy),
	];
	const apart = Math.min(...others.map((energy) => Math.abs(report.energy - energy)));
	expect(apart).toBeLessThan(1e-6 * judged.energy + 1e-12);
	expect(Math.abs(report.natural - judged.natural)).toBeLessThan(1e-6 * judged.natural + 1e-12);
	expect(Math.abs(report.merit - judged.merit)).toBeLessThan(1e-6 * judged.merit + 1e-20);
	const { u } = velocitiesOf(problem, reaction, multiplier);
	expect(difference([...velocity, 1e-3], [...u, 1e-3])).toBeLessThan(1e-10);
	expect(judged.outside).toBeLessThan(1e-12);
	const bytes = new Uint8Array(reaction.map((value) => value + 0).buffer);
	expect(report.hash).toBe(createHash("sha256").update(bytes).digest("hex"));
	expect(report.contacts).toBe(problem.contacts);
	expect(report.history?.length).toBe(report.iterations);
}

describe.each(ways)("%s", (name, options) => {
	const problems = gallery.filter((problem) => !excused[name]?.includes(problem.name));
	test.each(problems.map((problem) => [problem.name, problem] as const))("%s: energy 1e-8", (_, problem) => {
		const solution = solve(problem, { ...options, tolerance: 1e-8, history: true, maxIterations: 20_000 });
		expect(solution.report.status, solution.report.reason).toBe("solved");
		expectConsistent(problem, solution);
		expect(judge(problem, solution.reaction, solution.multiplier).energy).toBeLessThan(1e-8 + 1e-12);
		expect(solution.report.history?.at(-1) ?? solution.report.energy).toBeLessThanOrEqual(1e-8);
	});

	test("stopped early, report and answer still agree", () => {
		for (const problem of gallery) {
			expectConsistent(problem, solve(problem, { ...options, tolerance: 1e-14, maxIterations: 3, history: true }));
		}
	});
});

describe("closed forms", () => {
	const forms: [string, Solved][] = [
		["slope, sticks", slope(0.3, 0.5)],
		["slope, slides", slope(0.6, 0.5)],
		["slope, just sticks", slope(Math.atan(0.5) - 1e-9, 0.5)],
		["slope, just slides", slope(Math.atan(0.5) + 1e-6, 0.5)],
		["slope without friction", slope(0.2, 0)],
		["steep slope, mu 1.5", slope(0.95, 1.5)],
		["block of four contacts, sticks", blockOnSlope(0.3, 0.5)],
		["block of four contacts, slides", blockOnSlope(0.6, 0.5)],
		["stack of twelve", stack([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])],
	];
	test.each(
		forms.flatMap(([form, solved]) =>
			["auto", "pqn", "gauss-seidel", "proximal-gauss-seidel"].map((method) => [form, method, solved] as const),
		),
	)("%s by %s", (_, method, { problem, reaction, velocity }) => {
		const found = solve(problem, { method, tolerance: 1e-12 });
		expect(found.report.status).toBe("solved");
		const speed = Math.hypot(...problem.q);
		for (const [i, value] of velocity.entries())
			expect(Math.abs(found.velocity[i]! - value) / speed).toBeLessThan(1e-10);
		if (reaction) expect(difference(found.reaction, reaction)).toBeLessThan(1e-9);
	});
});
