/** Contacts that nothing can stop, on one rank and in units of all sizes; and reactions that grow without bound. */
import { describe, expect, it, test } from "vitest";
import { methods } from "../methods/list.js";
import { lawCode, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { blocksOf } from "../testing/dense.js";
import { solve } from "./solve.js";

/** A contact that can be solved, and one whose normal direction has w of the block's largest entry. */
function blocked(w: number, normal: number, unit = 1): Problem {
	const dense = new Float64Array(36);
	for (let i = 0; i < 6; i += 1) dense[7 * i] = unit;
	dense[21] = w * unit;
	return {
		name: "blocked",
		contacts: 2,
		W: blocksOf(dense, 2),
		q: Float64Array.of(-1, 0.1, 0, normal, 0.1, 0),
		mu: Float64Array.of(0.5, 0.5),
	};
}

const statusOf = (problem: Problem, options = {}): string => solve(problem, options).report.status;

describe("a contact with nothing in its normal direction", () => {
	it("is infeasible if it approaches, whatever the method, the measure and the units are", () => {
		for (const { name, laws, operators } of methods()) {
			if (!laws.includes("coulomb") || operators?.includes("assembled") === false) continue;
			if (name === "mprgp" || name === "gpminres") continue;
			expect([name, statusOf(blocked(0, -1), { method: name })]).toEqual([name, "infeasible"]);
		}
		for (const measure of ["energy", "natural", "merit", "gradient"] as const) {
			for (const unit of [1e-20, 1, 1e20]) {
				expect(statusOf(blocked(9e-15, -1e-9, unit), { measure })).toBe("infeasible");
			}
		}
	});

	it("is not if it leaves, if it rests but for rounding, or if it gives way a little", () => {
		expect(statusOf(blocked(0, 1))).toBe("solved");
		expect(statusOf(blocked(0, 0))).toBe("solved");
		expect(statusOf(blocked(0, -1e-14))).toBe("solved");
		expect(statusOf(blocked(1e-13, -1))).not.toBe("infeasible");
	});

	it("returns zero or the start, no iteration, and the contact in its report", () => {
		const { reaction, report } = solve(blocked(0, -1));
		expect([...reaction]).toEqual([0, 0, 0, 0, 0, 0]);
		expect(report.iterations).toBe(0);
		expect(report.reason).toContain("contact 1");
		const start = Float64Array.of(1, 0, 0, 1, 0, 0);
		expect([...solve(blocked(0, -1), { start }).reaction]).toEqual([...start]);
	});
});

test.each([
	["bilateral", [], [0, 1, 0], true],
	["bilateral", [], [0, -1, 0], true],
	["capped", [1], [-1, 0, 0], false],
	["capped", [Number.POSITIVE_INFINITY], [-1, 0, 0], true],
	["box", [-1, -1, -1, 1, 1, 1], [-1, 0, 0], false],
	["box", [0, 0, 0, Number.POSITIVE_INFINITY, 1, 1], [-1, 0, 0], true],
	["box", [0, 0, 0, Number.POSITIVE_INFINITY, 1, 1], [1, 0, 0], false],
	["box", [Number.NEGATIVE_INFINITY, 0, 0, 1, 1, 1], [1, 0, 0], true],
	["relaxed", [], [-1, 0, 0], true],
	["frictionless", [], [-1, 0, 0], true],
	["frictionless", [], [0, 1, 0], false],
	["cohesive", [1], [-1, 0, 0], true],
] as const)("the law %s with %j and q %j", (law, numbers, q, isInfeasible) => {
	const dense = new Float64Array(9);
	const free = q.indexOf(0);
	dense[4 * free] = 1;
	const parameters = new Float64Array(PARAMETERS);
	parameters.set(numbers, 1);
	const problem = {
		name: law,
		contacts: 1,
		W: blocksOf(dense, 1),
		q: Float64Array.from(q),
		mu: Float64Array.of(0.5),
		laws: { law: Uint8Array.of(lawCode(law)), parameters },
	};
	expect(statusOf(problem) === "infeasible").toBe(isInfeasible);
});

describe("reactions that grow without bound between closing walls", () => {
	const dense = new Float64Array(36);
	for (let i = 0; i < 3; i += 1) {
		dense[7 * i] = dense[7 * (3 + i)] = 1;
		dense[6 * i + 3 + i] = dense[6 * (3 + i) + i] = i === 0 ? -1 : 1;
	}
	const closing = {
		name: "closing walls",
		contacts: 2,
		W: blocksOf(dense, 2),
		q: Float64Array.of(-1, 0, 0, -1, 0, 0),
		mu: Float64Array.of(0.5, 0.5),
	};

	it.each(["natural", "merit"] as const)("are diverged in %s, and never solved without a warning", (measure) => {
		for (const { name, operators } of methods()) {
			if (operators?.includes("assembled") === false || name === "mprgp" || name === "gpminres") continue;
			const { report } = solve(closing, { method: name, measure, tolerance: 1e-2, maxIterations: 20_000 });
			const isDoubted = report.warnings?.some(({ code }) => code === "energy-error") === true;
			expect([name, report.status === "solved" && !isDoubted]).toEqual([name, false]);
		}
		const { report } = solve(closing, { method: "gauss-seidel", measure: "natural", tolerance: 1e-2 });
		expect(report.status).toBe("diverged");
		expect(report.warnings?.map(({ code }) => code)).toContain("energy-error");
	});

	it("do not make a problem with a large reaction diverge", () => {
		const heavy = Float64Array.from(dense, (value, k) => (k % 7 === 0 ? value + 1e-4 : value));
		const problem = { ...closing, W: blocksOf(heavy, 2) };
		for (const measure of ["natural", "merit"] as const) {
			const { report, reaction } = solve(problem, { measure, tolerance: 1e-10, method: "proximal-newton" });
			expect(report.status).toBe("solved");
			expect(reaction[0]! / 1e4).toBeCloseTo(1, 5);
		}
	});
});
