/** Rolling contacts solved: closed forms with their thresholds, every method that takes them, samples by the judge, and other orders and units. */
import { describe, expect, test } from "vitest";
import { generate, generateRolling } from "../generate/index.js";
import { condense } from "../problem/condense.js";
import type { Problem } from "../problem/problem.js";
import { countContacts } from "../problem/rolling.js";
import { type SolvedRolling, spinningTop, wheelOnSlope } from "../testing/closed-forms-rolling.js";
import { velocitiesOf } from "../testing/judge.js";
import { METHODS } from "../testing/methods.js";
import { rollingNatural } from "../testing/rolling.js";
import { sampleRolling } from "../testing/samples.js";
import { solve } from "./solve.js";

/** The largest difference to the answer, relative to the largest number of its kind. */
function missed({ problem, reaction, velocity }: SolvedRolling, method = "gauss-seidel"): number {
	const answer = solve(condense(problem), { method, tolerance: 1e-15, maxIterations: 20_000 });
	const off = (ours: Float64Array, theirs: readonly number[]): number =>
		Math.max(...theirs.map((value, i) => Math.abs(value - ours[i]!))) / Math.max(...theirs.map(Math.abs), 1e-2);
	return Math.max(off(answer.reaction, reaction), off(answer.velocity, velocity));
}

describe("a wheel on a slope", () => {
	const radius = 0.3;
	const cases = [0.05, 0.2, 0.5, 0.9, 1.3].flatMap((angle) =>
		[0, 0.3, 0.6, 1.2].flatMap((mu) => [0, 0.02, 0.1, 0.5].map((muRolling) => ({ angle, mu, muRolling, radius }))),
	);

	test.each([0.4, 0.5])("with k = %d sticks, rolls, slips and slides where mechanics says so, to 1e-12", (k) => {
		const seen = new Set<string>();
		for (const slope of cases) {
			const solved = wheelOnSlope({ ...slope, k });
			seen.add(solved.kind);
			expect(missed(solved), solved.problem.name).toBeLessThan(1e-12);
		}
		expect([...seen].sort()).toEqual(["rolls", "slides", "slips", "sticks"]);
	});

	test("just below and just above each threshold", () => {
		const kinds = (slopes: readonly Parameters<typeof wheelOnSlope>[0][]): string[] =>
			slopes.map((slope) => {
				const solved = wheelOnSlope(slope);
				expect(missed(solved), solved.problem.name).toBeLessThan(1e-12);
				return solved.kind;
			});
		const near = (angle: number): [number, number] => [angle * (1 - 1e-6), angle * (1 + 1e-6)];
		// Rolls where tan reaches mu_r / a, slips where (k tan + mu_r / a) / (1 + k) reaches mu, slides where mu does not reach mu_r / a.
		const muRolling = 0.03;
		const start = near(Math.atan(muRolling / radius)).map((angle) => ({ angle, mu: 0.5, muRolling, radius }));
		expect(kinds(start)).toEqual(["sticks", "rolls"]);
		const slip = near(Math.atan((0.3 * 1.4 - muRolling / radius) / 0.4)).map((angle) => ({
			angle,
			mu: 0.3,
			muRolling,
			radius,
		}));
		expect(kinds(slip)).toEqual(["rolls", "slips"]);
		const slide = near(Math.atan(0.2)).map((angle) => ({ angle, mu: 0.2, muRolling: 0.1, radius }));
		expect(kinds(slide)).toEqual(["sticks", "slides"]);
	});
});

test("a top is slowed down by mu_s, or stopped, to 1e-12", () => {
	for (const [spin, mu] of [
		[3, 0.01],
		[-3, 0.01],
		[0.5, 0.2],
		[2, 0],
	] as const) {
		expect(missed(spinningTop(spin, mu))).toBeLessThan(1e-12);
	}
});

const sample = condense(sampleRolling({ seed: 3, contacts: 12, bodies: 8 }, 0.1));
const TAKEN = [...METHODS, "newton", "proximal-newton"];

/** The natural measure from its definition. */
function naturalOf({ mu, laws, q, ...problem }: Problem, reaction: Float64Array): number {
	const { u } = velocitiesOf({ mu, q, ...problem }, reaction);
	const size = (x: ArrayLike<number>): number =>
		Math.sqrt(Array.from(x).reduce((sum, value) => sum + value * value, 0));
	const residuals = Array.from({ length: mu.length / 2 }, (_, k) => {
		const six = (values: Float64Array) => [...values.subarray(6 * k, 6 * k + 6)];
		return rollingNatural(
			[mu[2 * k]!, laws!.parameters[16 * k + 1]!, laws!.parameters[16 * k + 2]!],
			six(reaction),
			six(u),
		);
	});
	return size(residuals.flat()) / Math.max(size(q), size(reaction), size(u));
}

