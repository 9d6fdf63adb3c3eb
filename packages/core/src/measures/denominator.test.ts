/** What the measures divide by: <W_aa^-1 q_a, q_a> against dense solutions, its sum over a problem, and what replaces a zero. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { Arena } from "../kernels/arena.js";
import type { Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { oneContact } from "../testing/closed-forms.js";
import { solveDense } from "../testing/dense.js";
import { gallery } from "../testing/gallery.js";
import { energyDenominators } from "../testing/judge.js";
import { positiveDefinite, randomProblem, reals } from "../testing/random-problems.js";
import { inUnits } from "../testing/transform.js";
import { blockedTerm, meritDenominator } from "./denominator.js";

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
const symmetricPart = (w: Float64Array): Float64Array =>
	w.map((value, i) => 0.5 * (value + w[3 * (i % 3) + Math.floor(i / 3)]!));

/** The terms of a block as it is and of its symmetric part, and |unit q|^2, by the kernel. */
function termsOf(w: Float64Array, q: Float64Array, engine: "wasm" | "twin") {
	const arena = new Arena(engine);
	const [block, own, given, terms] = [arena.vector(9), arena.vector(3), arena.vector(3), arena.vector(192)];
	block.values.set(w);
	own.values.set(q);
	given.values.set(q);
	arena.kernels.freeTerms(1, block.at, own.at, given.at, 0.5, terms.at);
	const [energy, merit, square] = [terms.values[0]!, terms.values[64]!, terms.values[128]!];
	arena.release();
	return { energy, merit, square };
}

describe.each(["wasm", "twin"] as const)("a contact's term, %s", (engine) => {
	test("is <W^-1 q, q> of the block as it is, or of its symmetric part", () => {
		const random = new Random(3);
		const count = 50;
		const w = new Float64Array(9 * count);
		for (let a = 0; a < count; a += 1) {
			w.set(
				positiveDefinite(random, 3, 0.1).map((value, i) => value + (i % 4 === 0 ? 0 : 0.1 * random.between(-1, 1))),
				9 * a,
			);
		}
		const q = reals(random, 3 * count);
		for (let a = 0; a < count; a += 1) {
			const [block, own] = [w.slice(9 * a, 9 * a + 9), q.slice(3 * a, 3 * a + 3)];
			const { energy, merit, square } = termsOf(block, own, engine);
			expect(merit / dot(solveDense(block, own), own)).toBeCloseTo(1, 11);
			expect(energy / dot(solveDense(symmetricPart(block), own), own)).toBeCloseTo(1, 11);
			expect(square / (0.25 * dot(own, own))).toBeCloseTo(1, 11);
		}
	});

	test("takes pivots: a block whose first entry is nothing beside the others", () => {
		// [[e, 1], [1, 0]] and 1: x = (0, 1, 1) for q = (1, 0, 1) up to e, and <x, q> = 1.
		const w = Float64Array.of(1e-20, 1, 0, 1, 0, 0, 0, 0, 1);
		expect(termsOf(w, Float64Array.of(1, 0, 1), engine).merit).toBeCloseTo(1, 14);
	});

	test("of a blocked contact, by hand: 3 |q|^2 / trace", () => {
		const w = Float64Array.of(2, 0, 0, 0, 4, 0, 0, 0, 0);
		expect(blockedTerm(0, w, Float64Array.of(1, 2, 2))).toBe(4.5);
	});
});

describe("the sum", () => {
	const judged = gallery.filter((problem) => problem.q.some(Boolean));

	test.each(judged.map((problem) => [problem.name, problem] as const))("%s: whatever the scaling", (_, problem) => {
		const wanted = [...energyDenominators(problem).values()].reduce((sum, value) => sum + value, 0);
		for (const scaling of ["contact", 1] as const) {
			const { measures, unit } = systemOf(problem, { ...systemDefaults, scaling });
			expect((measures.energyScale / unit) ** 2 / wanted).toBeCloseTo(1, 9);
		}
	});
});

describe("instead of a zero", () => {
	test("energy takes the free motion where R = 0 solves the component, and 1 where nothing moves", () => {
		const { kernels } = new Arena("twin");
		expect(kernels.componentDenominator(3, 7)).toBe(3);
		expect(kernels.componentDenominator(1e-25, 1)).toBe(1e-25);
		expect(kernels.componentDenominator(1e-27, 7)).toBe(7);
		expect(kernels.componentDenominator(0, 0)).toBe(1);
	});

	test("merit takes 1 in the problem's units, also below Koziara's zero", () => {
		expect(meritDenominator(3, 1)).toBe(3);
		expect(meritDenominator(2e-16, 1)).toBe(1);
		expect(meritDenominator(0, 8)).toBe(64);
		// Of a unit of 2^20 Koziara's zero is 2.2e-16 2^40.
		expect(meritDenominator(2e-4, 2 ** 20)).toBe(2 ** 40);
		expect(meritDenominator(3e-4, 2 ** 20)).toBe(3e-4);
	});

	test("a singular block that separates has the scale of its free motion, in any units", () => {
		const blocked: Problem = oneContact([2, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0.2, 0.1], 0.5);
		for (const [a, b] of [
			[1, 1],
			[1e6, 1e-3],
		] as const) {
			const { measures, unit, singular } = systemOf(inUnits(blocked, a, b), systemDefaults);
			expect(singular.size).toBe(1);
			// |q|^2 = 1.05, a third of the trace is 1 (the spring that stands in the system's own block adds 1e-10 of it).
			expect(((measures.energyScale / unit) ** 2 * a) / (b * b)).toBeCloseTo(1.05, 8);
		}
	});

	test("a problem in which nothing moves has the scale 1", () => {
		const still = { ...randomProblem({ seed: 1, contacts: 4 }), q: new Float64Array(12) };
		expect(systemOf(still, systemDefaults).measures.energyScale).toBe(1);
	});
});
