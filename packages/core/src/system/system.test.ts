/** What a system makes of its problem, and refuses to: diagonal blocks of every origin, forms with and without equality rows. */
import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { generate } from "../generate/index.js";
import { STATIC_BYTES } from "../kernels/arena.js";
import { BINS } from "../kernels/bin-table.js";
import type { OperatorName } from "../outline/choose.js";
import { describeColouring } from "../outline/colours.js";
import { makePlan } from "../outline/plan.js";
import { condense } from "../problem/condense.js";
import type { Problem } from "../problem/problem.js";
import { rigidToGlobal } from "../problem/rigid-to-global.js";
import { describeMemory } from "../solve/memory.js";
import { solve } from "../solve/solve.js";
import { SUM_NUMBERS } from "../sums/reducer.js";
import { CHUNK } from "../sums/sums.js";
import { difference } from "../testing/dense.js";
import { sampleProblem } from "../testing/samples.js";
import { type System, systemDefaults, systemOf } from "./system.js";

const without = (problem: Problem, ...fields: (keyof Problem)[]): Problem =>
	Object.fromEntries(Object.entries(problem).filter(([field]) => !fields.includes(field as keyof Problem))) as never;
const make = (problem: Problem, operator: OperatorName = "auto"): System =>
	systemOf(problem, { ...systemDefaults, operator });

const spheres: Problem = generate("spheres", { contacts: 60 });
const bodies = spheres.rigid!;
const global = rigidToGlobal(bodies, spheres.q);
const alone: Problem = { name: "global", contacts: spheres.contacts, q: spheres.q, mu: spheres.mu, global };

describe("diagonal blocks that no system has are bad input, whatever they come from", () => {
	/** Contact 7 without anything that it could move: a frame of zeros, columns of zeros. */
	const frame = bodies.frame.slice().fill(0, 63, 72);
	const empty = (from: number, to: number): Problem => ({
		...alone,
		global: {
			...global,
			H: { ...global.H, values: global.H.values.map((x, k) => (inside(global.H.column[k]!, from, to) ? 0 : x)) },
		},
	});
	const inside = (column: number, from: number, to: number): boolean => column >= from && column < to;

	test.each<[string, Problem, OperatorName]>([
		["bodies", { ...spheres, rigid: { ...bodies, frame } }, "matrix-free"],
		["bodies, assembled", { ...spheres, rigid: { ...bodies, frame } }, "auto"],
		["a global form", empty(21, 24), "global"],
		["a global form, condensed", empty(21, 24), "auto"],
	])("%s: zero", (_, problem, operator) => {
		expect(() => make(problem, operator)).toThrow(InputError);
		expect(() => make(problem, operator)).toThrow(/diagonal block 7 .*is zero; leave contacts out/);
	});

	test("a global form with M that is not positive definite", () => {
		const { M } = global;
		const wrong = { ...alone, global: { ...global, M: { ...M, values: M.values.map((x) => -x) } } };
		for (const operator of ["global", "auto"] as const) {
			expect(() => make(wrong, operator)).toThrow(/diagonal block 0 .*is indefinite; check/);
		}
	});

	test("a tangent in which nothing moves is allowed, and known", () => {
		for (const operator of ["global", "auto"] as const) {
			const { singular, share } = make(empty(22, 23), operator);
			expect([...singular]).toEqual([share.ids.indexOf(7)]);
		}
	});

	test("points, which do not turn, are bodies", () => {
		const points = { ...spheres, rigid: { ...bodies, inverseInertia: new Float64Array(bodies.inverseInertia.length) } };
		expect(make(points, "matrix-free").singular.size).toBe(0);
		expect(solve(points).report.status).toBe("solved");
	});
});

describe("equality rows", () => {
	const mixed = sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 });

	test("bodies with them are assembled, and that is the same operator as with W given", () => {
		const rigid = without(mixed, "W", "global");
		const system = make(rigid);
		expect(system.operator.kind).toBe("assembled");
		expect(system.share.operatorReason).toMatch(/formed of the bodies/);
		const given = make(mixed, "assembled");
		const [x, y, z] = [system.operand(), system.vector(), given.vector()];
		for (let at = 0; at < system.blocks; at += 1) x.values.fill(Math.cos(system.share.ids[at]!), 3 * at, 3 * at + 3);
		system.operator.apply(x, y);
		const same = given.operand();
		same.values.set(x.values);
		given.operator.apply(same, z);
		expect(difference(y.values, z.values)).toBeLessThan(1e-11);
	});

	test("a global form that has them is refused without their reduced form, and condensing gives it", () => {
		const bare = without(mixed, "W", "rigid", "equalities", "guesses");
		for (const set of [{}, { operator: "global" }]) {
			expect(() => solve(bare, { set })).toThrow(InputError);
			expect(() => solve(bare, { set })).toThrow(/equalities: .*condense/);
		}
		const condensed = condense(bare);
		expect(condensed.equalities?.count).toBe(2);
		expect(difference(condensed.equalities!.s, mixed.equalities!.s)).toBeLessThan(1e-12);
		expect(difference(condensed.q, mixed.q)).toBeLessThan(1e-12);
		expect(solve(condensed).report.status).toBe("solved");
	});
});

test("a W that was formed for the operator does not stay in the plan's problem", () => {
	for (const problem of [spheres, alone]) {
		const plan = makePlan(problem, { ...systemDefaults, operator: "assembled" });
		expect(plan.operator).toBe("assembled");
		expect(plan.problem).toBe(problem);
		expect(plan.problem.W).toBeUndefined();
		expect(make(problem, "assembled").share).not.toHaveProperty("operator");
	}
});

test("described memory is never negative, whatever the operator", () => {
	for (const [operator, problem] of [
		["assembled", spheres],
		["matrix-free", spheres],
		["global", alone],
	] as const) {
		const { systemBytes, methodBytes, operatorBytes } = describeMemory(problem, { method: "pqn", set: { operator } });
		// q, R, U and the best R, blocks of nine, mu, the scale and energy's term.
		expect(systemBytes).toBeGreaterThan(8 * (4 * 3 + 9 + 3) * problem.contacts);
		// Beyond them what kernels keep, the table of bins, the scratch of two sums, and lines filled up.
		const fixed = STATIC_BYTES + 8 * (2 * BINS + 2 * 4 * CHUNK + 6 * SUM_NUMBERS) + 20 * 64 + 8 * 24;
		expect(systemBytes).toBeLessThan(8 * (4 * 3 + 9 + 3) * problem.contacts + fixed);
		expect(methodBytes).toBeGreaterThan(0);
		expect(operatorBytes).toBeGreaterThan(0);
	}
});

test("colours without a system are the system's", () => {
	const mixed = sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 });
	const large = generate("planks", { contacts: 3000 });
	for (const problem of [spheres, large, mixed, without(mixed, "W"), without(mixed, "rigid"), condense(alone)]) {
		expect(describeColouring(problem).colours).toBe(make(problem).share.colours);
	}
});
