/** Sweeps against the plain algorithm: contact after contact, each solved from the newest reactions of all others. */

import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { OperatorName } from "../outline/choose.js";
import type { Problem } from "../problem/problem.js";
import { loadById, storeById } from "../testing/by-id.js";
import { oneContact } from "../testing/closed-forms.js";
import { denseOf, difference, solveDense } from "../testing/dense.js";
import { gallery, pile } from "../testing/gallery.js";
import { randomProblem, reals } from "../testing/random-problems.js";
import { visitsOf } from "../testing/visits.js";
import { type System, systemDefaults, systemOf } from "./system.js";

/** One contact's exact solution for the free velocity b, by a sweep over that contact alone. */
function solveAlone(w: Float64Array, b: Float64Array, mu: number, start: Float64Array): Float64Array {
	const system = systemOf(oneContact(w, b, mu), { ...systemDefaults, scaling: 1 });
	system.store(start, system.r, -1);
	system.operator.sweep?.(system, system.r, false, 1);
	return system.r.values.slice(0, 3);
}

/** A sweep in the layout's order, on the scaled numbers, dense. */
function plainSweep(system: System, problem: Problem, backward: boolean): Float64Array {
	const { contacts, share, s } = system;
	const dense = denseOf(problem.W!);
	const r = system.r.values.slice();
	const visits = visitsOf(share);
	if (backward) visits.reverse();
	const block = (a: number, b: number): Float64Array => {
		const [from, to] = [share.ids[a]!, share.ids[b]!];
		return Float64Array.from({ length: 9 }, (_, i) => {
			const value = dense[(3 * from + Math.floor(i / 3)) * 3 * contacts + 3 * to + (i % 3)]!;
			return value * s.values[a]! * s.values[b]!;
		});
	};
	for (const a of visits) {
		const b = system.q.values.slice(3 * a, 3 * a + 3);
		for (let other = 0; other < contacts; other += 1) {
			if (other === a) continue;
			const w = block(a, other);
			for (let i = 0; i < 9; i += 1) b[Math.floor(i / 3)]! += w[i]! * r[3 * other + (i % 3)]!;
		}
		r.set(solveAlone(block(a, a), b, system.cones.mu.values[a]!, r.slice(3 * a, 3 * a + 3)), 3 * a);
	}
	return r;
}

function started(problem: Problem, options: Partial<typeof systemDefaults>): System {
	const system = systemOf(problem, { ...systemDefaults, ...options });
	const random = new Random(12);
	for (let i = 0; i < 3 * problem.contacts; i += 1) system.r.values[i] = random.between(-0.2, 0.2);
	system.project(system.r);
	return system;
}

const small = [
	...gallery.filter((problem) => problem.equalities === undefined && problem.contacts <= 30),
	randomProblem({ seed: 61, contacts: 31, density: 0.1 }),
];

describe.each(small.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
	test.each([
		["coloured", false],
		["coloured", true],
		["shuffled", false],
		["file", true],
	] as const)("assembled, order %s, backward %s", (order, backward) => {
		const system = started(problem, { operator: "assembled", order });
		const wanted = plainSweep(system, problem, backward);
		system.operator.sweep?.(system, system.r, backward, 1);
		expect(difference([...system.r.values, 1], [...wanted, 1])).toBeLessThan(1e-9);
	});
});

/** W + alpha diag(w_a I), q - alpha w_a A_a: whose plain sweeps are the proximal ones around A. */
function stiffened(problem: Problem, alpha: number, anchor: Float64Array): Problem {
	const W = problem.W!;
	const [values, q] = [W.values.slice(), problem.q.slice()];
	for (let row = 0; row < problem.contacts; row += 1) {
		const k = W.column.indexOf(row, W.rowStart[row]!);
		const shift = (alpha / 3) * (values[9 * k]! + values[9 * k + 4]! + values[9 * k + 8]!);
		for (let i = 0; i < 3; i += 1) {
			values[9 * k + 4 * i]! += shift;
			q[3 * row + i]! -= shift * anchor[3 * row + i]!;
		}
	}
	return { ...problem, q, W: { ...W, values } };
}

