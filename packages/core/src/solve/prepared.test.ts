/** A prepared solver: the answers of `solve` for other values of the same pattern, and no answer for another pattern. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";
import { prepareSolver } from "./prepared.js";
import { solve } from "./solve.js";

const made = generate("spheres", { contacts: 150, seed: 2 });
const { rigid, ...rest } = made;
const bodies: Problem = made;
const given: Problem = { ...rest, W: assembleRigid(rigid) };

/** Other values, the same pattern in arrays of its own: bodies of other masses, another motion, other friction. */
function changed(problem: Problem, seed: number): Problem {
	const random = new Random(seed);
	const factor = (values: Float64Array, from: number, to: number) =>
		values.map((value) => value * random.between(from, to));
	const inverseMass = factor(rigid.inverseMass, 0.5, 2);
	const others = { ...rigid, body: rigid.body.slice(), inverseMass };
	const q = factor(problem.q, 0.5, 1.5);
	const mu = factor(problem.mu, 0.5, 1.5);
	return problem.W ? { ...problem, q, mu, W: assembleRigid(others) } : { ...problem, q, mu, rigid: others };
}

const ways: [string, Problem, SolveOptions][] = [
	["W given", given, {}],
	["W of bodies", bodies, { set: { operator: "assembled" } }],
	["matrix-free", bodies, { set: { operator: "matrix-free" } }],
	["pqn", given, { method: "pqn" }],
	["in file order", given, { method: "gauss-seidel", set: { order: "file" } }],
	["a few contacts", generate("spheres", { contacts: 5, seed: 3 }), {}],
	["equality rows", sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 }), {}],
];

test.each(ways)("%s: the bits of a solve of its own, again and again", (_, problem, options) => {
	const limits = { ...options, tolerance: 1e-5, maxIterations: 60 };
	const solver = prepareSolver(problem, limits);
	const isPile = problem === given || problem === bodies;
	for (let seed = 1; seed <= 3; seed += 1) {
		const next = isPile ? changed(problem, seed) : { ...problem, q: problem.q.map((value) => value * (1 + seed)) };
		const own = solve(next, limits);
		const prepared = solver.solve(next);
		expect([...prepared.velocity]).toEqual([...own.velocity]);
		expect([prepared.report.hash, prepared.report.iterations, prepared.report.reason]).toEqual([
			own.report.hash,
			own.report.iterations,
			own.report.reason,
		]);
	}
	solver.setUp(problem);
});

describe("refused", () => {
	test("another pattern", () => {
		const solver = prepareSolver(given);
		const other = generate("spheres", { contacts: 150, seed: 3 });
		const { rigid: bodiesOfOther, ...facts } = other;
		const column = given.W!.column.slice();
		column[1]! += 1;
		const wrong: Problem[] = [
			bodies,
			{ ...facts, W: assembleRigid(bodiesOfOther) },
			{ ...given, W: { ...given.W!, column } },
			{ ...given, contacts: given.contacts - 1 },
			{ ...given, W: { ...given.W!, column: column.slice(0, -1) } },
		];
		for (const problem of wrong) expect(() => solver.solve(problem)).toThrow(/pattern: is not the one/);
		expect(() => prepareSolver(bodies).solve(given)).toThrow(/pattern/);
		expect(() => solver.solve(undefined as unknown as Problem)).toThrow(/pattern/);
	});

	test("values that make no sense, as by solve", () => {
		for (const problem of [given, bodies]) {
			const solver = prepareSolver(problem);
			const q = problem.q.slice();
			q[7] = Number.NaN;
			expect(() => solver.solve({ ...problem, q })).toThrow(/q\[7\]: is NaN/);
			const mu = problem.mu.map((value, a) => (a === 3 ? -1 : value));
			expect(() => solver.solve({ ...problem, mu })).toThrow(/mu\[3\]: is -1/);
		}
		const short = { ...given.W!, values: given.W!.values.slice(0, -9) };
		expect(() => prepareSolver(given).solve({ ...given, W: short })).toThrow(/W\.rowStart/);
		expect(() => prepareSolver(given, { tolerance: -1 })).toThrow(/tolerance/);
	});

	test("nothing that the caller changes afterwards changes the pattern", () => {
		const W = { ...given.W!, column: given.W!.column.slice() };
		const solver = prepareSolver({ ...given, W });
		W.column.fill(0);
		expect(() => solver.solve({ ...given, W })).toThrow(/pattern/);
		expect(solver.solve(given).report.hash).toBe(solve(given).report.hash);
	});
});
