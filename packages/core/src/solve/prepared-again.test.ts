/** A prepared solver over many solves: what it keeps from one to the next is never seen in an answer, and does not grow. */

import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { FIRST_ORDER } from "../testing/methods.js";
import type { SolveOptions } from "./options.js";
import { prepareSolver } from "./prepared.js";
import { solve } from "./solve.js";

const made = generate("spheres", { contacts: 200, seed: 5 });
const { rigid, ...rest } = made;
const given: Problem = { ...rest, W: assembleRigid(rigid) };

/** The same rows, the columns of each the other way round. */
function turned({ rows, rowStart, column, values }: BlockMatrix): BlockMatrix {
	const [columns, blocks] = [column.slice(), values.slice()];
	for (let row = 0; row < rows; row += 1) {
		const [from, end] = [rowStart[row]!, rowStart[row + 1]!];
		for (let k = from; k < end; k += 1) {
			const source = from + end - 1 - k;
			columns[k] = column[source]!;
			blocks.set(values.subarray(9 * source, 9 * source + 9), 9 * k);
		}
	}
	return { rows, rowStart, column: columns, values: blocks };
}

const forms: [string, Problem, string][] = [
	["W given", given, "assembled"],
	["W given, columns that fall", { ...given, W: turned(given.W!) }, "assembled"],
	["W of bodies", made, "assembled"],
	["matrix-free", made, "matrix-free"],
];
const ways: [string, SolveOptions][] = [
	["auto", {}],
	["pqn", { method: "pqn" }],
	["pqn, scaling=none", { method: "pqn", set: { scaling: "none" } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	...FIRST_ORDER.map((method): [string, SolveOptions] => [method, { method }]),
	["gauss-seidel", { method: "gauss-seidel", set: { reverse: "yes" } }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { patience: 3 } }],
	["tiles", { set: { tile: 8 } }],
];
const cases = forms.flatMap(([form, problem, operator]) =>
	ways.map(([way, options]) => [form, way, problem, operator, options] as const),
);

/** The problem in another motion, with another friction and bodies of another mass. */
function moved(problem: Problem, seed: number): Problem {
	const random = new Random(seed);
	const factor = random.between(0.5, 2);
	const scaled = (values: Float64Array) => values.map((value) => value * random.between(0.5, 1.5));
	return {
		...problem,
		q: scaled(problem.q),
		mu: scaled(problem.mu),
		...(problem.W && { W: { ...problem.W, values: problem.W.values.map((value) => value * factor) } }),
		...(problem.rigid && { rigid: { ...problem.rigid, inverseMass: scaled(problem.rigid.inverseMass) } }),
	};
}

test.each(cases)(
	"%s, %s: the bits of a plain solve, whoever used the memory in between",
	(_, __, problem, operator, options) => {
		for (const engine of ["wasm", "twin"]) {
			const given = { ...options, tolerance: 1e-6, maxIterations: 8, set: { ...options.set, operator, engine } };
			const [solver, other] = [prepareSolver(problem, given), prepareSolver(problem, given)];
			for (let seed = 1; seed <= (engine === "wasm" ? 3 : 1); seed += 1) {
				const next = moved(problem, seed);
				const plain = solve(next, given);
				const prepared = solver.solve(next);
				other.solve(moved(problem, seed + 10));
				expect([...prepared.velocity]).toEqual([...plain.velocity]);
				expect(prepared.report.hash).toBe(plain.report.hash);
				expect(prepared.report.operator).toBe(plain.report.operator);
				expect([prepared.report.iterations, prepared.report.products, prepared.report.reductions]).toEqual([
					plain.report.iterations,
					plain.report.products,
					plain.report.reductions,
				]);
				expect([prepared.report.exchanges, prepared.report.reason]).toEqual([
					plain.report.exchanges,
					plain.report.reason,
				]);
			}
		}
	},
);

test("an answer is the caller's own: the next solve does not change it", () => {
	const solver = prepareSolver(given);
	const first = solver.solve(given);
	const [reaction, velocity] = [first.reaction.slice(), first.velocity.slice()];
	solver.solve(moved(given, 2));
	expect([first.reaction, first.velocity]).toEqual([reaction, velocity]);
});

test("a solve within a solve of the same solver", () => {
	const next = moved(given, 4);
	const inner: string[] = [];
	const keep = { request: 1, save: () => {} };
	const options: SolveOptions = { tolerance: 1e-6, keep };
	const solver = prepareSolver(given, options);
	keep.save = () => {
		keep.request = 0;
		inner.push(solver.solve(next).report.hash);
	};
	const outer = solver.solve(given).report.hash;
	expect(inner).toEqual([solve(next, { tolerance: 1e-6 }).report.hash]);
	expect(outer).toBe(solve(given, { tolerance: 1e-6 }).report.hash);
});

/** Of the InputError that it has to throw. */
function wordsOf(work: () => void): string {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return (error as Error).message;
	}
	return "";
}

