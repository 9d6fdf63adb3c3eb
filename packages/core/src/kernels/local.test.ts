/**
 * The exact local solve: thousands of random blocks, each judged by the law itself. A sweep over an uncoupled system solves every
 * contact from b = q, so one sweep is all there is, on both engines.
 */

import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { loadById, storeById } from "../testing/by-id.js";
import { type Triple, tripleOf } from "../testing/judge.js";
import { positiveDefinite } from "../testing/random-problems.js";

interface Blocks {
	readonly seed: number;
	readonly count?: number;
	/** Part of unsymmetric numbers added. */
	readonly skew?: number;
	/** What the identity adds: small is nearly singular. */
	readonly shift?: number;
	/** Blocks and free velocities differ by up to this factor. */
	readonly spread?: number;
	readonly mu?: readonly [number, number];
}

/** Contacts that do not couple. */
function uncoupled({ seed, count = 2000, skew = 0, shift = 0.2, spread = 1, mu = [0, 1.2] }: Blocks): Problem {
	const random = new Random(seed);
	const values = new Float64Array(9 * count);
	const q = new Float64Array(3 * count);
	for (let a = 0; a < count; a += 1) {
		const w = positiveDefinite(random, 3, shift);
		const factor = spread ** random.between(-1, 1);
		for (const [i, j] of [
			[1, 3],
			[2, 6],
			[5, 7],
		] as const) {
			const turn = skew * random.between(-1, 1);
			w[i]! += turn;
			w[j]! -= turn;
		}
		values.set(
			w.map((value) => factor * value),
			9 * a,
		);
		const speed = spread ** random.between(-1, 1);
		for (let i = 0; i < 3; i += 1) q[3 * a + i] = speed * random.between(-1, 1);
		if (random.uniform() < 0.8) q[3 * a] = -Math.abs(q[3 * a]!);
	}
	const rowStart = Int32Array.from({ length: count + 1 }, (_, a) => a);
	return {
		name: `uncoupled ${seed}`,
		contacts: count,
		q,
		mu: Float64Array.from({ length: count }, () => random.between(mu[0], mu[1])),
		W: { rows: count, rowStart, column: rowStart.slice(0, count), values },
	};
}

interface Swept {
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

function sweepOnce(problem: Problem, engine: "wasm" | "twin", relax = 1, start?: Float64Array): Swept {
	const system = systemOf(problem, { ...systemDefaults, scaling: 1, engine });
	if (start) storeById(system, start, system.r, -1);
	system.operator.sweep?.(system, system.r, false, relax);
	const reaction = loadById(system, system.r, -1);
	const { values } = problem.W!;
	const velocity = problem.q.map((value, i) => {
		const at = 9 * Math.floor(i / 3) + 3 * (i % 3);
		const r = tripleOf(reaction, Math.floor(i / 3));
		return value + values[at]! * r[0] + values[at + 1]! * r[1] + values[at + 2]! * r[2];
	});
	return { reaction, velocity };
}

type Case = "take-off" | "stick" | "slide";

/** Which case of the law holds, and by how much it is missed, relative to |b| for velocities and |R| for reactions. */
function lawOf(mu: number, r: Triple, u: Triple, q: Triple): { kind: Case; missed: number } {
	const speed = Math.hypot(...q);
	const slip = Math.hypot(u[1], u[2]);
	const pull = Math.hypot(r[1], r[2]);
	if (r[0] === 0) return { kind: "take-off", missed: Math.max(0, -u[0] / speed, pull) };
	if (pull <= mu * r[0] && slip <= 1e-9 * speed) {
		return { kind: "stick", missed: Math.max(Math.abs(u[0]), slip) / speed };
	}
	// On the cone, and U_T against R_T: U_T |R_T| + R_T |U_T| = 0.
	const offCone = pull > 0 || mu > 0 ? Math.abs(pull - mu * r[0]) / r[0] : 0;
	const against = pull > 0 ? Math.hypot(u[1] * pull + r[1] * slip, u[2] * pull + r[2] * slip) / (pull * speed) : 0;
	return { kind: "slide", missed: Math.max(Math.abs(u[0]) / speed, offCone, against) };
}

function worst(problem: Problem, { reaction, velocity }: Swept): { missed: number; cases: Record<Case, number> } {
	const cases: Record<Case, number> = { "take-off": 0, stick: 0, slide: 0 };
	let missed = 0;
	for (let a = 0; a < problem.contacts; a += 1) {
		const law = lawOf(problem.mu[a]!, tripleOf(reaction, a), tripleOf(velocity, a), tripleOf(problem.q, a));
		cases[law.kind] += 1;
		missed = Math.max(missed, law.missed);
	}
	return { missed, cases };
}

const kinds: [string, Blocks][] = [
	["symmetric", { seed: 1 }],
	["unsymmetric", { seed: 2, skew: 0.2 }],
	["scaled by up to 1e9 either way", { seed: 3, spread: 1e9 }],
	["without friction", { seed: 4, mu: [0, 0] }],
	["with mu from 1 to 3, where W allows it", { seed: 5, shift: 1, mu: [1, 3] }],
];

describe.each(["wasm", "twin"] as const)("local solve, %s", (engine) => {
	test.each(kinds)("blocks %s keep the law to 1e-9", (_, options) => {
		const problem = uncoupled(options);
		const { missed, cases } = worst(problem, sweepOnce(problem, engine));
		expect(missed).toBeLessThan(1e-9);
		expect(cases["take-off"]).toBeGreaterThan(50);
		expect(cases.slide).toBeGreaterThan(50);
		if (options.mu?.[0] !== 0 || options.mu[1] !== 0) expect(cases.stick).toBeGreaterThan(50);
	});

	test("a start in any direction changes nothing but the last digits", () => {
		const problem = uncoupled({ seed: 6 });
		const random = new Random(66);
		const start = problem.q.map(() => random.between(-1, 1));
		expect(worst(problem, sweepOnce(problem, engine, 1, start)).missed).toBeLessThan(1e-9);
	});

	test.each([0.5, 1.3, 1.9])("over-relaxation by %d stays in the cone and goes that share of the way", (relax) => {
		const problem = uncoupled({ seed: 7, mu: [0.1, 1] });
		const plain = sweepOnce(problem, engine);
		const relaxed = sweepOnce(problem, engine, relax);
		for (let a = 0; a < problem.contacts; a += 1) {
			const r = tripleOf(relaxed.reaction, a);
			expect(Math.hypot(r[1], r[2])).toBeLessThanOrEqual(problem.mu[a]! * r[0] * (1 + 1e-15) + 1e-300);
			// From zero, relax R is in the cone with R: nothing is projected away.
			const p = tripleOf(plain.reaction, a);
			expect(Math.hypot(r[0] - relax * p[0], r[1] - relax * p[1], r[2] - relax * p[2])).toBeLessThan(
				1e-14 * (1 + Math.hypot(...p)),
			);
		}
	});
});

test("nearly singular blocks: the law to 1e-9 times what the block magnifies", () => {
	const problem = uncoupled({ seed: 8, shift: 1e-7, mu: [0.1, 0.6] });
	expect(worst(problem, sweepOnce(problem, "wasm")).missed).toBeLessThan(1e-6);
});
