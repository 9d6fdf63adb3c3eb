/** A run that is saved after any iteration and gone on with in a fresh one gives the bits of the run that nobody disturbed. */

import { describe, expect, test } from "vitest";
import { generate } from "../generate/index.js";
import type { Problem } from "../problem/problem.js";
import type { PlainRecord, RunState } from "../state/state.js";
import { pile } from "../testing/gallery.js";
import { runsOf, savedRun, stepped } from "../testing/keeping.js";
import { FIRST_ORDER, SWEEPS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";
import type { SolveOptions } from "./options.js";

const OPERATORS = ["assembled", "matrix-free", "global"];
const sample = sampleProblem({ seed: 2, contacts: 24, bodies: 9, equalityRows: 4 });
const rigid = sampleProblem({ seed: 3, contacts: 30, bodies: 12 });

const ways: [string, SolveOptions][] = [
	["auto", {}],
	["pqn", { method: "pqn" }],
	["pqn", { method: "pqn", measure: "natural", set: { scaling: "none" } }],
	["pqn", { method: "pqn", set: { restart: 2, m: 3 } }],
	["pqn", { method: "pqn", set: { delta: 0.01, m: 5, increment: "last", patience: 3 } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	["pqn-diagonal", { method: "pqn-diagonal", measure: "merit", set: { scaling: "none" } }],
	["gauss-seidel", { method: "gauss-seidel" }],
	["sor", { method: "sor", set: { symmetric: "yes", window: 3 } }],
	...FIRST_ORDER.map((method): [string, SolveOptions] => [method, { method }]),
	["spg, preconditioned", { method: "spg", set: { precondition: "diagonal" } }],
	["jacobi", { method: "jacobi", set: { window: 3, lambda: 0.9 } }],
	["fixed-point", { method: "fixed-point", set: { window: 5 } }],
	["extragradient", { method: "extragradient", set: { window: 2 } }],
	["admm", { method: "admm", set: { window: 0, rule: "balanced" } }],
	["apgd", { method: "apgd", set: { window: 3, patience: 8 } }],
	["gauss-seidel", { method: "gauss-seidel", set: { window: 0, order: "shuffled", reverse: "yes", relax: 1.2 } }],
	["gauss-seidel", { method: "gauss-seidel", measure: "natural", set: { window: 2, reverse: "yes" } }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { patience: 4, sweeps: 6 } }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", measure: "natural", set: { patience: 0, window: 2 } }],
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel", set: { patience: 2, window: 0, sweeps: 3 } }],
];

/** All ways on all operators that they can have. */
const cases = ways.flatMap(([name, way]) =>
	OPERATORS.filter((operator) => operator !== "global" || !SWEEPS.includes(name)).map((operator) => {
		const set = { ...way.set, operator };
		const problem = operator === "matrix-free" ? rigid : sample;
		return [`${name} ${JSON.stringify(set)}`, problem, { maxIterations: 20, tolerance: 1e-9, ...way, set }] as const;
	}),
);

/** Goes on from each state, out of plain data. */
function expectSameBits(problem: Problem, options: SolveOptions, every = 1): RunState[] {
	const fresh = runsOf(problem, options);
	const undisturbed = fresh();
	undisturbed.begin();
	const wanted = stepped(undisturbed);
	const { bits, states } = savedRun(fresh());
	expect(bits).toEqual(wanted);
	expect(states.map(({ iteration }) => iteration)).toEqual(states.map((_, k) => k + 1));
	for (const state of states.filter((_, k) => k % every === 0)) {
		const run = fresh();
		run.resume(structuredClone(state));
		expect(run.iterations).toBe(state.iteration);
		expect(stepped(run)).toEqual(wanted);
	}
	return states;
}

test.each(cases)("%s", (_, problem, options) => {
	const states = expectSameBits(problem, { ...options, history: true });
	expect(states.length).toBeGreaterThan(1);
	expectSameBits(problem, options, 7);
});

test.each([
	[pile("spheres", 60), { patience: 3, sweeps: 14, alpha: 0.3 }],
	[pile("planks", 100), { patience: 3, sweeps: 8, alpha: 0.05, rho: 0.1 }],
])("anchors that run out, follow a drift and move on: $name", (problem, set) => {
	const options = { method: "proximal-gauss-seidel", tolerance: 1e-20, maxIterations: 400, set };
	const states = expectSameBits(problem, options, 11);
	const steppers = states.map(({ scalars }) => scalars.stepper as PlainRecord);
	expect(steppers.some(({ isPlain }) => isPlain === true)).toBe(true);
	expect(steppers.some(({ sweeps }) => sweeps === set.sweeps - 1)).toBe(true);
	expect(
		steppers.some(({ sweeps, first }) => sweeps === 0 && Number((first as PlainRecord | undefined)?.ahead) > 0),
	).toBe(true);
	expect(new Set(steppers.map(({ alpha }) => alpha)).size).toBeGreaterThan(1);
});

test("a drift that was none is left again: R is what it was before", () => {
	const problem = generate("spheres", { contacts: 400, seed: 2, speed: 0 });
	const set = { patience: 3, sweeps: 50, alpha: 0.3 };
	const options = { method: "proximal-gauss-seidel", tolerance: 1e-20, maxIterations: 400, set };
	const states = expectSameBits(problem, options, 29);
	const isBetween = ({ scalars }: RunState) => (scalars.stepper as PlainRecord).sweeps === 0;
	const left = states.findIndex((state, k) => k > 0 && isBetween(state) && isBetween(states[k - 1]!));
	expect(left).toBeGreaterThan(0);
	const [before, after] = [states[left - 1]!, states[left]!];
	const firstOf = ({ scalars }: RunState) => (scalars.stepper as PlainRecord).first;
	expect(firstOf(before)).toMatchObject({ alike: 2, ahead: 8 });
	expect(firstOf(after)).toMatchObject({ alike: 0, ahead: 0 });
	expect(after.spaces.blocks!.vectors.r).toEqual(before.spaces.blocks!.vectors.r);
});

describe("a relay through its phases", () => {
	test.each([
		["auto, hard", randomProblem({ seed: 13, contacts: 20, mu: [0.2, 0.8], skew: 0.3 }), {}, 5],
		["auto, to its budget", pile("spheres", 60), { tolerance: 1e-20, set: { products: 1500 } }, 19],
		["gauss-seidel gives up mixing", pile("spheres", 200), { method: "gauss-seidel", tolerance: 1e-4 }, 31],
		["pqn, to its budget", pile("planks", 40), { method: "pqn", tolerance: 1e-20, set: { products: 1500 } }, 19],
		["pqn without rows", sample, { method: "pqn", tolerance: 1e-20, set: { operator: "global", products: 900 } }, 7],
	] as const)("%s", (_, problem, options, every) => {
		const states = expectSameBits(problem, options, every);
		const told = states.map(({ scalars }) =>
			JSON.stringify(scalars.stepper)
				.match(/"(phase|mixes|isPlain)":\w+/g)
				?.join(),
		);
		expect(new Set(told).size).toBeGreaterThan(1);
	});
});