describe("between two solves of a prepared solver", () => {
	test("a pattern changed in place is noticed, wherever it was changed", () => {
		const W = { ...given.W!, rowStart: given.W!.rowStart.slice(), column: given.W!.column.slice() };
		const body = rigid.body.slice();
		const [ofRows, ofBodies] = [prepareSolver({ ...given, W }), prepareSolver({ ...made, rigid: { ...rigid, body } })];
		const both = () => [ofRows.solve({ ...given, W }), ofBodies.solve({ ...made, rigid: { ...rigid, body } })];
		const before = both().map(({ report }) => report.hash);
		for (const [indices, solver] of [
			[W.column, () => ofRows.solve({ ...given, W })],
			[W.rowStart, () => ofRows.solve({ ...given, W })],
			[body, () => ofBodies.solve({ ...made, rigid: { ...rigid, body } })],
		] as const) {
			const { length } = indices;
			for (const at of [0, 1, 2, 3, length >> 1, length - 4, length - 3, length - 2, length - 1]) {
				const kept = indices[at]!;
				indices[at] = kept ^ 1;
				expect(solver).toThrow(/pattern: is not the one/);
				indices[at] = kept;
			}
		}
		expect(both().map(({ report }) => report.hash)).toEqual(before);
	});

	test("values that are not finite, or no system has: the words of a plain solve, and the next one is sound", () => {
		const wrong = (values: Float64Array, at: number, value: number) => {
			const copy = values.slice();
			copy[at] = value;
			return copy;
		};
		const W = given.W!;
		const own = 9 * W.column.indexOf(5, W.rowStart[5]);
		const bad: Problem[] = [
			...[own, own + 9, W.values.length - 1].flatMap((at) =>
				[Number.NaN, Number.POSITIVE_INFINITY].map((value) => ({
					...given,
					W: { ...W, values: wrong(W.values, at, value) },
				})),
			),
			{ ...given, W: { ...W, values: wrong(W.values, own, -1) } },
			{ ...made, rigid: { ...rigid, frame: wrong(rigid.frame, 100, Number.NaN) } },
			{ ...made, rigid: { ...rigid, arm: wrong(rigid.arm, 100, Number.NEGATIVE_INFINITY) } },
			{ ...made, rigid: { ...rigid, inverseMass: wrong(rigid.inverseMass, 3, 0) } },
			{ ...made, rigid: { ...rigid, inverseInertia: wrong(rigid.inverseInertia, 6, -1) } },
		];
		const [ofRows, ofBodies] = [prepareSolver(given), prepareSolver(made)];
		for (const problem of bad) {
			const words = wordsOf(() => solve(problem));
			expect(words).not.toBe("");
			const [solver, sound] = problem.W ? [ofRows, given] : [ofBodies, made];
			expect(wordsOf(() => solver.solve(problem))).toBe(words);
			expect(solver.solve(sound).report.hash).toBe(solve(sound).report.hash);
		}
	});

	test.each(forms)("%s: memory is flat over a thousand solves", (_, problem, operator) => {
		const collect = runInNewContext("gc") as () => void;
		const used = () => {
			collect();
			collect();
			const { heapUsed, arrayBuffers } = process.memoryUsage();
			return heapUsed + arrayBuffers;
		};
		const solver = prepareSolver(problem, { maxIterations: 2, set: { operator } });
		for (let i = 0; i < 300; i += 1) solver.solve(problem);
		const before = used();
		for (let i = 0; i < 1000; i += 1) solver.solve(problem);
		// A single number per contact and solve would be 1.6 megabytes; code that is compiled meanwhile is half of one.
		expect(used() - before).toBeLessThan(2 ** 20);
	});
});
