/** The test of the dual cone on problems whose answer is known, and its consequences for a solve. */
import { describe, expect, it } from "vitest";
import { Random } from "../base/random.js";
import { lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { blocksOf } from "../testing/dense.js";
import { runOf } from "../testing/runs.js";
import { missesDualCone } from "./dual-cone.js";
import { solve } from "./solve.js";

/**
 * A body of mass 1 between two parallel walls, with the velocities of the walls along the normals into the body and along T1. Both normals point at the
 * body, so that the contacts' W is (1, -1; -1, 1) along the normals and 1 along the tangents.
 */
function between(normal: readonly [number, number], tangent: readonly [number, number], mass = 1): Problem {
	const dense = new Float64Array(36);
	for (let i = 0; i < 3; i += 1) {
		const coupling = i === 0 ? -1 : 1;
		for (const [row, column, value] of [
			[i, i, 1],
			[3 + i, 3 + i, 1],
			[i, 3 + i, coupling],
			[3 + i, i, coupling],
		] as const)
			dense[6 * row + column] = value / mass;
	}
	return {
		name: "between walls",
		contacts: 2,
		W: blocksOf(dense, 2),
		q: Float64Array.of(normal[0], tangent[0], 0, normal[1], tangent[1], 0),
		mu: Float64Array.of(0.5, 0.5),
	};
}

/** Contacts W = G G^T of random bodies, whose q is G v: a body that does not move is inside every dual cone. */
function atRest(seed: number): Problem {
	const random = new Random(seed);
	const contacts = 6;
	const freedoms = 9;
	const g = Array.from({ length: 3 * contacts }, () => Array.from({ length: freedoms }, () => random.between(-1, 1)));
	const v = Array.from({ length: freedoms }, () => random.between(-1, 1));
	const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
	const dense = Float64Array.from(g.flatMap((row) => g.map((other) => dot(row, other))));
	const q = Float64Array.from(g.map((row) => dot(row, v)));
	return { name: "at rest", contacts, W: blocksOf(dense, contacts), q, mu: new Float64Array(contacts).fill(5) };
}

function isMissed(problem: Problem): boolean {
	return missesDualCone(runOf(problem, {}).system);
}

describe("the test of the dual cone", () => {
	it("finds a certificate between walls that close, or that slide apart and touch", () => {
		expect(isMissed(between([-1, -1], [0, 0]))).toBe(true);
		expect(isMissed(between([-1, 0.9], [0, 0]))).toBe(true);
		expect(isMissed(between([0, 0], [1, -1]))).toBe(true);
	});

	it("finds none where the body can get out of the way", () => {
		expect(isMissed(between([-1, 1.1], [0, 0]))).toBe(false);
		expect(isMissed(between([0, 0], [1, 1]))).toBe(false);
		expect(isMissed(between([1, 1], [1, -1]))).toBe(false);
		for (let seed = 0; seed < 20; seed += 1) expect([seed, isMissed(atRest(seed))]).toEqual([seed, false]);
	});

	it("does not depend on units", () => {
		for (const mass of [1e-9, 1e-3, 1e6]) {
			expect(isMissed(between([-1e-6, -1e-6], [0, 0], mass))).toBe(true);
			expect(isMissed(between([-1e-6, 2e-6], [0, 0], mass))).toBe(false);
		}
	});

	it("has no answer for laws with bounds, which have no cone", () => {
		const problem = between([-1, -1], [0, 0]);
		const parameters = new Float64Array(2 * PARAMETERS);
		parameters[1] = parameters[PARAMETERS + 1] = 1;
		const laws = { law: new Uint8Array(2).fill(lawCode("capped")), parameters };
		expect(isMissed({ ...problem, laws })).toBe(false);
	});
});

describe("a solve that misses the dual cone", () => {
	it("gives up within 2,000 iterations, with the reason as a warning", () => {
		for (const method of ["auto", "gauss-seidel", "apgd", "proximal-newton"]) {
			const { report } = solve(between([-1, -1], [0, 0]), { method });
			expect([method, report.status === "solved"]).toEqual([method, false]);
			expect(report.iterations).toBeLessThanOrEqual(2000);
			expect(report.warnings?.map(({ code }) => code) ?? []).toEqual(
				report.status === "stalled" ? ["existence-not-guaranteed"] : [],
			);
		}
	});

	it("is solved where it has a solution all the same: a body that touches walls that slide at +1 and -1 m/s", () => {
		const problem = between([0, 0], [1, -1]);
		expect(isMissed(problem)).toBe(true);
		for (const start of ["zero", Float64Array.of(1, 0.1, 0, 1, 0, 0.2)] as const) {
			const { report } = solve(problem, { start, tolerance: 1e-6 });
			expect(report.status).toBe("solved");
			expect(report.warnings).toBeUndefined();
		}
	});

	it("has the same iterations whether its state was saved on the way or not", () => {
		const problem = between([-1, -1], [0, 0]);
		const options = { method: "apgd" };
		const whole = runOf(problem, options);
		whole.begin();
		while (whole.status === undefined) whole.step();
		const saved = runOf(problem, options);
		saved.begin();
		for (let i = 0; i < 600 && saved.status === undefined; i += 1) saved.step();
		const resumed = runOf(problem, options);
		resumed.resume(saved.state(0));
		while (resumed.status === undefined) resumed.step();
		expect([resumed.status, resumed.iterations]).toEqual([whole.status, whole.iterations]);
		expect(resumed.missesDualCone).toBe(whole.missesDualCone);
	});
});
