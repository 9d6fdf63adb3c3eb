/** The phases of `auto` with factors: when they have their turn, what they gain, and that they can be interrupted and left out. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { condense } from "../problem/condense.js";
import { solve } from "../solve/solve.js";
import { solveWork } from "../solve/work.js";
import { judge } from "../testing/judge.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";

const NEWTON = /newton on the active contacts/;
const problem = condense(generate("planks", { contacts: 60, seed: 1 }));
const strict = { tolerance: 1e-9, set: { operator: "assembled", share: 1 } } as const;

describe("slow sweeps near a solution", () => {
	test("are ended by Newton on the active contacts, and the answer is one", () => {
		const { report, reaction } = solve(problem, strict);
		expect(report).toMatchObject({ status: "solved", method: "auto" });
		expect(report.remedies.some((each) => NEWTON.test(each))).toBe(true);
		expect(judge(problem, reaction).energy).toBeLessThan(1.01e-9);
	});

	test("go on alone where factors are left out, and take more products", () => {
		const alone = solveWork(problem, { ...strict, set: { ...strict.set, without: "factors" } });
		const both = solveWork(problem, strict);
		expect(alone.remedies.some((each) => NEWTON.test(each))).toBe(false);
		expect(alone.work).toBe(alone.products);
		expect(both.products).toBeLessThan(alone.products);
		expect(both.work).toBeGreaterThan(both.products);
	});

	test("are left alone where little is left to do", () => {
		const { remedies } = solveWork(problem, { ...strict, tolerance: 1e-4 });
		expect(remedies.some((each) => NEWTON.test(each))).toBe(false);
	});

	test("and where W has no rows", () => {
		const bodies = generate("planks", { contacts: 60, seed: 1 });
		const { report } = solve(bodies, { ...strict, set: { operator: "matrix-free" } });
		expect(report.status).toBe("solved");
		expect(report.remedies.some((each) => NEWTON.test(each))).toBe(false);
	});
});

describe("through all phases", () => {
	const set = { ...strict.set, near: 0.9, share: 100, products: 2000 };
	const options = { tolerance: 1e-15, maxIterations: 45, set };

	test("saved after any iteration and gone on with: the same bits, those of the twin", () => {
		const fresh = runsOf(problem, options);
		const { bits, states } = savedRun(fresh());
		expect(bits.remedies.map((each) => each.replace(/.*: /, ""))).toEqual(
			expect.arrayContaining(["newton on the active contacts", "interior-point from zero", "proximal-gauss-seidel"]),
		);
		for (const state of states.filter((_, k) => k % 6 === 1)) {
			const run = fresh();
			run.resume(structuredClone(state));
			expect(stepped(run)).toEqual(bits);
		}
		const twin = runsOf(problem, { ...options, set: { ...set, engine: "twin" } })();
		twin.begin();
		expect(stepped(twin)).toEqual(bits);
	});

	test("repeated: the same bits and counts, though the order of the factors is known by then", () => {
		const once = solve(problem, options).report;
		const { hash, products, remedies, exchanges, reductions } = solve(problem, { ...options, repeat: 3 }).report;
		expect({ hash, products, remedies, exchanges, reductions }).toEqual({
			...{ hash: once.hash, products: once.products, remedies: once.remedies },
			...{ exchanges: once.exchanges, reductions: once.reductions },
		});
	});
});
