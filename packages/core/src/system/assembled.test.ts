/** The assembled operator against the dense product, and what its layout promises: rows do not notice their neighbours. */

import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { OrderName } from "../outline/layout.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { loadById, storeById } from "../testing/by-id.js";
import { denseOf, denseOfCsr, difference, product } from "../testing/dense.js";
import { randomProblem, reals } from "../testing/random-problems.js";
import { permuted } from "../testing/transform.js";

/** W x in the problem's order and units, through the whole system. */
function multiply(problem: Problem, x: Float64Array, options: Partial<typeof systemDefaults> = {}): Float64Array {
	const system = systemOf(problem, { ...systemDefaults, operator: "assembled", ...options });
	const [from, to] = [system.operand(), system.vector()];
	storeById(system, x, from, -1);
	system.operator.apply(from, to);
	return loadById(system, to, 1).slice(0, x.length);
}

/** Row a couples with everybody when it is one of the first `full`, else with itself alone: rows of very different lengths. */
function uneven(contacts: number, full: number): Problem {
	const problem = randomProblem({ seed: 17, contacts });
	const W = problem.W!;
	const rowStart = new Int32Array(contacts + 1);
	const column: number[] = [];
	const values: number[] = [];
	for (let a = 0; a < contacts; a += 1) {
		for (let k = W.rowStart[a]!; k < W.rowStart[a + 1]!; k += 1) {
			if (W.column[k] !== a && a >= full && W.column[k]! >= full) continue;
			column.push(W.column[k]!);
			values.push(...W.values.subarray(9 * k, 9 * k + 9));
		}
		rowStart[a + 1] = column.length;
	}
	const matrix: BlockMatrix = {
		rows: contacts,
		rowStart,
		column: Int32Array.from(column),
		values: Float64Array.from(values),
	};
	return { ...problem, name: "uneven", W: matrix };
}

const problems: Problem[] = [
	...[1, 2, 3, 7, 8, 9, 33].map((contacts) => randomProblem({ seed: contacts, contacts })),
	{ ...randomProblem({ seed: 31, contacts: 25, skew: 0.5, density: 0.3 }), name: "unsymmetric" },
	{ ...randomProblem({ seed: 32, contacts: 21, spread: 1e8 }), name: "badly scaled" },
	uneven(41, 2),
	{ ...permuted(randomProblem({ seed: 33, contacts: 30, density: 0.4 }), 1).problem, name: "unsorted columns" },
];

describe.each(["coloured", "shuffled", "file"] as OrderName[])("order %s", (order) => {
	test.each(problems.map((problem) => [problem.name, problem] as const))("%s is the dense product", (_, problem) => {
		const x = reals(new Random(4), 3 * problem.contacts);
		const wanted = product(denseOf(problem.W!), x);
		expect(difference(multiply(problem, x, { order }), wanted)).toBeLessThan(1e-14);
		expect(difference(multiply(problem, x, { order, scaling: 1 }), wanted)).toBeLessThan(1e-14);
	});
});

test("equality rows: [W V; V^T R], blocks of three filled up with an identity", () => {
	for (const equalityRows of [1, 2, 3, 4, 7]) {
		const problem = randomProblem({ seed: 40 + equalityRows, contacts: 6, equalityRows });
		const system = systemOf(problem, { ...systemDefaults, scaling: 1 });
		const { V, R } = problem.equalities!;
		const random = new Random(5);
		const [r, l] = [reals(random, 18), reals(random, equalityRows)];
		const [from, to] = [system.operand(), system.vector()];
		const whole = new Float64Array(3 * system.blocks);
		whole.set(r);
		whole.set(l, 18);
		storeById(system, whole, from, -1);
		system.operator.apply(from, to);
		const found = loadById(system, to, 1);
		const dense = denseOfCsr(V);
		const transposed = Float64Array.from(dense, (_, k) => dense[(k % 18) * equalityRows + Math.floor(k / 18)]!);
		const add = (x: Float64Array, y: Float64Array): Float64Array => x.map((value, i) => value + y[i]!);
		expect(difference(found.slice(0, 18), add(product(denseOf(problem.W!), r), product(dense, l)))).toBeLessThan(1e-14);
		const wanted = add(product(transposed, r), product(denseOfCsr(R), l));
		expect(difference(found.slice(18, 18 + equalityRows), wanted)).toBeLessThan(1e-14);
		expect([...found.slice(18 + equalityRows)]).toEqual(new Array(found.length - 18 - equalityRows).fill(0));
	}
});

test("a row's bits do not depend on the row beside it, nor on the order the columns came in", () => {
	const problem = randomProblem({ seed: 50, contacts: 35, density: 0.3 });
	const x = reals(new Random(6), 105);
	const orders: Float64Array[] = [];
	for (const order of ["coloured", "shuffled", "file"] as const) {
		for (const seed of [1, 2, 3]) orders.push(multiply(problem, x, { order, seed, scaling: 1 }));
	}
	for (const found of orders) expect(found).toEqual(orders[0]);
	const W = problem.W!;
	const column = W.column.slice();
	const values = W.values.slice();
	for (let a = 0; a < W.rows; a += 1) {
		// The row backwards.
		const [from, end] = [W.rowStart[a]!, W.rowStart[a + 1]!];
		for (let k = from; k < end; k += 1) {
			column[k] = W.column[from + end - 1 - k]!;
			values.set(W.values.subarray(9 * (from + end - 1 - k), 9 * (from + end - k)), 9 * k);
		}
	}
	const backwards = { ...problem, W: { ...W, column, values } };
	expect(multiply(backwards, x, { scaling: 1 })).toEqual(orders[0]);
});
