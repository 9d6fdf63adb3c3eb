/** The methods for bounds: answers to ten digits and more, equality rows, bits, piles, and what they refuse. random problems stand in solve/frictionless.test.ts. */
import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { blocksOf } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { withLaws } from "../testing/laws.js";
import { BOUNDS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";

function withoutFriction(problem: Problem): Problem {
	return { ...problem, mu: new Float64Array(problem.contacts) };
}

/** A wall on either side that closes in: nothing keeps both apart. */
const squeezed: Problem = {
	name: "squeezed",
	contacts: 2,
	q: Float64Array.of(-1, 0.1, 0, -1, 0, 0.1),
	mu: new Float64Array(2),
	W: blocksOf(
		Float64Array.from({ length: 36 }, (_, k) => {
			const [i, j] = [Math.floor(k / 6), k % 6];
			return i % 3 === j % 3 ? (i === j || i % 3 > 0 ? 1 : -1) : 0;
		}),
		2,
	),
};

describe.each(BOUNDS)("%s", (method) => {
	test("piles, whose W is singular, and equality rows, as an independent judge measures it", () => {
		const problems = [
			pile("spheres", 400),
			pile("planks", 200),
			randomProblem({ seed: 6, contacts: 40, equalityRows: 7 }),
		];
		for (const problem of problems.map(withoutFriction)) {
			const { report, reaction, multiplier } = solve(problem, { method, tolerance: 1e-9 });
			expect([problem.name, report.status]).toEqual([problem.name, "solved"]);
			const judged = judge(problem, reaction, multiplier);
			expect(judged.energy).toBeLessThan(1.01e-9);
			expect(judged.outside).toBe(0);
		}
	});

	test("without friction, joints and limits side by side", () => {
		for (let seed = 1; seed <= 9; seed += 1) {
			const mixed = withLaws(randomProblem({ seed, contacts: 4 * seed }), (a) =>
				a % 3 === 0
					? { law: "frictionless" }
					: a % 3 === 1
						? { law: "bilateral" }
						: { law: "box", low0: -0.1, high0: 0.2, low1: 0, low2: -0.3, high2: 0.3 },
			);
			const { report, reaction } = solve(mixed, { method, tolerance: 1e-10 });
			expect([seed, report.status]).toEqual([seed, "solved"]);
			expect(judge(mixed, reaction).energy).toBeLessThan(1.01e-10);
		}
	});

	test("a motor at its limit, and one that needs less", () => {
		const W = blocksOf(Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0.5), 1);
		const one = { name: "motor", contacts: 1, q: Float64Array.of(-1, 3, 0.2), mu: Float64Array.of(0.5), W };
		const motor = withLaws(one, () => ({ law: "box", low0: -1, high0: 1, low1: -1, high1: 1, low2: -1, high2: 1 }));
		const { reaction, velocity } = solve(motor, { method, tolerance: 1e-14 });
		[0.5, -1, -0.4].forEach((value, i) => void expect(reaction[i]).toBeCloseTo(value, 14));
		[0, 2, 0].forEach((value, i) => void expect(velocity[i]).toBeCloseTo(value, 14));
	});

	test("one contact: R_N = max(0, -q_N / W_NN), in two iterations", () => {
		for (const [w, q] of [
			[2, -3],
			[0.5, 4],
			[1e9, -1e-9],
		] as const) {
			const W = blocksOf(Float64Array.of(w, 0, 0, 0, w, 0, 0, 0, w), 1);
			const problem = { name: "one", contacts: 1, q: Float64Array.of(q, 1, 1), mu: new Float64Array(1), W };
			const { report, reaction } = solve(problem, { method, tolerance: 1e-14 });
			expect(report.status).toBe("solved");
			expect(report.iterations).toBeLessThanOrEqual(2);
			expect(reaction[0]! * w).toBeCloseTo(Math.max(0, -q), 14);
		}
	});

	test("units do not matter: W, q and R by powers of ten", () => {
		const problem = withoutFriction(pile("spheres", 100));
		const { report } = solve(problem, { method, tolerance: 1e-10 });
		const scaled = { ...problem, W: { ...problem.W!, values: problem.W!.values.map((value) => value * 1e9) } };
		const { q: _q, ...rest } = scaled;
		const again = solve({ ...rest, q: problem.q.map((value) => value * 1e-9) }, { method, tolerance: 1e-10 });
		expect(again.report.status).toBe("solved");
		expect(Math.abs(again.report.iterations - report.iterations)).toBeLessThan(0.2 * report.iterations + 3);
	});

	test("what nothing solves ends with a finite iterate", () => {
		const { report, reaction } = solve(squeezed, { method, tolerance: 1e-6, maxIterations: 1000 });
		expect(["stalled", "iteration-limit"]).toContain(report.status);
		expect(reaction.every(Number.isFinite)).toBe(true);
		expect(Number.isFinite(report.energy)).toBe(true);
	});

	test.each(["assembled", "matrix-free", "global"])(
		"%s: saved after any iteration, in both engines: the same bits",
		(operator) => {
			const sample = sampleProblem({
				seed: 2,
				contacts: 30,
				bodies: 9,
				...(operator !== "matrix-free" && { equalityRows: 4 }),
			});
			const bits = (["wasm", "twin"] as const).map((engine) => {
				const options = { method, maxIterations: 15, tolerance: 0, set: { engine, operator } };
				const fresh = runsOf(withoutFriction(sample), options);
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
		},
	);

	test("friction is refused, with what takes it", () => {
		expect(() => solve(pile("spheres", 20), { method })).toThrow(
			/mu\[0\]: .* is for problems without friction, and contact 0 has mu 0\.\d+.*apgd/,
		);
	});
});
