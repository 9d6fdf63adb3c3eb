/** Newton's method on problems whose W is regular, as those of its reference are: answers, numbers of iterations, bits, and what it refuses. */
import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { solve } from "../solve/solve.js";
import { slope } from "../testing/closed-forms.js";
import { difference } from "../testing/dense.js";
import { judge } from "../testing/judge.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";

const LINEARISATIONS = ["newt", "hyb", "fix"] as const;
const set = (linearisation: string) => ({ linearisation, shift: 0 });

describe.each(LINEARISATIONS)("%s", (linearisation) => {
	test.each([
		[0.2, 0.5],
		[0.8, 0.5],
	])("a mass on a slope of %d, mu %d, to twelve digits", (angle, mu) => {
		const { problem, reaction } = slope(angle, mu);
		const found = solve(problem, { method: "newton", tolerance: 1e-12, set: set(linearisation) });
		expect(found.report.status).toBe("solved");
		if (reaction) expect(difference(found.reaction, reaction)).toBeLessThan(1e-12);
		expect(found.report.iterations).toBeLessThan(linearisation === "fix" ? 12 : 8);
	});

	test("regular problems, to 1e-10, as an independent judge measures it", () => {
		for (let seed = 1; seed <= 12; seed += 1) {
			const problem = randomProblem({
				seed,
				contacts: 3 * seed,
				mu: [0, 0.6],
				...(seed % 3 === 0 && { equalityRows: 3 }),
			});
			const { report, reaction, multiplier } = solve(problem, {
				method: "newton",
				tolerance: 1e-10,
				maxIterations: 300,
				set: set(linearisation),
			});
			expect([seed, report.status]).toEqual([seed, "solved"]);
			const judged = judge(problem, reaction, multiplier);
			expect(judged.energy).toBeLessThan(1.01e-10);
			expect(judged.outside).toBeLessThan(1e-12);
		}
	});

	test("without friction it is UNIL: five iterations at most", () => {
		for (const seed of [1, 2, 3, 4, 5]) {
			const problem = randomProblem({ seed, contacts: 30, mu: 0 });
			const { report } = solve(problem, { method: "newton", tolerance: 1e-12, set: set(linearisation) });
			expect(report.status).toBe("solved");
			expect(report.iterations).toBeLessThanOrEqual(5);
		}
	});

	test("saved after any iteration and gone on with, in both engines: the same bits", () => {
		const problem = sampleProblem({ seed: 2, contacts: 24, bodies: 9, equalityRows: 4 });
		const bits = (["wasm", "twin"] as const).map((engine) => {
			const options = { method: "newton", maxIterations: 12, tolerance: 0, set: { linearisation, engine } };
			const fresh = runsOf(problem, options);
			const undisturbed = fresh();
			undisturbed.begin();
			const wanted = stepped(undisturbed);
			const { states } = savedRun(fresh());
			for (const state of states) {
				const run = fresh();
				run.resume(structuredClone(state));
				expect(stepped(run)).toEqual(wanted);
			}
			return wanted;
		});
		expect(bits[1]).toEqual(bits[0]);
	});
});

describe("UNIL", () => {
	const unil = { linearisation: "unil", shift: 0 };

	test("at most five iterations on regular problems, to twelve digits", () => {
		for (let seed = 1; seed <= 20; seed += 1) {
			const problem = randomProblem({ seed, contacts: 10 + 3 * seed, mu: 0 });
			const { report, reaction } = solve(problem, { method: "newton", tolerance: 1e-12, set: unil });
			expect([seed, report.status]).toEqual([seed, "solved"]);
			expect(report.iterations).toBeLessThanOrEqual(5);
			expect(reaction.every((value, i) => i % 3 === 0 || value === 0)).toBe(true);
		}
	});

	test("at most five on piles of rigid bodies, whose W is singular: of reactions that it cannot tell apart the least is taken", () => {
		for (const [name, contacts] of [
			["spheres", 100],
			["planks", 100],
			["spheres-layers", 200],
		] as const) {
			for (const seed of [1, 2, 3]) {
				const problem = generate(name, { contacts, seed, law: "frictionless" });
				const set = { linearisation: "unil", patience: 0, operator: "assembled" };
				const { report } = solve(problem, { method: "newton", tolerance: 1e-8, maxIterations: 5, set });
				expect([name, seed, report.status]).toEqual([name, seed, "solved"]);
			}
		}
	});

	test("friction is refused, with what takes it", () => {
		const problem = randomProblem({ seed: 1, contacts: 5, mu: [0, 0.6] });
		expect(() => solve(problem, { method: "newton", set: unil })).toThrow(
			/unil.*without friction.*use hyb, newt or fix/s,
		);
	});
});

test("the first step from zero closes all contacts without friction; from the free velocity it leaves open what moves apart", () => {
	const problem = randomProblem({ seed: 4, contacts: 20, mu: [0.3, 0.6] });
	const first = (from: string) =>
		solve(problem, { method: "newton", maxIterations: 1, tolerance: 0, set: { first: from, shift: 0 } });
	const [zero, free] = [first("zero"), first("free")];
	expect(zero.reaction.every((value, i) => i % 3 === 0 || value === 0)).toBe(true);
	// Of contacts that R presses U_N is zero; what R pulled at was projected.
	if (zero.reaction.every((value, i) => i % 3 !== 0 || value > 0))
		for (let i = 0; i < zero.velocity.length; i += 3) expect(Math.abs(zero.velocity[i]!)).toBeLessThan(1e-10);
	for (let i = 0; i < problem.q.length; i += 3) if (problem.q[i]! > 0) expect(free.reaction[i]).toBe(0);
});

test("rows that speak of R are as large as those that speak of U: the answer in other units is the same", () => {
	const problem = randomProblem({ seed: 6, contacts: 15, mu: [0.1, 0.6] });
	const W = { ...problem.W!, values: problem.W!.values.map((value) => 1e-9 * value) };
	const set = { scaling: "none", shift: 0 };
	const [large, small] = [problem, { ...problem, W, q: problem.q.map((value) => 1e-9 * value) }].map((one) =>
		solve(one, { method: "newton", tolerance: 1e-10, maxIterations: 100, set }),
	);
	expect([large!.report.status, small!.report.status]).toEqual(["solved", "solved"]);
	expect(difference(small!.reaction, large!.reaction)).toBeLessThan(1e-7);
});

test("what it cannot take is said before it starts", () => {
	const problem = sampleProblem({ seed: 2, contacts: 24, bodies: 9 });
	for (const operator of ["matrix-free", "global"]) {
		expect(() => solve(problem, { method: "newton", set: { operator } })).toThrow(
			/newton works with assembled alone; use operator=assembled/,
		);
	}
});

test("a W that is singular stalls it without a shift, and no number is lost", () => {
	const problem = sampleProblem({ seed: 5, contacts: 40, bodies: 5 });
	const { report, reaction } = solve(problem, {
		method: "newton",
		maxIterations: 50,
		tolerance: 1e-10,
		set: { shift: 0 },
	});
	expect(["stalled", "iteration-limit", "solved"]).toContain(report.status);
	expect(reaction.every(Number.isFinite)).toBe(true);
	expect(Number.isFinite(report.energy)).toBe(true);
});
