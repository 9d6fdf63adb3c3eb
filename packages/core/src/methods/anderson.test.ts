/** Anderson mixing on maps whose fixed points are known: a linear map is solved in as many steps as it has eigenvalues, and one more. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { Vector } from "../kernels/arena.js";
import { type System, systemDefaults, systemOf } from "../system/system.js";
import { product, solveDense } from "../testing/dense.js";
import { positiveDefinite, randomProblem } from "../testing/random-problems.js";
import { Anderson, andersonVectors } from "./anderson.js";

const CONTACTS = 20;
const SIZE = 3 * CONTACTS;

/** x -> A x + c with |A| < 1, A and c within `rank` coordinates: what is left to find has no more dimensions. */
function contraction(rank: number, seed: number) {
	const random = new Random(seed);
	const A = new Float64Array(SIZE * SIZE);
	const small = positiveDefinite(random, rank, 0.3).map((value) => 0.55 * value);
	for (let i = 0; i < rank; i += 1) {
		for (let j = 0; j < rank; j += 1) A[((7 * i) % SIZE) * SIZE + ((7 * j) % SIZE)] = small[rank * i + j]!;
	}
	const c = new Float64Array(SIZE);
	for (let i = 0; i < rank; i += 1) c[(7 * i) % SIZE] = random.between(-1, 1);
	const minus = A.map((value, k) => (k % (SIZE + 1) === 0 ? 1 : 0) - value);
	return { map: (x: Float64Array) => product(A, x).map((value, i) => value + c[i]!), answer: solveDense(minus, c) };
}

function setUp(window: number): { system: System; anderson: Anderson; x: Vector; g: Vector } {
	const system = systemOf(randomProblem({ seed: 1, contacts: CONTACTS }), systemDefaults);
	const anderson = new Anderson(system, window, system.vectors(andersonVectors(window)));
	anderson.clear();
	return { system, anderson, x: system.vector(), g: system.vector() };
}

/** Steps until |x - answer| is below the tolerance. */
function steps(rank: number, window: number, tolerance: number): number {
	const { map, answer } = contraction(rank, 10 * rank);
	const { anderson, x, g, system } = setUp(window);
	for (let step = 1; step <= 500; step += 1) {
		g.values.set(map(x.values.slice(0, SIZE)));
		anderson.offer(x, g);
		anderson.accept(g);
		system.arena.kernels.copy(g.at, x.at, system.length);
		anderson.mix(x);
		const error = Math.hypot(...x.values.slice(0, SIZE).map((value, i) => value - answer[i]!));
		if (error <= tolerance) return step;
	}
	return Number.POSITIVE_INFINITY;
}

describe("a linear map of rank n", () => {
	test.each([1, 2, 3, 4])(
		"n = %d: solved after n + 1 steps by a window of n, and plain steps need many more",
		(rank) => {
			expect(steps(rank, rank, 1e-6)).toBeLessThanOrEqual(rank + 1);
			expect(steps(rank, 0, 1e-6)).toBeGreaterThan(rank + 2);
		},
	);

	test("a window that is too short still helps", () => {
		expect(steps(12, 5, 1e-8)).toBeLessThan(steps(12, 0, 1e-8));
	});
});

test("a map that has changed by a constant is solved after one step by the window that is carried over", () => {
	const { map } = contraction(3, 30);
	const shift = [0.5, -0.25, 1];
	const shifted = (at: Float64Array) => map(at).map((value, i) => value + (i % 7 === 0 ? (shift[i / 7] ?? 0) : 0));
	let answer = new Float64Array(SIZE);
	for (let step = 0; step < 200; step += 1) answer = Float64Array.from(shifted(answer));
	const left = (isCarriedOver: boolean) => {
		const { anderson, x, g, system } = setUp(3);
		const step = (of: typeof map) => {
			g.values.set(of(x.values.slice(0, SIZE)));
			anderson.offer(x, g);
			anderson.accept(g);
			system.arena.kernels.copy(g.at, x.at, system.length);
			return anderson.mix(x);
		};
		for (let k = 0; k < 4; k += 1) step(map);
		if (isCarriedOver) anderson.carryOver();
		else anderson.clear();
		expect(step(shifted)).toBe(isCarriedOver);
		return Math.hypot(...x.values.slice(0, SIZE).map((value, i) => value - answer[i]!));
	};
	expect(left(true)).toBeLessThan(1e-4);
	expect(left(false)).toBeGreaterThan(1e-2);
});

test("a window of zero is the plain map, and offer returns |g - x|^2", () => {
	const { anderson, x, g, system } = setUp(0);
	const { map } = contraction(3, 5);
	for (let step = 0; step < 4; step += 1) {
		const next = map(x.values.slice(0, SIZE));
		g.values.set(next);
		const square = next.reduce((sum, value, i) => sum + (value - x.values[i]!) ** 2, 0);
		expect(anderson.offer(x, g) / square).toBeCloseTo(1, 13);
		anderson.accept(g);
		system.arena.kernels.copy(g.at, x.at, system.length);
		expect(anderson.mix(x)).toBe(false);
		expect([...x.values.slice(0, SIZE)]).toEqual([...next]);
	}
	expect(anderson.mixes).toBe(false);
});

test("a rejected candidate takes the iterate back to the last plain point and empties the window", () => {
	const { anderson, x, g, system } = setUp(3);
	const { map } = contraction(6, 6);
	let plain = new Float64Array(0);
	for (let step = 0; step < 3; step += 1) {
		g.values.set(map(x.values.slice(0, SIZE)));
		anderson.offer(x, g);
		anderson.accept(g);
		plain = g.values.slice();
		system.arena.kernels.copy(g.at, x.at, system.length);
		anderson.mix(x);
	}
	expect(anderson.mixes).toBe(true);
	expect([...x.values]).not.toEqual([...plain]);
	g.values.fill(1e6, 0, SIZE);
	anderson.offer(x, g);
	anderson.reject(x);
	expect([...x.values]).toEqual([...plain]);
	expect(anderson.mixes).toBe(false);
	expect(anderson.mix(x)).toBe(false);
});

test("the window turns over: many more steps than it holds, no growth and no number lost", () => {
	expect(steps(20, 4, 1e-10)).toBeLessThan(100);
});

test("at the fixed point itself there is nothing to mix", () => {
	const { anderson, x, system } = setUp(2);
	for (let step = 0; step < 5; step += 1) {
		anderson.offer(x, x);
		anderson.accept(x);
		expect(anderson.mix(x)).toBe(false);
	}
	expect([...x.values]).toEqual(new Array(system.length).fill(0));
});