test.each(small.map((problem) => [problem.name, problem] as const))("%s: a proximal sweep", (_, problem) => {
	const random = new Random(14);
	const anchor = reals(random, 3 * problem.contacts);
	for (const alpha of [1e-3, 0.3, 2]) {
		const system = started(problem, { operator: "assembled", scaling: 1 });
		const plain = started(stiffened(problem, alpha, anchor), { operator: "assembled", scaling: 1 });
		expect([...plain.share.ids]).toEqual([...system.share.ids]);
		const [a, q] = [system.vector(), system.vector()];
		storeById(system, anchor, a, -1);
		const { w, cones, blocks } = system;
		system.arena.kernels.anchorFree(0, blocks, alpha, w.at, system.q.at, a.at, q.at);
		expect(difference([...q.values, 1], [...plain.q.values, 1])).toBeLessThan(1e-14);
		system.operator.sweep?.({ q, w, cones }, system.r, false, 1, alpha);
		plain.operator.sweep?.(plain, plain.r, false, 1);
		expect(difference([...system.r.values, 1], [...plain.r.values, 1])).toBeLessThan(1e-10);
	}
});

/** Steps of one contact after another by the formula, in the layout's order. */
function projectedSweep(system: System, problem: Problem, backward: boolean, lambda: number, omega: number) {
	const { contacts, share, s, q, cones } = system;
	const dense = denseOf(problem.W!);
	const r = system.r.values.slice();
	const visits = visitsOf(share);
	if (backward) visits.reverse();
	for (const a of visits) {
		const u = [0, 1, 2].map((i) => {
			let sum = q.values[3 * a + i]!;
			for (let b = 0; b < contacts; b += 1) {
				const from = (3 * share.ids[a]! + i) * 3 * contacts + 3 * share.ids[b]!;
				for (let j = 0; j < 3; j += 1) sum += s.values[a]! * s.values[b]! * dense[from + j]! * r[3 * b + j]!;
			}
			return sum;
		}) as [number, number, number];
		const [w, friction] = [system.w.values.subarray(9 * a, 9 * a + 9), cones.mu.values[a]!];
		const length = (3 * omega) / (w[0]! + w[4]! + w[8]!);
		const last = [...r.subarray(3 * a, 3 * a + 3)];
		const f = [u[0] + friction * Math.hypot(u[1], u[2]), u[1], u[2]];
		const next = projected(friction, last.map((value, i) => value - length * f[i]!) as [number, number, number]);
		const mixed = next.map((value, i) => lambda * value + (1 - lambda) * last[i]!) as [number, number, number];
		r.set(projected(friction, mixed), 3 * a);
	}
	return r;
}

/** Nearest point of the cone, by cases. */
function projected(mu: number, [n, t1, t2]: readonly [number, number, number]): [number, number, number] {
	const t = Math.hypot(t1, t2);
	if (n >= 0 && t <= mu * n) return [n, t1, t2];
	if (mu * t <= -n) return [0, 0, 0];
	const normal = (n + mu * t) / (1 + mu * mu);
	return [normal, (mu * normal * t1) / t, (mu * normal * t2) / t];
}

test.each(small.map((problem) => [problem.name, problem] as const))("%s: sweeps of projected steps", (_, problem) => {
	for (const [backward, lambda, omega] of [
		[false, 1, 1],
		[true, 0.7, 0.4],
		[false, 1.5, 0.8],
	] as const) {
		const system = started(problem, { operator: "assembled" });
		const wanted = projectedSweep(system, problem, backward, lambda, omega);
		system.operator.sweep?.(system, system.r, backward, lambda, 0, omega);
		expect(difference([...system.r.values, 1], [...wanted, 1])).toBeLessThan(1e-10);
	}
});

