/** energy is free of units and of the choice of tangents: the number stays, to rounding, where the others change. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { oneContact } from "../testing/closed-forms.js";
import { gallery, pile } from "../testing/gallery.js";
import { inUnits, withTurnedTangents } from "../testing/transform.js";

function energyOf(problem: Problem, r: Float64Array): number {
	const system = systemOf(problem, { ...systemDefaults, operator: "assembled" }, { r });
	system.startAt(system.r);
	system.velocity(system.r, system.u);
	return system.measures.energy(system.r, system.u);
}

function naturalOf(problem: Problem, r: Float64Array): number {
	const system = systemOf(problem, { ...systemDefaults, operator: "assembled" }, { r });
	system.startAt(system.r);
	system.velocity(system.r, system.u);
	return system.measures.natural(system.r, system.u);
}

/** Nearly flat, and not singular: what is a small determinant in some units is a large one in others. */
const flat = { ...oneContact([1, 0, 0, 0, 1e-7, 0, 0, 0, 1e-7], [-1, 1e-3, 2e-3], 0.5), name: "diag(1, 1e-7, 1e-7)" };
/** All blocks are singular: what stands for the energy of the free motion has its units. */
const blocked = { ...oneContact([2, 0, 0, 0, 1, 0, 0, 0, 0], [-1, 0.2, 0.1], 0.5), name: "a blocked tangent" };

const problems = [...gallery, pile("planks", 120), flat, blocked].filter((problem) =>
	problem.q.some((value) => value !== 0),
);
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
		[1e9, 1e-9],
		[1e-9, 1e9],
	])("W times %d, q times %d", (a, b) => {
		const changed = energyOf(
			inUnits(problem, a, b),
			r.map((value) => (b / a) * value),
		);
		expect(Math.abs(changed / before - 1)).toBeLessThan(1e-12);
	});

	// Equality rows have no tangents, and V would have to be turned too.
	if (problem.equalities === undefined) {
		test("tangents turned about the normals", () => {
			const { problem: turned, turn } = withTurnedTangents(problem, 3);
			expect(Math.abs(energyOf(turned, turn(r)) / before - 1)).toBeLessThan(1e-12);
		});
	}
});

test("a nearly flat block, by hand: the blocked directions enlarge no denominator", () => {
	// R = 0, U = q = (-1, 0, 1e-3), mu = 0: F = q, e = (-3, 0, 0) but for 1e-7 in the trace, since the cone is the ray of normals.
	// <W^-1 q, q> = 1 + 1e-6 / 1e-7 = 11 does not enter: the error at zero is 1, and R = .5 halves it.
	const problem = oneContact([1, 0, 0, 0, 1e-7, 0, 0, 0, 1e-7], [-1, 0, 1e-3], 0);
	for (const scaling of ["contact", 1] as const) {
		const system = systemOf(problem, { ...systemDefaults, scaling });
		system.velocity(system.r, system.u);
		expect(system.singular.size).toBe(0);
		expect(system.measures.energy(system.r, system.u)).toBe(1);
		system.store(Float64Array.of(0.5, 0, 0), system.r, -1);
		system.velocity(system.r, system.u);
		expect(system.measures.energy(system.r, system.u)).toBeCloseTo(0.5, 12);
	}
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
