import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { InputError } from "../base/errors.js";
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

const W_REMEDY = "give an object with rows, rowStart, column and values";
const RIGID_REMEDY = "give an object with body, frame, arm, inverseMass and inverseInertia";
const of = (field: "W" | "rigid" | "global" | "equalities" | "geometry", change: object) => ({
	[field]: { ...good[field], ...change },
});

/** What callers without types give. */
test.each<[object, string]>([
	[{ contacts: [6] }, "contacts: is an array; give a whole number"],
	[{ q: undefined }, "q: is missing; give a Float64Array"],
	[{ q: null }, "q: is not a Float64Array; give 18 numbers in a Float64Array"],
	[{ q: [...good.q] }, "q: is not a Float64Array; give 18 numbers in a Float64Array"],
	[{ q: Float32Array.from(good.q) }, "q: is not a Float64Array; give 18 numbers in a Float64Array"],
	[{ mu: undefined }, "mu: is missing; give a Float64Array"],
	[{ mu: 0.5 }, "mu: is not a Float64Array; give 6 numbers in a Float64Array"],
	[{ W: null }, `W: is null; ${W_REMEDY}`],
	[{ W: 5 }, `W: is 5; ${W_REMEDY}`],
	[{ W: {} }, "W.rowStart: is missing; give an Int32Array"],
	[of("W", { values: undefined }), "W.values: is missing; give a Float64Array"],
	[of("W", { values: [...W.values] }), "W.values: is not a Float64Array; give a Float64Array"],
	[of("W", { values: Float32Array.from(W.values) }), "W.values: is not a Float64Array; give a Float64Array"],
	[of("W", { column: null }), "W.column: is not an Int32Array; give an Int32Array"],
	[of("W", { column: [...W.column] }), "W.column: is not an Int32Array; give an Int32Array"],
	[of("W", { rowStart: Uint32Array.from(W.rowStart) }), "W.rowStart: is not an Int32Array; give an Int32Array"],
	[{ rigid: null }, `rigid: is null; ${RIGID_REMEDY}`],
	[{ rigid: {} }, "rigid.inverseMass: is missing; give a Float64Array"],
	[of("rigid", { body: undefined }), "rigid.body: is missing; give an Int32Array"],
	[of("rigid", { body: [...rigid.body] }), "rigid.body: is not an Int32Array; give 12 numbers in an Int32Array"],
	...["frame", "arm", "inverseMass", "inverseInertia"].map((field): [object, string] => [
		of("rigid", { [field]: undefined }),
		`rigid.${field}: is missing; give a Float64Array`,
	]),
	[{ global: null }, "global: is null; give an object with M, H, f and w"],
	[{ global: {} }, "global.f: is missing; give a Float64Array"],
	[
		of("global", { M: undefined }),
		"global.M: is missing; give an object with rows, columns, rowStart, column and values",
	],
	[of("global", { H: { ...global.H, values: [] } }), "global.H.values: is not a Float64Array; give a Float64Array"],
	[of("global", { w: undefined }), "global.w: is missing; give a Float64Array"],
	[of("global", { b: null }), "global.b: is not a Float64Array; give a Float64Array"],
	[of("global", { G: null }), "global.G: is null; give an object with rows, columns, rowStart, column and values"],
	[{ equalities: null }, "equalities: is null; give an object with count, V, R and s"],
	[{ equalities: {} }, "equalities.count: is missing; give the number of rows"],
	[{ equalities: { count: -1 } }, "equalities.count: is -1; give the number of rows"],
	[of("equalities", { V: undefined }), "equalities.V: is missing; give an object with rows, columns"],
	[of("equalities", { s: [0, 0] }), "equalities.s: is not a Float64Array; give 2 numbers in a Float64Array"],
	[{ geometry: null }, "geometry: is null; give an object with point, body or both"],
	[{ geometry: { point: null } }, "geometry.point: is not a Float64Array; give 18 numbers in a Float64Array"],
	[{ geometry: { body: [...rigid.body] } }, "geometry.body: is not an Int32Array; give 12 numbers in an Int32Array"],
	[{ guesses: 5 }, "guesses: is 5; give a list of objects with r"],
	[{ guesses: [null] }, "guesses[0]: is null; give an object with r, three numbers per contact"],
	[{ guesses: [{}] }, "guesses[0].r: is missing; give a Float64Array"],
	[{ guesses: [{ r: good.q, l: [1, 2] }] }, "guesses[0].l: is not a Float64Array; give 2 numbers in a Float64Array"],
])("what is no array or no object, case %#", (change, message) => {
	const problem = { ...good, name: "case", ...change } as Problem;
	let error: unknown;
	try {
		validateProblem(problem);
	} catch (thrown) {
		error = thrown;
	}
	expect(error).toBeInstanceOf(InputError);
	expect((error as Error).message).toContain(`case: ${message}`);
});

test("arrays in shared memory, and those of another realm, are arrays", () => {
	const shared = new Float64Array(new SharedArrayBuffer(8 * good.q.length));
	shared.set(good.q);
	const [Reals, Indices] = runInNewContext("[Float64Array, Int32Array]") as [
		Float64ArrayConstructor,
		Int32ArrayConstructor,
	];
	const foreign = { ...W, column: Indices.from(W.column), values: Reals.from(W.values) };
	expect(foreign.values).not.toBeInstanceOf(Float64Array);
	expect(validateProblem({ ...good, q: shared, W: foreign }).singular).toEqual([]);
});
