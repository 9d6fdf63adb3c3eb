import { expect, test } from "vitest";
import { sampleProblem } from "../testing/samples.js";
import type { Problem } from "./problem.js";
import { validateProblem } from "./validate.js";

const good = sampleProblem({ seed: 2, contacts: 6, bodies: 3, equalityRows: 2 });
const withValue = <List extends Float64Array | Int32Array>(list: List, index: number, value: number): List => {
	const copy = list.slice() as List;
	copy[index] = value;
	return copy;
};
const W = good.W!;
const rigid = good.rigid!;
const global = good.global!;
const equalities = good.equalities!;
const { b: _, ...withoutRows } = global;
const withDiagonal = (values: readonly number[]): Problem => {
	const diagonal = { rows: 6, rowStart: Int32Array.of(0, 1, 2, 3, 4, 5, 6), column: Int32Array.of(0, 1, 2, 3, 4, 5) };
	const block = Float64Array.from({ length: 54 }, (_, k) =>
		Math.floor(k / 9) === 4 ? values[k % 9]! : (k % 9) % 4 === 0 ? 1 : 0,
	);
	return { ...good, W: { ...diagonal, values: block } };
};

test("a good problem passes, and singular diagonal blocks are told", () => {
	expect(validateProblem(good).singular).toEqual([]);
	expect(validateProblem(withDiagonal([1, 0, 0, 0, 1, 0, 0, 0, 0])).singular).toEqual([4]);
});

test.each<[string, Problem, RegExp]>([
	["no contacts", { ...good, contacts: 0 }, /contacts: there are none; nothing touches/],
	["a short q", { ...good, q: good.q.subarray(1) }, /q: has 17 values instead of 18/],
	["NaN in q", { ...good, q: withValue(good.q, 5, Number.NaN) }, /q\[5\]: is NaN/],
	["negative friction", { ...good, mu: withValue(good.mu, 3, -0.1) }, /mu\[3\]: is -0.1; give friction/],
	["NaN friction", { ...good, mu: withValue(good.mu, 3, Number.NaN) }, /mu\[3\]: is NaN/],
	["no W at all", { name: "x", contacts: 6, q: good.q, mu: good.mu }, /W: is missing/],
	[
		"a block out of range",
		{ ...good, W: { ...W, column: withValue(W.column, 1, 6) } },
		/W.column\[1\]: is 6, out of range/,
	],
	[
		"a block twice",
		{ ...good, W: { ...W, column: withValue(W.column, 1, W.column[0]!) } },
		/W.column\[1\]: names block column/,
	],
	[
		"falling row starts",
		{ ...good, W: { ...W, rowStart: withValue(W.rowStart, 2, 0) } },
		/W.rowStart\[2\]: decreases to 0/,
	],
	[
		"rows beyond the arrays",
		{ ...good, W: { ...W, rowStart: withValue(W.rowStart, 6, 99) } },
		/W.rowStart\[6\]: ends at 99/,
	],
	[
		"infinity in W",
		{ ...good, W: { ...W, values: withValue(W.values, 9, Number.POSITIVE_INFINITY) } },
		/W.values\[9\]: is Infinity/,
	],
	["a zero block", withDiagonal([0, 0, 0, 0, 0, 0, 0, 0, 0]), /W, diagonal block 4 \(rows 12 to 14\): is zero/],
	["an indefinite block", withDiagonal([1, 0, 0, 0, 1, 0, 0, 0, -1]), /W, diagonal block 4 .*: is indefinite/],
	[
		"an unknown body",
		{ ...good, rigid: { ...rigid, body: withValue(rigid.body, 1, 3) } },
		/rigid.body\[1\]: is 3, out of range/,
	],
	[
		"negative mass",
		{ ...good, rigid: { ...rigid, inverseMass: withValue(rigid.inverseMass, 0, -1) } },
		/rigid.inverseMass\[0\]: is negative/,
	],
	[
		"zero inverse mass",
		{ ...good, rigid: { ...rigid, inverseMass: withValue(rigid.inverseMass, 2, 0) } },
		/rigid.inverseMass\[2\]: is zero; make a body that does not move an obstacle/,
	],
	[
		"an inertia that pulls",
		{ ...good, rigid: { ...rigid, inverseInertia: withValue(rigid.inverseInertia, 7, -1) } },
		/rigid.inverseInertia, body 1: is indefinite; give xx/,
	],
	[
		"an inertia with too large a product",
		{ ...good, rigid: { ...rigid, inverseInertia: withValue(rigid.inverseInertia, 15, 100) } },
		/rigid.inverseInertia, body 2: is indefinite/,
	],
	[
		"a contact between obstacles",
		{ ...good, rigid: { ...rigid, body: withValue(withValue(rigid.body, 8, -1), 9, -1) } },
		/rigid.body\[8\]: contact 4 is between two obstacles; leave/,
	],
	[
		"a body that touches itself",
		{ ...good, rigid: { ...rigid, body: withValue(withValue(rigid.body, 4, 1), 5, 1) } },
		/rigid.body\[4\]: contact 2 is between body 1 and itself; leave/,
	],
	[
		"G without the equality rows that it gives",
		{ name: "x", contacts: 6, q: good.q, mu: good.mu, global },
		/equalities: has 0 rows, and the global form has 2 .*condense/,
	],
	["G without b", { ...good, global: withoutRows }, /global.b: is missing, although/],
	["a short w", { ...good, global: { ...global, w: global.w.subarray(1) } }, /global.w: has 17/],
	[
		"H of another size",
		{ ...good, global: { ...global, H: { ...global.H, columns: 17 } } },
		/global.H: is 18 x 17 instead of 18 x 18/,
	],
	[
		"a short s",
		{ ...good, equalities: { ...equalities, s: new Float64Array(1) } },
		/equalities.s: has 1 values instead of 2/,
	],
	[
		"a guess of another size",
		{ ...good, guesses: [{ r: new Float64Array(3) }] },
		/guesses\[0\].r: has 3 values instead of 18/,
	],
	["NaN in a guess", { ...good, guesses: [{ r: withValue(good.q, 0, Number.NaN) }] }, /guesses\[0\].r\[0\]: is NaN/],
])("%s is an InputError with place and remedy", (_, problem, message) => {
	expect(() => validateProblem(problem)).toThrow(message);
});
