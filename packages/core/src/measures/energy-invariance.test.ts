/** energy is free of units and of the choice of tangents: the number stays, to rounding, where the others change. */
import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { Random } from "../random.js";
import { System, systemDefaults } from "../system/system.js";
import { gallery, pile } from "../testing/gallery.js";
import { inUnits, withTurnedTangents } from "../testing/transform.js";

function energyOf(problem: Problem, r: Float64Array): number {
	const system = new System(problem, { ...systemDefaults, operator: "assembled" });
	system.startAt({ r }, system.r);
	system.velocity(system.r, system.u);
	return system.measures.energy(system.r, system.u);
}

function naturalOf(problem: Problem, r: Float64Array): number {
	const system = new System(problem, { ...systemDefaults, operator: "assembled" });
	system.startAt({ r }, system.r);
	system.velocity(system.r, system.u);
	return system.measures.natural(system.r, system.u);
}

const problems = [...gallery, pile("planks", 120)].filter((problem) => problem.q.some((value) => value !== 0));
const reactionOf = (problem: Problem): Float64Array => {
	const random = new Random(problem.contacts);
	return problem.q.map((_, i) => (i % 3 === 0 ? random.between(0, 1) : random.between(-0.3, 0.3)));
};

describe.each(problems.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
	const r = reactionOf(problem);
	const before = energyOf(problem, r);

	// kg for g, mm for m, ms for s, a step's mean force for its impulse; a and b are what they make of W and q.
	test.each([
		[1000, 1],
		[1, 1e3],
		[1e-9, 1e-3],
		[0.37, 4.1e5],
		[1e12, 1e-6],
	])("W times %d, q times %d", (a, b) => {
		const changed = energyOf(
			inUnits(problem, a, b),
			r.map((value) => (b / a) * value),
		);
		expect(Math.abs(changed / before - 1)).toBeLessThan(1e-12);
	});

	test("tangents turned about the normals", () => {
		const { problem: turned, turn } = withTurnedTangents(problem, 3);
		if (problem.equalities) return;
		expect(Math.abs(energyOf(turned, turn(r)) / before - 1)).toBeLessThan(1e-12);
	});
});

test("natural does depend on units: that is why energy is the default", () => {
	const problem = problems[6]!;
	const r = reactionOf(problem);
	const scaled = naturalOf(
		inUnits(problem, 1e6, 1),
		r.map((value) => value / 1e6),
	);
	expect(Math.abs(scaled / naturalOf(problem, r) - 1)).toBeGreaterThan(0.1);
});
