/** Laws of contact: the judge's measures, and the same problem seen otherwise; law-forms.test.ts has answers by hand. */
import { describe, expect, test } from "vitest";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { openSession } from "../session/open.js";
import { oneContact } from "../testing/closed-forms.js";
import { difference } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { type GivenLaw, withLaws } from "../testing/laws.js";
import { randomProblem } from "../testing/random-problems.js";
import { inUnits, permuted, withTurnedTangents } from "../testing/transform.js";
import type { SolveOptions } from "./options.js";
import { prepareSolver } from "./prepared.js";
import { solve } from "./solve.js";

/** Symmetric, positive definite, nothing special. */
const block = [2, 0.3, -0.2, 0.3, 1.5, 0.4, -0.2, 0.4, 1.8];

const kinds: readonly GivenLaw[] = [
	{ law: "coulomb" },
	{ law: "frictionless" },
	{ law: "bilateral" },
	{ law: "relaxed" },
	{ law: "cohesive", cohesion: 0.2 },
];
const others: readonly GivenLaw[] = [
	{ law: "anisotropic", across: 0.4, axis1: 0.6, axis2: -0.8 },
	{ law: "capped", cap: 0.3 },
	{ law: "preloaded", preload: 0.2 },
	{ law: "box", low0: 0, high0: 0.4, low1: -0.1, high1: 0.2, low2: -0.1 },
];
const mixed = (problem: Problem): Problem => withLaws(problem, (a) => kinds[(a * 7) % kinds.length]!);
/** W is well away from singular and friction is small: the reactions themselves are unique. */
const unique = randomProblem({ seed: 12, contacts: 25, density: 0.2, mu: [0.05, 0.3] });
const problems = [
	mixed(unique),
	...[...kinds, ...others].map((kind) => ({ ...withLaws(unique, () => kind), name: kind.law })),
];
const named = problems.map((problem, i) => [i === 0 ? "mixed laws" : problem.name, problem] as const);

describe.each(named)("%s", (_, problem) => {
	test.each(["energy", "natural", "merit", "gradient"] as const)("%s is the judge's", (measure) => {
		for (const maxIterations of [0, 1, 3]) {
			const { report, reaction } = solve(problem, {
				method: "pqn-diagonal",
				measure,
				maxIterations,
				set: { theta: 0.3 },
			});
			expect(report[measure]! / judge(problem, reaction)[measure]).toBeCloseTo(1, 9);
		}
	});

	test.each(["auto", "pqn", "extragradient", "apgd"])("%s: renumbered, turned and in other units", (method) => {
		const options: SolveOptions = { method, tolerance: 1e-11, maxIterations: 50_000 };
		const { reaction, report } = solve(problem, options);
		expect(report.status).toBe("solved");
		const order = permuted(problem, 5);
		expect(difference(order.restore(solve(order.problem, options).reaction), reaction)).toBeLessThan(1e-8);
		const turned = withTurnedTangents(problem, 4);
		// Limits of rows do not turn with them.
		if (problem.name !== "box")
			expect(difference(turned.turn(solve(turned.problem, options).reaction, true), reaction)).toBeLessThan(1e-8);
		for (const [a, b] of [
			[1e9, 1],
			[1e-9, 1],
			[1, 1e9],
			[3.7, 1e-9],
		] as const) {
			const other = solve(inUnits(problem, a, b), options);
			expect(other.report.status).toBe("solved");
			expect(
				difference(
					other.reaction.map((value) => (a / b) * value),
					reaction,
				),
			).toBeLessThan(1e-7);
		}
	});
});

test("Coulomb's law by name is Coulomb's law, to the bit", () => {
	const plain = pile("spheres", 300);
	for (const method of ["auto", "pqn", "spg"]) {
		const options = { method, tolerance: 1e-5 };
		const named = solve(
			withLaws(plain, () => ({ law: "coulomb" })),
			options,
		);
		expect(named.report.hash).toBe(solve(plain, options).report.hash);
	}
});

test("frictionless is Coulomb's law with mu = 0, and relaxed with mu = 0 is too", () => {
	const plain = { ...unique, mu: new Float64Array(unique.contacts) };
	const { reaction } = solve(plain, { tolerance: 1e-12 });
	for (const law of ["frictionless", "relaxed"] as const) {
		const given = law === "frictionless" ? unique : plain;
		expect(
			difference(
				solve(
					withLaws(given, () => ({ law })),
					{ tolerance: 1e-12 },
				).reaction,
				reaction,
			),
		).toBeLessThan(1e-10);
	}
});