describe("bodies with rolling contacts", () => {
	test.each(TAKEN)("%s solves them, as the judge sees it", (method) => {
		const { reaction, report } = solve(sample, { method, measure: "natural", tolerance: 1e-9, maxIterations: 50_000 });
		expect(report.status).toBe("solved");
		expect(naturalOf(sample, reaction) / report.natural).toBeCloseTo(1, 5);
		expect(report.contacts).toBe(countContacts(sample));
	});

	test.each(["interior-point", "mprgp", "gpminres"])("%s refuses them, and names others", (method) => {
		expect(() => solve(sample, { method })).toThrow(/does not take the law rolling; use one of auto, pqn/);
	});

	test.each(["newton", "newt", "fix"])("%s comes to ten digits in a few steps where W is regular", (linearisation) => {
		const set = linearisation === "newton" ? {} : { linearisation };
		const options = { method: "newton", set, measure: "natural", tolerance: 1e-10, maxIterations: 60 } as const;
		for (const seed of [1, 2, 3]) {
			const lone = condense(sampleRolling({ seed, contacts: 6, bodies: 12 }, 0.1));
			const { report } = solve(lone, options);
			expect(report.status).toBe("solved");
			expect(report.remedies).toEqual([]);
			expect(report.iterations).toBeLessThan(linearisation === "fix" ? 40 : 15);
		}
	});

	test("without W they are solved as with it, by sweeps and by steps of the whole", () => {
		const { W: _W, global: _global, ...bodies } = sample;
		for (const method of ["auto", "pqn", "gauss-seidel", "sor", "proximal-gauss-seidel", "apgd", "admm"]) {
			const options = { method, measure: "natural", tolerance: 1e-9, maxIterations: 50_000 } as const;
			const { reaction, report } = solve(bodies, { ...options, set: { operator: "matrix-free" } });
			expect([report.status, report.operator]).toEqual(["solved", "matrix-free (requested)"]);
			expect(naturalOf(sample, reaction), method).toBeLessThan(1.01e-9);
		}
	});

	test("the twin has the same bits, in any order", () => {
		for (const order of ["coloured", "shuffled", "file"] as const) {
			const hashes = (["wasm", "twin"] as const).map((engine) => {
				const set = { engine, order };
				return solve(sample, { method: "gauss-seidel", tolerance: 1e-6, set }).report.hash;
			});
			expect(hashes[0]).toBe(hashes[1]);
		}
	});

	test("energy is free of units: masses, lengths and times by 1e+-9 change no digit of it", () => {
		// In the cone: what is outside is projected on it in the units that it is given in.
		const start = sample.q.map((_, k) => [1, 0.1, 0.1, 0, 0.005, 0.005][k % 6]!);
		const measured = (problem: Problem, from: Float64Array): number =>
			solve(problem, { start: from, maxIterations: 0, set: { scaling: "none" }, method: "apgd" }).report.energy;
		const before = measured(sample, start);
		for (const length of [1e9, 1e-3]) {
			for (const impulse of [1, 1e6]) {
				// Moments are impulses times lengths, and angular velocities are velocities over lengths: W by blocks.
				const { W, q, laws } = sample;
				const row = Int32Array.from(
					{ length: W!.column.length },
					(_, e) => W!.rowStart.findIndex((end) => end > e) - 1,
				);
				const scale = (block: number): number => (block % 2 === 0 ? length : 1);
				const values = W!.values.map((value, k) => {
					const e = Math.floor(k / 9);
					return (value * scale(row[e]!) * scale(W!.column[e]!)) / impulse;
				});
				const changed: Problem = {
					...sample,
					W: { ...W!, values },
					q: q.map((value, k) => value * scale(Math.floor(k / 3))),
					laws: { ...laws!, parameters: laws!.parameters.map((value) => value * length) },
				};
				const from = start.map((value, k) => (value * impulse) / scale(Math.floor(k / 3)));
				expect(measured(changed, from) / before).toBeCloseTo(1, 9);
			}
		}
	});

	test("a lone rolling block, and bodies without moments, are refused by their place", () => {
		const law = sample.laws!.law.slice();
		law[23] = 0;
		expect(() => solve({ ...sample, laws: { ...sample.laws!, law } })).toThrow(
			/laws.law\[0\]: has 23 rolling blocks in a row, which is odd/,
		);
		const parameters = sample.laws!.parameters.slice();
		parameters[1] = -1;
		expect(() => solve({ ...sample, laws: { ...sample.laws!, parameters } })).toThrow(/mu_r of contact 0 is -1/);
		const body = sample.rigid!.body.slice();
		body[3] = 5;
		expect(() => solve({ ...sample, rigid: { ...sample.rigid!, body } })).toThrow(
			/rigid.body\[3\]: is 5, and \d+ of the force before it; give the moment of a rolling contact the bodies of its force/,
		);
	});
});

describe("generated piles", () => {
	test.each([
		["spheres", 50, "rolling:mu_r=1e-3"],
		["spheres", 100, "rolling:mu_r=5e-4"],
		["spheres-layers", 60, "rolling:mu_r=1e-3"],
		["spheres-layers", 200, "rolling:mu_r=1e-3"],
		["spheres-heavy", 50, "rolling:mu_r=2e-3"],
		["spheres-heavy", 100, "rolling:mu_r=2e-3,mu_s=1e-3"],
		["planks", 50, "rolling:mu_r=2e-3"],
		["planks", 100, "rolling:mu_r=2e-3,mu_s=1e-3"],
	])("%s, %d contacts, %s: solved to natural 1e-8", (name, contacts, law) => {
		const problem = condense(generateRolling(name, { contacts, law }));
		const { report, reaction } = solve(problem, { measure: "natural", tolerance: 1e-8 });
		expect(report.status).toBe("solved");
		expect(naturalOf(problem, reaction)).toBeLessThan(1.01e-8);
	});

	test("of bodies alone, or beside other laws, rolling is refused", () => {
		expect(() => generate("spheres", { law: "rolling:mu_r=1e-3" })).toThrow(/law: is rolling/);
		expect(() => generateRolling("spheres", { law: "rolling+coulomb" })).toThrow(/give rolling alone/);
	});
});
