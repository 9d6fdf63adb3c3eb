/** Newton's method on problems whose W is regular, as those of its reference are: answers, numbers of iterations, bits, and what it refuses. */
import { describe, expect, test } from "vitest";
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
