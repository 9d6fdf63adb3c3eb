/** A contact that sticks, with friction up to 1e6: R = 0 has a small natural map then, and must not be called solved. */
import { expect, test } from "vitest";
import { methods } from "../methods/list.js";
import type { Problem } from "../problem/problem.js";
import { blocksOf } from "../testing/dense.js";
import { solve } from "./solve.js";

/** W = (2, .5, .2; .5, 1.5, .1; .2, .1, 1): U = 0 needs R_T below 1.5 R_N. */
function sticking(friction: number): Problem {
	return {
		name: "sticking",
		contacts: 1,
		W: blocksOf(Float64Array.of(2, 0.5, 0.2, 0.5, 1.5, 0.1, 0.2, 0.1, 1), 1),
		q: Float64Array.of(-1, 0.5, -0.7),
		mu: Float64Array.of(friction),
	};
}

const names = methods()
	.filter(
		({ name, operators }) =>
			name !== "mprgp" && name !== "gpminres" && !(operators && !operators.includes("assembled")),
	)
	.map(({ name }) => name);

test.each(names)("%s: what it calls solved, relative to R = 0, sticks", (method) => {
	for (const friction of [2, 10, 1e3, 1e6]) {
		const problem = sticking(friction);
		const atZero = solve(problem, { method: "jacobi", maxIterations: 0 }).report.energy;
		const { report, velocity } = solve(problem, { method, tolerance: 1e-2 * atZero, maxIterations: 1000 });
		const isWrong = report.status === "solved" && Math.max(...velocity.map(Math.abs)) > 0.05;
		expect([friction, isWrong]).toEqual([friction, false]);
	}
});
