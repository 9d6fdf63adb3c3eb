/** Same input, same bits: over repetitions, drivers and engines, and whatever ran before. */

import { describe, expect, test } from "vitest";
import { gallery, pile } from "../testing/gallery.js";
import { FIRST_ORDER } from "../testing/methods.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";
import { solve, solveAsync } from "./solve.js";

const ways: [string, SolveOptions][] = [
	["auto", {}],
	["pqn", { method: "pqn" }],
	["pqn, diagonal blocks", { method: "pqn", set: { preconditioner: "diagonal" } }],
	["pqn, scaling=none", { method: "pqn", set: { scaling: "none" } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	["gauss-seidel", { method: "gauss-seidel" }],
	["sor", { method: "sor", set: { lambda: 0.9, window: 3 } }],
	...FIRST_ORDER.map((method): [string, SolveOptions] => [method, { method }]),
	["spg, preconditioned", { method: "spg", set: { precondition: "diagonal" } }],
	["jacobi, accelerated", { method: "jacobi", set: { window: 4 } }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { patience: 3, sweeps: 20 } }],
	[
		"gauss-seidel, shuffled and reversed",
		{ method: "gauss-seidel", set: { order: "shuffled", reverse: "yes", relax: 1.2 } },
	],
];
const problems = [...gallery.slice(-9), pile("planks", 150), pile("spheres", 400)];
const limits: SolveOptions = { tolerance: 1e-7, maxIterations: 120 };

describe.each(ways)("%s", (_, way) => {
	test("WebAssembly and its twin", () => {
		for (const problem of problems) {
			const options = { ...limits, ...way, maxIterations: 30 };
			const wasm = solve(problem, options).report;
			const twin = solve(problem, { ...options, set: { ...way.set, engine: "twin" } }).report;
			expect([twin.hash, twin.iterations, twin.products, twin.energy]).toEqual([
				wasm.hash,
				wasm.iterations,
				wasm.products,
				wasm.energy,
			]);
		}
	});

	test("the plain and the yielding driver, once and repeated, with and without a history", async () => {
		for (const problem of problems) {
			const plain = solve(problem, { ...limits, ...way }).report;
			const yielding = (await solveAsync(problem, { ...limits, ...way })).report;
			const repeated = solve(problem, { ...limits, ...way, repeat: 3 }).report;
			for (const report of [yielding, repeated]) {
				expect(report.hash).toBe(plain.hash);
				expect(report.iterations).toBe(plain.iterations);
				expect(report.products).toBe(plain.products);
				expect(report.reductions).toBe(plain.reductions);
				expect(report.remedies).toEqual(plain.remedies);
			}
			// A history measures every iteration, and changes nothing else.
			const measured = solve(problem, { ...limits, ...way, history: true }).report;
			expect(measured.hash).toBe(plain.hash);
			expect(measured.iterations).toBe(plain.iterations);
			expect(measured.remedies).toEqual(plain.remedies);
			expect(measured.history).toHaveLength(plain.iterations);
		}
	});
});

describe("an operator that is never formed", () => {
	test.each(["auto", "pqn", "pqn-diagonal"])("%s: WebAssembly and its twin, plain and yielding", async (method) => {
		for (const seed of [1, 2, 3]) {
			const problem = sampleProblem({ seed, contacts: 40, bodies: 17, equalityRows: seed });
			const options: SolveOptions = { ...limits, method, set: { operator: "global" } };
			const wasm = solve(problem, options).report;
			expect(wasm.operator).toMatch(/^global/);
			expect(wasm.iterations).toBeGreaterThan(0);
			const twin = solve(problem, { ...options, set: { ...options.set, engine: "twin" } }).report;
			const yielding = (await solveAsync(problem, options)).report;
			for (const { hash, iterations, products, energy } of [twin, yielding]) {
				expect({ hash, iterations, products, energy }).toEqual({
					hash: wasm.hash,
					iterations: wasm.iterations,
					products: wasm.products,
					energy: wasm.energy,
				});
			}
		}
	});
});

test("-0 and +0 hash alike", () => {
	const problem = gallery.find(({ name }) => name === "nothing moves")!;
	const zeros = new Float64Array(15);
	expect(solve(problem, { start: zeros }).report.hash).toBe(solve(problem, { start: zeros.map(() => -0) }).report.hash);
});
