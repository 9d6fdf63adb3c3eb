/** Operators of both engines side by side: the same bits from W's product, from sweeps either way and from the triangle. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { OperatorName } from "../outline/choose.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { condense } from "../problem/condense.js";
import { lawNames } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { firstDifference } from "../testing/bits.js";
import { gallery, pile } from "../testing/gallery.js";
import { withLaws } from "../testing/laws.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleRolling } from "../testing/samples.js";
import { systemDefaults, systemOf } from "./system.js";

/** Everything an operator does, one after another, as one long row of numbers. */
function trace(problem: Problem, operator: OperatorName, engine: "wasm" | "twin"): Float64Array {
	const system = systemOf(problem, { ...systemDefaults, operator, engine });
	const random = new Random(5);
	const { r, u, length, blocks, arena } = system;
	const [c, z] = [system.operand(), system.operand()];
	const [x, p] = [arena.vector(9 * blocks), arena.vector(9 * blocks)];
	const numbers: number[] = [];
	for (const v of [r, c]) for (let i = 0; i < 3 * blocks; i += 1) v.values[i] = random.between(-1, 1);
	system.operator.apply(c, u);
	numbers.push(...u.values.slice(0, length));
	system.project(r);
	for (const [backward, relax, alpha, omega = 0] of [
		[false, 1, 0],
		[true, 1, 0],
		[false, 1.3, 0],
		[true, 0.8, 0.1],
		[false, 1, 0],
		[true, 1, 0.01],
		[false, 1, 0.3],
		[false, 1, 0, 0.9],
		[true, 0.8, 0, 0.5],
	] as const) {
		system.operator.sweep?.(system, r, backward, relax, alpha, omega);
		numbers.push(...r.values);
	}
	for (let i = 0; i < 9 * blocks; i += 1) x.values[i] = random.between(-1, 1);
	for (let i = 0; i < 9 * blocks; i += 1) p.values[i] = random.between(-1, 1);
	system.operator.triangle?.(p, x, c, z);
	return Float64Array.from([...numbers, ...z.values]);
}

const mixedFriction = (problem: Problem): Problem => ({
	...problem,
	mu: problem.mu.map((value, a) => (a % 3 === 0 ? 0 : value)),
	name: `${problem.name}, every third contact without friction`,
});

const mixedLaws = (problem: Problem): Problem => {
	const names = lawNames().filter((name) => name !== "rolling");
	return {
		...withLaws(problem, (a) => ({ law: names[a % names.length]!, cohesion: 0.1 })),
		name: `${problem.name}, all laws`,
	};
};

const assembled: Problem[] = [
	...gallery,
	...[1, 2, 3, 63, 64, 65].map((contacts) => randomProblem({ seed: contacts, contacts, density: 0.1 })),
	mixedFriction(randomProblem({ seed: 21, contacts: 40, density: 0.05 })),
	mixedFriction(pile("spheres", 300)),
	pile("planks", 200),
	mixedLaws(randomProblem({ seed: 22, contacts: 60, density: 0.05 })),
	mixedLaws(pile("spheres", 300)),
	condense(sampleRolling({ seed: 4, contacts: 61, bodies: 20 }, 0.1)),
];

describe("twin and WebAssembly", () => {
	test.each(assembled.map((problem) => [problem.name, problem] as const))("assembled: %s", (_, problem) => {
		expect(firstDifference(trace(problem, "assembled", "wasm"), trace(problem, "assembled", "twin"))).toBe(-1);
	});

	const rigid = assembled.filter((problem) => problem.rigid !== undefined);
	test.each(rigid.map((problem) => [problem.name, problem] as const))(
		"W formed as it is stored, and before: %s",
		(_, of) => {
			const { W: _W, ...problem } = of;
			const given = { ...problem, W: assembleRigid(problem.rigid!) };
			expect(firstDifference(trace(problem, "assembled", "wasm"), trace(given, "assembled", "wasm"))).toBe(-1);
		},
	);

	test.each(rigid.map((problem) => [problem.name, problem] as const))("matrix-free: %s", (_, problem) => {
		expect(firstDifference(trace(problem, "matrix-free", "wasm"), trace(problem, "matrix-free", "twin"))).toBe(-1);
	});
});
