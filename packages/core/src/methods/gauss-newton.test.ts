/** Gauss-Newton on the residual: its derivative against differences of the residual, its transpose, and that the error falls. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import type { Vector } from "../kernels/arena.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { type System, systemDefaults, systemOf } from "../system/system.js";
import { bitsOf } from "../testing/bits.js";
import { modified, nearest, tripleOf } from "../testing/judge.js";
import { GaussNewton } from "./gauss-newton.js";

const heap = generate("spheres", { contacts: 60, seed: 1 });
const problems: [string, Problem, "assembled" | "matrix-free"][] = [
	["a heap of spheres, by rows", heap, "assembled"],
	["a heap of spheres, by bodies", heap, "matrix-free"],
	["planks", generate("planks", { contacts: 50, seed: 2 }), "assembled"],
	["without friction", { ...heap, mu: new Float64Array(heap.contacts) }, "assembled"],
];

/** A system at the point that so many sweeps reach, U with it. */
function systemAt(problem: Problem, operator: "assembled" | "matrix-free", engine: "wasm" | "twin" = "wasm"): System {
	const { reaction } = solve(problem, { method: "gauss-seidel", maxIterations: 6, tolerance: 1e-12 });
	const system = systemOf(problem, { ...systemDefaults, operator, engine }, { r: reaction });
	system.startAt(system.r);
	system.velocity(system.r, system.u);
	return system;
}

/** R - proj_K(R - F / w) from its definition; R in the cone or not. */
function residual(system: System, r: Vector): Float64Array {
	const u = system.room();
	system.velocity(r, u);
	const e = new Float64Array(3 * system.blocks);
	for (let a = 0; a < system.blocks; a += 1) {
		const [mu, w] = [system.cones.mu.values[a]!, system.w.values.subarray(9 * a, 9 * a + 9)];
		const weight = 3 / (w[0]! + w[4]! + w[8]!);
		const [z, f] = [tripleOf(r.values, a), modified(mu, tripleOf(u.values, a))];
		const p = nearest(mu, [z[0] - weight * f[0], z[1] - weight * f[1], z[2] - weight * f[2]]);
		for (let i = 0; i < 3; i += 1) e[3 * a + i] = z[i]! - p[i]!;
	}
	return e;
}

/** Numbers for all own blocks, of a length that says something beside R's. */
function fill(system: System, into: Vector, random: Random, size: number): Vector {
	for (let i = 0; i < 3 * system.blocks; i += 1) into.values[i] = random.between(-size, size);
	return into;
}

function dot(system: System, x: Vector, y: Vector): number {
	return x.values.subarray(0, 3 * system.blocks).reduce((sum, value, i) => sum + value * y.values[i]!, 0);
}

describe.each(problems)("%s", (_, problem, operator) => {
	test("J d is what differences of the residual have", () => {
		const system = systemAt(problem, operator);
		const random = new Random(7);
		const { r } = system;
		// Away from the sweeps' point, where contacts stick exactly and the residual has kinks.
		const typical = Math.sqrt(dot(system, r, r) / system.blocks);
		const moved = fill(system, system.operand(), random, 0.3 * typical);
		for (let i = 0; i < 3 * system.blocks; i += 1) r.values[i]! += moved.values[i]!;
		system.velocity(r, system.u);
		const newton = new GaussNewton(system);
		newton.linearise();
		const d = fill(system, system.operand(), random, typical);
		const found = system.room();
		newton.derivative(d, found);
		const h = 1e-6;
		const shifted = (by: number): Float64Array => {
			const other = system.operand();
			for (let i = 0; i < 3 * system.blocks; i += 1) other.values[i] = r.values[i]! + by * d.values[i]!;
			return residual(system, other);
		};
		const [ahead, behind] = [shifted(h), shifted(-h)];
		for (let i = 0; i < 3 * system.blocks; i += 1) {
			const difference = (ahead[i]! - behind[i]!) / (2 * h);
			expect(Math.abs(found.values[i]! - difference)).toBeLessThan(1e-5 * typical);
		}
	});

	test("y . J d = J^T y . d", () => {
		const system = systemAt(problem, operator);
		const newton = new GaussNewton(system);
		newton.linearise();
		const random = new Random(3);
		const d = fill(system, system.operand(), random, 1);
		const y = fill(system, system.room(), random, 1);
		const [ahead, back] = [system.room(), system.room()];
		newton.derivative(d, ahead);
		newton.transposed(y, back);
		const [one, other] = [dot(system, y, ahead), dot(system, back, d)];
		expect(Math.abs(one - other)).toBeLessThan(1e-11 * Math.abs(one));
	});

	test("the error falls in each of three steps, to less than 0.7 of it, and is that of R; the twin has the same bits", () => {
		const ends = (["wasm", "twin"] as const).map((engine) => {
			const system = systemAt(problem, operator, engine);
			const newton = new GaussNewton(system);
			const first = system.measures.energy(system.r, system.u);
			let error = first;
			for (const iterations of [4, 8, 16]) {
				const before = error;
				error = newton.take(error, iterations);
				expect(error).toBeLessThan(before);
			}
			expect(error).toBeLessThan(0.7 * first);
			system.velocity(system.r, system.u);
			expect(system.measures.energy(system.r, system.u)).toBe(error);
			return bitsOf(system.r.values);
		});
		expect(ends[1]).toEqual(ends[0]);
	});
});

test("at an answer nothing moves", () => {
	const { reaction } = solve(heap, { tolerance: 1e-13 });
	const system = systemOf(heap, { ...systemDefaults, operator: "assembled" }, { r: reaction });
	system.startAt(system.r);
	system.velocity(system.r, system.u);
	const before = system.r.values.slice();
	const error = system.measures.energy(system.r, system.u);
	expect(new GaussNewton(system).take(error, 20)).toBeLessThanOrEqual(error);
	const distance = Math.sqrt(system.r.values.reduce((sum, value, i) => sum + (value - before[i]!) ** 2, 0));
	expect(distance).toBeLessThan(1e-9 * Math.sqrt(before.reduce((sum, value) => sum + value * value, 0)));
});

test("W that is not symmetric: the error does not rise", () => {
	const system = systemAt(heap, "assembled");
	const { operator } = system;
	const apply = operator.apply.bind(operator);
	const scratch = system.room();
	// A gyroscopic part: each contact is pushed by the next one, and pushes it the other way.
	operator.apply = (x, y) => {
		scratch.values.set(x.values.subarray(0, system.length));
		apply(x, y);
		for (let i = 0; i + 3 < 3 * system.blocks; i += 3) {
			y.values[i]! += 0.2 * scratch.values[i + 3]!;
			y.values[i + 3]! -= 0.2 * scratch.values[i]!;
		}
	};
	system.velocity(system.r, system.u);
	const newton = new GaussNewton(system);
	let error = system.measures.energy(system.r, system.u);
	const first = error;
	for (let step = 0; step < 4; step += 1) {
		const before = error;
		error = newton.take(error, 8);
		expect(error).toBeLessThanOrEqual(before);
	}
	expect(error).toBeLessThan(first);
});
