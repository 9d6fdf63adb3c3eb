/** Proximal points by Newton, in the space of contacts and in that of bodies: answers, that both solve the same systems, bits, and what is refused. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { BodyMatrix } from "../factor/body-matrix.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { slope } from "../testing/closed-forms.js";
import { blocksOf, difference } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { type GivenLaw, withLaws } from "../testing/laws.js";
import { randomProblem, reals, twice } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";
import { NewtonSystem, WHOLE_LU } from "./newton-system.js";

const method = "proximal-newton";

test.each([
	[0.2, 0.5],
	[0.8, 0.5],
])("a mass on a slope of %d, mu %d, to eleven digits", (angle, mu) => {
	const { problem, reaction } = slope(angle, mu);
	const found = solve(problem, { method, tolerance: 1e-12 });
	expect(found.report.status).toBe("solved");
	if (reaction) expect(difference(found.reaction, reaction)).toBeLessThan(1e-11);
	expect(found.report.iterations).toBeLessThan(12);
});

test("random problems, regular and with every contact twice, with equality rows and without friction, to 1e-10", () => {
	for (let seed = 1; seed <= 12; seed += 1) {
		const single = randomProblem({
			seed,
			contacts: 3 * seed,
			mu: seed % 4 === 0 ? 0 : [0, 0.6],
			...(seed % 3 === 0 && { equalityRows: 3 }),
		});
		const problem = seed % 3 === 1 ? twice(single) : single;
		const { report, reaction, multiplier } = solve(problem, { method, tolerance: 1e-10, maxIterations: 300 });
		expect([seed, report.status]).toEqual([seed, "solved"]);
		const judged = judge(problem, reaction, multiplier);
		expect(judged.energy).toBeLessThan(1.01e-10);
		expect(judged.outside).toBeLessThan(1e-12);
	}
});

describe.each(["assembled", "matrix-free"])("%s", (operator) => {
	test("piles, whose W is singular, to 1e-9, in fewer iterations than there are digits times ten", () => {
		for (const problem of [pile("spheres", 150), pile("planks", 200), pile("planks", 60, 2)]) {
			const { report, reaction } = solve(problem, { method, tolerance: 1e-9, maxIterations: 90, set: { operator } });
			expect([problem.name, report.status]).toEqual([problem.name, "solved"]);
			expect(judge(problem, reaction).energy).toBeLessThan(1.01e-9);
		}
	});

	test("saved after any iteration, in both engines: the same bits", () => {
		const sample = { seed: 2, contacts: 24, bodies: 9 };
		const problem = sampleProblem(operator === "assembled" ? { ...sample, equalityRows: 4 } : sample);
		const bits = (["wasm", "twin"] as const).map((engine) => {
			const fresh = runsOf(problem, { method, maxIterations: 12, tolerance: 0, set: { engine, operator } });
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

test("(P W + Q) x = b by bodies and by rows", () => {
	for (const seed of [1, 2, 3]) {
		const random = new Random(seed);
		const { rigid, W, ...rest } = sampleProblem({ seed, contacts: 40, bodies: 11 });
		const rows = systemOf(
			{ ...rest, W: W!, rigid: rigid! },
			{ ...systemDefaults, operator: "assembled", order: "file" },
		);
		const bodies = systemOf({ ...rest, rigid: rigid! }, { ...systemDefaults, operator: "matrix-free", order: "file" });
		const { blocks } = rows;
		const p = reals(random, 9 * blocks);
		const q = reals(random, 9 * blocks).map((value, k) => value + (k % 9 === 0 || k % 9 === 4 || k % 9 === 8 ? 4 : 0));
		const byRows = new NewtonSystem(rows, "a test", WHOLE_LU);
		const byBodies = new BodyMatrix(bodies.arena, bodies.operator.stored!);
		expect(byRows.factor(p, q, 0) && byBodies.factor(p, q)).toBe(true);
		const [x, y] = [rows.operand(), bodies.operand()];
		x.values.set(reals(random, 3 * blocks));
		y.values.set(x.values);
		byRows.solve(x);
		byBodies.solve(y.values);
		expect(difference(y.values, x.values)).toBeLessThan(1e-9);
	}
});

test("laws side by side, to 1e-10", () => {
	const laws: readonly GivenLaw[] = [
		{ law: "coulomb" },
		{ law: "frictionless" },
		{ law: "bilateral" },
		{ law: "relaxed" },
		{ law: "cohesive", cohesion: 0.2 },
		{ law: "anisotropic", across: 0.2 },
		{ law: "capped", cap: 0.1 },
		{ law: "box", low0: -0.1, high0: 0.2, low1: 0, low2: -0.3, high2: 0.3 },
	];
	for (let seed = 1; seed <= 8; seed += 1) {
		const problem = withLaws(
			randomProblem({ seed, contacts: 4 * seed, mu: [0.1, 0.6] }),
			(a) => laws[(a + seed) % laws.length]!,
		);
		const { report, reaction } = solve(problem, { method: "proximal-newton", tolerance: 1e-10, maxIterations: 300 });
		expect([seed, report.status]).toEqual([seed, "solved"]);
		expect(judge(problem, reaction).energy).toBeLessThan(1.01e-10);
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
		const { report, reaction } = solve(problem, { method, tolerance: 1e-6, maxIterations: 1000 });
		expect(["stalled", "iteration-limit"]).toContain(report.status);
		expect(reaction.every(Number.isFinite)).toBe(true);
		expect(Number.isFinite(report.energy)).toBe(true);
	}
});

test("an operator without rows and bodies is refused", () => {
	const problem = sampleProblem({ seed: 2, contacts: 24, bodies: 9 });
	expect(() => solve(problem, { method, set: { operator: "global" } })).toThrow(
		/proximal-newton works with assembled and matrix-free alone/,
	);
});