test("a cohesive problem has answers, natural and merit of Coulomb's problem with R + c e_N and q - W c e_N", () => {
	const problem = withLaws(unique, (a) => ({ law: "cohesive", cohesion: 0.01 * (a + 1) }));
	const c = Float64Array.from({ length: 3 * unique.contacts }, (_, i) => (i % 3 === 0 ? 0.01 * (i / 3 + 1) : 0));
	const q = unique.q.map((value, i) => value - (solveVelocity(unique, c)[i]! - unique.q[i]!));
	const shifted = { ...unique, q };
	for (const maxIterations of [0, 2, 1000]) {
		const ours = solve(problem, { tolerance: 1e-11, maxIterations, method: "gauss-seidel" });
		// Start zero is R = 0: the shifted unknown begins at c.
		const theirs = solve(shifted, { tolerance: 1e-11, maxIterations, method: "gauss-seidel", start: c });
		expect(
			difference(
				ours.reaction.map((value, i) => value + c[i]!),
				theirs.reaction,
			),
		).toBeLessThan(1e-9);
		// Energy is relative to R = 0, which is R + c = c in the other problem.
		for (const name of ["natural", "merit"] as const) {
			expect(Math.abs(ours.report[name] - theirs.report[name])).toBeLessThan(1e-9 + 1e-6 * theirs.report[name]);
		}
	}
});

/** W r + q */
function solveVelocity(problem: Problem, r: Float64Array): Float64Array {
	const W = problem.W ?? assembleRigid(problem.rigid!);
	const u = problem.q.slice();
	for (let a = 0; a < problem.contacts; a += 1) {
		for (let k = W.rowStart[a]!; k < W.rowStart[a + 1]!; k += 1) {
			for (let i = 0; i < 9; i += 1)
				u[3 * a + Math.floor(i / 3)]! += W.values[9 * k + i]! * r[3 * W.column[k]! + (i % 3)]!;
		}
	}
	return u;
}

test("relaxed, one contact with a block of nothing special: the local solve meets the law everywhere", () => {
	for (let k = 0; k < 200; k += 1) {
		const [x, y] = [Math.cos(0.7 * k), Math.sin(0.7 * k)];
		const problem = withLaws(oneContact(block, [Math.cos(0.31 * k), x, y], 0.1 + (k % 20) / 10), () => ({
			law: "relaxed",
		}));
		const { reaction, report } = solve(problem, {
			method: "gauss-seidel",
			set: { window: 0 },
			maxIterations: 3,
			tolerance: 1e-13,
		});
		expect(report.iterations).toBeLessThanOrEqual(2);
		expect(judge(problem, reaction).natural).toBeLessThan(1e-12);
	}
});

test("a prepared solver knows its laws", () => {
	const problem = mixed(unique);
	const solver = prepareSolver(problem, { tolerance: 1e-8 });
	expect(solver.solve(problem).report.hash).toBe(solve(problem, { tolerance: 1e-8 }).report.hash);
	const parameters = problem.laws!.parameters.map((value) => 2 * value);
	const other = { ...problem, laws: { ...problem.laws!, parameters } };
	expect(solver.solve(other).report.hash).toBe(solve(other, { tolerance: 1e-8 }).report.hash);
	expect(() => solver.solve(unique)).toThrow("is not the one that the solver was prepared for");
});

test("a pattern keeps its laws, and takes new numbers of them", async () => {
	const problem = mixed(unique);
	const session = await openSession();
	const pattern = await session.prepare(problem, { tolerance: 1e-8 });
	const { q } = problem;
	expect((await pattern.solve({ q })).report.hash).toBe(solve(problem, { tolerance: 1e-8 }).report.hash);
	const parameters = problem.laws!.parameters.map((value) => 3 * value);
	const other = { ...problem, laws: { ...problem.laws!, parameters } };
	const { report } = await pattern.solve({ q, parameters });
	expect(report.hash).toBe(solve(other, { tolerance: 1e-8 }).report.hash);
	await expect(pattern.solve({ q, parameters: parameters.subarray(1) })).rejects.toThrow(
		"has 199 numbers instead of 200",
	);
	const plain = await session.prepare(unique);
	await expect(plain.solve({ q, parameters })).rejects.toThrow("the pattern has Coulomb's law only");
	await session.close();
});

describe("what is refused", () => {
	const { laws, ...plain } = mixed(unique);
	const refused = (change: (law: Uint8Array, parameters: Float64Array) => void, method?: string) => {
		const [law, parameters] = [laws!.law.slice(), laws!.parameters.slice()];
		change(law, parameters);
		return () => solve({ ...plain, laws: { law, parameters } }, method === undefined ? {} : { method });
	};

	test.each<[string, () => unknown, RegExp]>([
		[
			"a code without a law",
			refused((law) => law.fill(77, 3, 4)),
			/laws\.law\[3\]: is 77, which is no law; use the codes of coulomb/,
		],
		[
			"cohesion below zero",
			refused((law, parameters) => {
				law[5] = 4;
				parameters[PARAMETERS * 5 + 1] = -2;
			}),
			/laws\.parameters\[41\]: cohesion of contact 5 is -2; give a number that is at least 0/,
		],
		[
			"a number that is none",
			refused((law, parameters) => {
				law[5] = 4;
				parameters[PARAMETERS * 5 + 1] = Number.NaN;
			}),
			/cohesion of contact 5 is NaN; give a number/,
		],
		[
			"too few codes",
			() => solve({ ...plain, laws: { ...laws!, law: new Uint8Array(2) } }),
			/laws\.law: has 2 values instead of 25/,
		],
		[
			"a method that does not take a law",
			refused(() => {}, "newton"),
			/newton does not take the laws .*cohesive; use one of auto, pqn/,
		],
	])("%s", (_, work, message) => expect(work).toThrow(message));
});
