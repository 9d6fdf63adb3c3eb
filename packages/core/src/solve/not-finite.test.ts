/** Blocks of W that are not finite numbers: found as W is stored, and told in the words of the check, wherever they stand. */
import { expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { pile } from "../testing/gallery.js";
import { prepareSolver } from "./prepared.js";
import { solve, solveAsync } from "./solve.js";

const { rigid, ...rest } = pile("spheres", 60);
const W = assembleRigid(rigid!);
const good: Problem = { ...rest, W };

function withValue(index: number, value: number): Problem {
	const values = W.values.slice();
	values[index] = value;
	return { ...good, W: { ...W, values } };
}

const diagonal = 9 * W.column.indexOf(7, W.rowStart[7]!);
const coupling = 9 * (W.rowStart[8]! - 1) + 4;

test.each([
	["the first block", 0, Number.NaN],
	["a diagonal block", diagonal, Number.POSITIVE_INFINITY],
	["a coupling", coupling, Number.NaN],
	["the last entry", W.values.length - 1, Number.NEGATIVE_INFINITY],
])("%s", async (_, index, value) => {
	const bad = withValue(index, value);
	const message = `W.values[${index}]: is ${value}`;
	expect(() => solve(bad)).toThrow(message);
	expect(() => solve(bad)).toThrow(InputError);
	await expect(solveAsync(bad)).rejects.toThrow(message);
	const solver = prepareSolver(good);
	expect(() => solver.solve(bad)).toThrow(message);
	expect(solver.solve(good).reaction).toEqual(solve(good).reaction);
	expect(() => prepareSolver(bad)).toThrow(message);
	// Where W is not what is stored.
	const both = { ...bad, rigid: rigid! };
	expect(() => solve(both, { set: { operator: "matrix-free" } })).toThrow(message);
});

test("blocks that are finite, and whose sums are not, are no bad input", () => {
	const large = withValue(coupling, 1.7e308);
	large.W!.values[coupling + 1] = 1.7e308;
	expect(solve(large, { maxIterations: 3 }).report.status).not.toBe("solved");
});
