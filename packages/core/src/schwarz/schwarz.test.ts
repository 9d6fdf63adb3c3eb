/** Subdomains by numbers alone, and additive Schwarz beside dense elimination: what it is exactly, and how GMRES converges with it. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { type Graph, graphOf } from "../factor/graph.js";
import { NewtonSystem } from "../methods/newton-system.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";
import { growSubdomains, withOverlap } from "./grow.js";

function randomGraph(seed: number, vertices: number, edges: number): Graph {
	const source = new Random(seed);
	const start = Int32Array.from({ length: vertices + 1 }, (_, i) => Math.min(edges, i * Math.ceil(edges / vertices)));
	start[vertices] = edges;
	const column = Int32Array.from({ length: edges }, () => Math.floor(source.between(0, vertices)));
	return graphOf(vertices, start, column);
}

describe("subdomains", () => {
	test.each([1, 2, 3, 4, 5, 6])("seed %d: every vertex in one, all but the last full", (seed) => {
		for (const size of [1, 3, 10, 64, 1000]) {
			const graph = randomGraph(seed, 64, 20 * seed);
			const own = growSubdomains(graph, size);
			const counts = new Map<number, number>();
			for (const s of own) counts.set(s, (counts.get(s) ?? 0) + 1);
			const most = Math.max(...counts.values());
			expect(most).toBeLessThanOrEqual(size);
			expect(counts.size).toBe(Math.ceil(64 / most));
			expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: counts.size }, (_, i) => i));
		}
	});

	test("a chain is cut into runs, which reach as far into each other as they are told", () => {
		const start = Int32Array.from({ length: 13 }, (_, i) => Math.min(i, 11));
		const chain = graphOf(
			12,
			start,
			Int32Array.from({ length: 11 }, (_, i) => i + 1),
		);
		const own = growSubdomains(chain, 4);
		expect([...own]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
		const wide = withOverlap(chain, own, 2).map((list) => [...list]);
		expect(wide[1]).toEqual([0]);
		expect(wide[2]).toEqual([0, 1]);
		expect(wide[5]).toEqual([1, 0]);
		expect(wide[6]).toEqual([1, 2]);
	});
});

/** Random P and Q near the identity, so that P W + Q is regular. */
function parts(seed: number, blocks: number): { p: Float64Array; q: Float64Array } {
	const source = new Random(seed);
	const make = (weight: number) =>
		Float64Array.from({ length: 9 * blocks }, (_, i) => ((i % 9) % 4 === 0 ? weight : source.between(-0.1, 0.1)));
	return { p: make(1), q: make(0.5) };
}

const krylov = { linear: "krylov", subdomain: 12, overlap: 1, reduction: 1e-12, inner: 500 } as const;

describe.each([
	["regular", randomProblem({ seed: 3, contacts: 40, mu: [0, 0.6], density: 0.2 })],
	["with equality rows", sampleProblem({ seed: 2, contacts: 36, bodies: 12, equalityRows: 6 })],
])("%s", (_, problem) => {
	const solved = (options: ConstructorParameters<typeof NewtonSystem>[2]) => {
		const system = systemOf(problem, { ...systemDefaults, operator: "assembled" });
		const linear = new NewtonSystem(system, "newton", options);
		const { p, q } = parts(5, system.blocks);
		expect(linear.factor(p, q, 0.25)).toBe(true);
		const x = system.operand();
		const b = Float64Array.from({ length: 3 * system.blocks }, (_, i) => Math.sin(i));
		x.values.fill(0);
		x.values.set(b);
		linear.solve(x);
		const y = system.room();
		linear.apply(x, y);
		const error = b.reduce((most, value, i) => Math.max(most, Math.abs(value - y.values[i]!)), 0);
		const found = { x: x.values.slice(0, b.length), error, iterations: linear.iterations };
		system.close();
		return found;
	};

	test("a whole LU leaves no residual, subdomains what they may; both find the same", () => {
		const whole = solved({ ...krylov, linear: "lu" });
		expect(whole.error).toBeLessThan(1e-12);
		for (const overlap of [0, 1, 3]) {
			const { x, error } = solved({ ...krylov, overlap });
			expect(error).toBeLessThan(1e-10);
			for (const [i, value] of x.entries()) expect(Math.abs(value - whole.x[i]!)).toBeLessThan(1e-9);
		}
	});

	test("subdomains take fewer iterations than blocks alone; one that holds all takes one", () => {
		const [alone, wide, all] = [
			{ ...krylov, subdomain: 1, overlap: 0 },
			krylov,
			{ ...krylov, subdomain: 1000, overlap: 0 },
		].map((options) => solved(options).iterations);
		expect(wide).toBeLessThan(alone!);
		expect(all).toBeLessThanOrEqual(2);
	});
});

describe.each(["definite", "indefinite"] as const)("symmetric and %s: CG, MINRES", (symmetry) => {
	const problem = randomProblem({ seed: 8, contacts: 50, mu: 0, density: 0.15 });
	const solved = (options: ConstructorParameters<typeof NewtonSystem>[2]) => {
		const system = systemOf(problem, { ...systemDefaults, operator: "assembled" });
		const linear = new NewtonSystem(system, "test", options, symmetry);
		const one = Float64Array.from({ length: 9 * system.blocks }, (_, i) => ((i % 9) % 4 === 0 ? 1 : 0));
		expect(
			linear.factor(
				one,
				one.map((value) => 0.1 * value),
				0.1,
			),
		).toBe(true);
		const x = system.operand();
		x.values.fill(0);
		for (let i = 0; i < 3 * system.blocks; i += 1) x.values[i] = Math.cos(i);
		linear.solve(x);
		const found = { x: x.values.slice(0, 3 * system.blocks), iterations: linear.iterations };
		system.close();
		return found;
	};

	test.each([
		[1, 0],
		[10, 0],
		[10, 2],
	])("subdomains of %d reaching %d: what a whole L D L^T finds", (subdomain, overlap) => {
		const { x } = solved({ ...krylov, linear: "lu" });
		const other = solved({ ...krylov, subdomain, overlap });
		for (const [i, value] of other.x.entries()) expect(Math.abs(value - x[i]!)).toBeLessThan(1e-9);
	});

	test("larger subdomains take fewer iterations", () => {
		const [small, large] = [1, 25].map((subdomain) => solved({ ...krylov, subdomain, overlap: 0 }).iterations);
		expect(large).toBeLessThan(small!);
	});
});
