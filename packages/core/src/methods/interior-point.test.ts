/** Interior points: the scaling by its definition, answers to many digits with and without friction, bits, and what has no solution or is refused. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { blockOnSlope, slope } from "../testing/closed-forms.js";
import { blocksOf, difference } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { type GivenLaw, withLaws } from "../testing/laws.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";
import { type Inside, moved, scale, stepInside } from "./lorentz.js";

function farthest(one: Float64Array, other: Float64Array): number {
	return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);
}

describe("one contact", () => {
	const random = new Random(3);
	const inside = (left: number): Inside => {
		const [x1, x2] = [random.between(-1, 1), random.between(-1, 1)];
		return { x0: Math.hypot(x1, x2) + left, x1, x2, left };
	};
	const none = new Float64Array(3);

	test("T y = T^-1 x, and the basis keeps the vectors, also near the boundary", () => {
		for (let trial = 0; trial < 200; trial += 1) {
			const scaling = {
				w: new Float64Array(2),
				t: new Float64Array(3),
				x: new Float64Array(3),
				y: new Float64Array(3),
			};
			const [x, y] = [inside(10 ** random.between(-9, 0)), inside(10 ** random.between(-9, 0))];
			scale(x, y, 0, scaling);
			const { t, w } = scaling;
			for (let k = 0; k < 3; k += 1) {
				const [one, other] = [t[k]! * scaling.y[k]!, scaling.x[k]! / t[k]!];
				expect(Math.abs(one - other)).toBeLessThan(1e-6 * (Math.abs(one) + Math.abs(other)) + 1e-11);
			}
			for (const [vector, given] of [
				[scaling.x, x],
				[scaling.y, y],
			] as const) {
				const back = moved(vector, 0, none, 0, w);
				for (const name of ["x0", "x1", "x2"] as const) expect(back[name]).toBeCloseTo(given[name], 13);
				expect(back.left / given.left).toBeCloseTo(1, 5);
			}
		}
	});

	test("the step to the boundary, and through the tip", () => {
		for (let trial = 0; trial < 200; trial += 1) {
			const z = Float64Array.of(random.between(0.1, 1), random.between(0.1, 1), random.between(-0.1, 0.1));
			const d = z.map(() => random.between(-1, 1));
			const det = (step: number) => {
				const [z1, z2, z3] = [...z].map((value, k) => value + step * d[k]!) as [number, number, number];
				return 2 * z1 * z2 - z3 * z3;
			};
			const step = stepInside(z, d, 0);
			if (step === Number.POSITIVE_INFINITY) for (const far of [1, 1e3, 1e6]) expect(det(far)).toBeGreaterThan(0);
			else {
				expect(Math.abs(det(step))).toBeLessThan(1e-9 * (1 + step * step));
				for (const share of [0.1, 0.5, 0.99]) expect(det(share * step)).toBeGreaterThan(0);
			}
			expect(
				stepInside(
					z,
					z.map((value) => -0.3 * value),
					0,
				),
			).toBeCloseTo(1 / 0.3, 5);
		}
	});
});

describe.each(["newton", "fixed-point"])("shift=%s", (shift) => {
	const options = { method: "interior-point", set: { shift } };

	test.each([
		[0.2, 0.5],
		[0.8, 0.5],
		[0.3, 0],
	])("a mass on a slope of %d, mu %d", (angle, mu) => {
		const { problem, reaction, velocity } = slope(angle, mu);
		const found = solve(problem, { ...options, tolerance: 1e-11 });
		expect(found.report.status).toBe("solved");
		expect(farthest(found.velocity, velocity)).toBeLessThan(1e-10);
		if (reaction) expect(difference(found.reaction, reaction)).toBeLessThan(1e-10);
		expect(found.report.iterations).toBeLessThan(25);
	});

	test("a block on four feet sticks and slides", () => {
		for (const angle of [0.2, 0.5]) {
			const { problem, velocity } = blockOnSlope(angle, 0.4);
			const found = solve(problem, { ...options, tolerance: 1e-10 });
			expect(found.report.status).toBe("solved");
			expect(farthest(found.velocity, velocity)).toBeLessThan(1e-9);
		}
	});

	test("random problems, with and without friction and equality rows, to 1e-10", () => {
		for (let seed = 1; seed <= 12; seed += 1) {
			const contacts = 3 * seed;
			const problem = randomProblem({
				seed,
				contacts,
				mu: seed % 4 === 0 ? 0 : [0, 0.6],
				...(seed % 3 === 0 && { equalityRows: 3 }),
			});
			const { report, reaction, multiplier } = solve(problem, { ...options, tolerance: 1e-10, maxIterations: 200 });
			expect([seed, report.status]).toEqual([seed, "solved"]);
			const judged = judge(problem, reaction, multiplier);
			expect(judged.energy).toBeLessThan(1.01e-10);
			expect(judged.outside).toBeLessThan(1e-12);
		}
	});

	test("saved after any iteration, in both engines: the same bits", () => {
		const problem = sampleProblem({ seed: 2, contacts: 24, bodies: 9, equalityRows: 4 });
		const bits = (["wasm", "twin"] as const).map((engine) => {
			const fresh = runsOf(problem, { ...options, maxIterations: 12, tolerance: 0, set: { shift, engine } });
			const undisturbed = fresh();
			undisturbed.begin();
			const wanted = stepped(undisturbed);
			for (const state of savedRun(fresh()).states) {
				const run = fresh();
				run.resume(structuredClone(state));
				expect(stepped(run)).toEqual(wanted);
			}
			return wanted;
		});
		expect(bits[1]).toEqual(bits[0]);
	});
});

test("piles, whose W is singular, in a few dozens of iterations", () => {
	for (const problem of [pile("spheres", 150), pile("spheres", 400, 2)]) {
		const { report, reaction } = solve(problem, { method: "interior-point", tolerance: 1e-8, maxIterations: 40 });
		expect([problem.name, report.status]).toEqual([problem.name, "solved"]);
		expect(judge(problem, reaction).energy).toBeLessThan(1.01e-8);
	}
});

test("laws side by side, to 1e-10", () => {
	const laws: readonly GivenLaw[] = [
		{ law: "coulomb" },
		{ law: "frictionless" },
		{ law: "bilateral" },
		{ law: "relaxed" },
		{ law: "cohesive", cohesion: 0.2 },
	];
	for (let seed = 1; seed <= 8; seed += 1) {
		const problem = withLaws(
			randomProblem({ seed, contacts: 4 * seed, mu: [0.1, 0.6] }),
			(a) => laws[(a + seed) % laws.length]!,
		);
		const { report, reaction } = solve(problem, { method: "interior-point", tolerance: 1e-10, maxIterations: 300 });
		expect([seed, report.status]).toEqual([seed, "solved"]);
		expect(judge(problem, reaction).energy).toBeLessThan(1.01e-10);
	}
});

test.each(["coulomb", "relaxed"])("piles of planks, with many more contacts than freedoms, law %s: to 1e-8", (law) => {
	for (const [contacts, seed] of [
		[100, 1],
		[200, 3],
		[300, 2],
	] as const) {
		const problem = generate("planks", { contacts, seed, law });
		const { report } = solve(problem, { method: "interior-point", tolerance: 1e-8, maxIterations: 40 });
		expect([contacts, report.status]).toEqual([contacts, "solved"]);
	}
});

test("what nothing solves ends with a status and a finite iterate", () => {
	// U_1 = -U_2 = R_1 - R_2 - 1: one of them is always negative.
	const dense = Float64Array.from({ length: 36 }, (_, k) => {
		const [i, j] = [Math.floor(k / 6), k % 6];
		return i % 3 === j % 3 ? (i === j || i % 3 > 0 ? 1 : -1) : 0;
	});
	const q = Float64Array.of(-1, 0.1, 0, -1, 0, 0.1);
	for (const mu of [0, 0.3]) {
		const problem: Problem = {
			name: "squeezed",
			contacts: 2,
			q,
			mu: new Float64Array(2).fill(mu),
			W: blocksOf(dense, 2),
		};
		const { report, reaction } = solve(problem, { method: "interior-point", tolerance: 1e-6, maxIterations: 1000 });
		expect(["stalled", "iteration-limit", "diverged"]).toContain(report.status);
		expect(reaction.every(Number.isFinite)).toBe(true);
		expect(Number.isFinite(report.energy)).toBe(true);
	}
});

test("operators without rows are refused", () => {
	const problem = sampleProblem({ seed: 2, contacts: 24, bodies: 9 });
	for (const operator of ["matrix-free", "global"]) {
		expect(() => solve(problem, { method: "interior-point", set: { operator } })).toThrow(
			/interior-point works with assembled alone; use operator=assembled/,
		);
	}
});
