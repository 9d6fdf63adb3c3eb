/** CG and MINRES on diagonal and on full symmetric matrices, beside dense elimination: answers, numbers of steps, and where CG ends. */
import { describe, expect, test } from "vitest";
import type { Vector } from "../kernels/arena.js";
import { systemOf } from "../system/system.js";
import { randomProblem } from "../testing/random-problems.js";
import { Cg } from "./cg.js";
import type { LinearProblem } from "./gmres.js";
import { Minres } from "./minres.js";

/** A diagonal matrix in the space of a system, and a preconditioner that is another one. */
function diagonal(values: readonly number[], preconditioner: readonly number[]): LinearProblem {
	const times = (by: readonly number[]) => (x: Vector, y: Vector) => {
		for (const [i, value] of by.entries()) y.values[i] = value * x.values[i]!;
	};
	return { apply: times(values), precondition: times(preconditioner) };
}

const system = systemOf(randomProblem({ seed: 1, contacts: 20, mu: 0 }));
const size = 60;

function solved(Solver: typeof Cg | typeof Minres, values: readonly number[], preconditioner: readonly number[]) {
	const [b, x] = [system.vector(), system.vector()];
	for (let i = 0; i < size; i += 1) b.values[i] = 1 + Math.sin(i);
	const norm = system.norm(b);
	const solver = new Solver(system);
	const steps = solver.solve(diagonal(values, preconditioner), b, x, {
		norm,
		target: 1e-12 * norm,
		iterationsMax: 200,
	});
	const error = values.reduce((most, value, i) => Math.max(most, Math.abs(x.values[i]! - b.values[i]! / value)), 0);
	return { steps, error, products: solver.products };
}

const ones = new Array<number>(size).fill(1);

describe.each([
	["cg", Cg],
	["minres", Minres],
] as const)("%s", (_, Solver) => {
	test("as many steps as A has different eigenvalues, with a preconditioner as P A has", () => {
		const five = ones.map((_, i) => 1 + (i % 5));
		const { steps, error } = solved(Solver, five, ones);
		expect(error).toBeLessThan(1e-10);
		expect(steps).toBe(5);
		const spread = ones.map((_, i) => 10 ** (i % 7));
		const both = solved(
			Solver,
			spread,
			spread.map((value, i) => (1 + (i % 3)) / value),
		);
		expect(both.error).toBeLessThan(1e-10);
		expect(both.steps).toBe(3);
	});

	test("nothing to solve: no step", () => {
		const [b, x] = [system.vector(), system.vector()];
		x.values.fill(7, 0, size);
		expect(new Solver(system).solve(diagonal(ones, ones), b, x, { norm: 0, target: 0, iterationsMax: 9 })).toBe(0);
		expect(x.values.every((value) => value === 0)).toBe(true);
	});

	test("a limit is kept", () => {
		const values = ones.map((_, i) => 1 + i);
		const [b, x] = [system.vector(), system.vector()];
		b.values.fill(1, 0, size);
		const options = { norm: system.norm(b), target: 0, iterationsMax: 4 };
		expect(new Solver(system).solve(diagonal(values, ones), b, x, options)).toBe(4);
	});
});

test("what is indefinite ends CG, and MINRES solves it", () => {
	const mixed = ones.map((_, i) => (i % 3 === 0 ? -2 : 1 + (i % 2)));
	expect(solved(Minres, mixed, ones).error).toBeLessThan(1e-10);
	expect(solved(Minres, mixed, ones).steps).toBeLessThanOrEqual(3);
	const negative = ones.map(() => -1);
	expect(solved(Cg, negative, ones).steps).toBe(0);
});