describe("in body space", () => {
	const rigid = [...gallery.filter((problem) => problem.rigid), pile("spheres", 400), pile("planks", 200)];
	test.each(rigid.map((problem) => [problem.name, problem] as const))(
		"%s: the same sweeps as over rows",
		(_, problem) => {
			const rows = started(problem, { operator: "assembled" });
			const bodies = started(problem, { operator: "matrix-free" });
			for (const [backward, relax, alpha, omega] of [
				[false, 1, 0, 0],
				[true, 1, 0.1, 0],
				[false, 1.4, 0, 0],
				[false, 1, 0.01, 0],
				[false, 1, 0, 1],
				[true, 0.9, 0, 0.5],
			] as const) {
				// From the same point each time: a sweep magnifies rounding by little, many sweeps by a lot.
				bodies.r.values.set(new Float64Array(bodies.r.values.length));
				storeById(bodies, loadById(rows, rows.r, -1), bodies.r, -1);
				rows.operator.sweep?.(rows, rows.r, backward, relax, alpha, omega);
				bodies.operator.sweep?.(bodies, bodies.r, backward, relax, alpha, omega);
				const [found, wanted] = [loadById(bodies, bodies.r, -1), loadById(rows, rows.r, -1)];
				expect(difference([...found, 1], [...wanted, 1])).toBeLessThan(1e-9);
			}
		},
	);
});

describe("the triangle", () => {
	/** T by the definition: the part of X W + Y at and before each block in storage order, X, Y block diagonal. */
	function dense(system: System, problem: Problem, x: Float64Array, diagonal: Float64Array): Float64Array {
		const { contacts, share, s } = system;
		const size = 3 * contacts;
		const w = denseOf(problem.W!);
		const T = new Float64Array(size * size);
		const rank = new Int32Array(contacts);
		for (const [count, at] of visitsOf(share).entries()) rank[at] = count;
		for (let a = 0; a < contacts; a += 1) {
			for (let b = 0; b < contacts; b += 1) {
				if (rank[b]! > rank[a]!) continue;
				for (let i = 0; i < 9; i += 1) {
					let sum = 0;
					for (let k = 0; k < 3; k += 1) {
						const row = 3 * share.ids[a]! + k;
						const column = 3 * share.ids[b]! + (i % 3);
						sum += x[9 * a + 3 * Math.floor(i / 3) + k]! * w[row * size + column]! * s.values[a]! * s.values[b]!;
					}
					const at = (3 * a + Math.floor(i / 3)) * size + 3 * b + (i % 3);
					T[at] = a === b ? diagonal[9 * a + i]! : sum;
				}
			}
		}
		return T;
	}

	const problems = [randomProblem({ seed: 71, contacts: 20, density: 0.2, skew: 0.1 }), pile("spheres", 60)];
	const operators = (problem: Problem) =>
		(problem.rigid ? ["assembled", "matrix-free"] : ["assembled"]) as OperatorName[];
	test.each(problems.flatMap((problem) => operators(problem).map((operator) => [operator, problem] as const)))(
		"%s: T z = c",
		(operator, problem) => {
			const system = systemOf(problem, { ...systemDefaults, operator });
			const { arena, contacts, operator: made } = system;
			const random = new Random(13);
			const [x, p] = [arena.vector(9 * contacts), arena.vector(9 * contacts)];
			const [c, z] = [system.vector(), system.operand()];
			x.values.set(reals(random, 9 * contacts));
			const diagonal = reals(random, 9 * contacts).map((value, i) => value + ((i % 9) % 4 === 0 ? 4 : 0));
			for (let a = 0; a < contacts; a += 1) {
				for (let j = 0; j < 3; j += 1) {
					const column = solveDense(
						diagonal.slice(9 * a, 9 * a + 9),
						Float64Array.from([0, 1, 2], (i) => (i === j ? 1 : 0)),
					);
					for (let i = 0; i < 3; i += 1) p.values[9 * a + 3 * i + j] = column[i]!;
				}
			}
			c.values.set(reals(random, 3 * contacts));
			made.triangle?.(p, x, c, z);
			const T = dense(system, problem, x.values, diagonal);
			const wanted = solveDense(T, c.values.slice(0, 3 * contacts));
			expect(difference(z.values.slice(0, 3 * contacts), wanted)).toBeLessThan(1e-10);
		},
	);
});
