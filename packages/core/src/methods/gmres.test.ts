/** GMRES against dense solutions, with its counts: products, steps and reductions. orthogonality.test.ts looks at its directions. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { difference, product, solveDense } from "../testing/dense.js";
import { positiveDefinite, randomProblem, reals } from "../testing/random-problems.js";
import { Gmres, type GmresOptions, type LinearProblem } from "./gmres.js";

const CONTACTS = 16;
const SIZE = 3 * CONTACTS;

interface Counted extends LinearProblem {
	applied: number;
	preconditioned: number;
}

/** A dense matrix as the linear problem, preconditioned by its diagonal where asked. */
function linear(dense: Float64Array, jacobi = false): Counted {
	return {
		applied: 0,
		preconditioned: 0,
		apply(x, y) {
			this.applied += 1;
			y.values.set(product(dense, x.values.slice(0, SIZE)));
		},
		precondition(x, y) {
			this.preconditioned += 1;
			y.values.set(x.values);
			if (jacobi) for (let i = 0; i < SIZE; i += 1) y.values[i]! /= dense[i * (SIZE + 1)]!;
		},
	};
}

function matrix(seed: number, skew = 0.3): Float64Array {
	const random = new Random(seed);
	return positiveDefinite(random, SIZE, 0.5).map((value) => value + skew * random.between(-0.1, 0.1));
}

interface Solved {
	readonly x: Float64Array;
	readonly residual: number;
	readonly steps: number;
	readonly gmres: Gmres;
	readonly reductions: number;
}

function solve(
	problem: Counted,
	dense: Float64Array,
	b: Float64Array,
	options: Partial<GmresOptions> & { restart?: number; start?: Float64Array } = {},
): Solved {
	const { restart = SIZE, start, ...rest } = options;
	const system = systemOf(randomProblem({ seed: 1, contacts: CONTACTS }), systemDefaults);
	const gmres = new Gmres(system, system.vectors(restart + 1));
	const [right, x] = [system.vector(), system.operand()];
	right.values.set(b);
	// Without a start, what stood in x before must not matter.
	x.values.set(start ?? new Float64Array(SIZE).fill(1e9));
	const before = system.reducer.count;
	const steps = gmres.solve(problem, right, x, {
		norm: Math.hypot(...b),
		target: 1e-10,
		iterationsMax: 1000,
		startGiven: start !== undefined,
		...rest,
	});
	const answer = x.values.slice(0, SIZE);
	const left = product(dense, answer).map((value, i) => b[i]! - value);
	const reductions = system.reducer.count - before;
	return { x: answer, residual: Math.hypot(...left), steps, gmres, reductions };
}

const b = reals(new Random(77), SIZE);

describe.each([false, true])("preconditioned by the diagonal: %s", (jacobi) => {
	test.each([1, 2, 3])("seed %d: the dense solution, to the target on the true residual", (seed) => {
		const dense = matrix(seed);
		const problem = linear(dense, jacobi);
		const { x, residual, steps, gmres } = solve(problem, dense, b);
		expect(residual).toBeLessThanOrEqual(1e-10 * (1 + 1e-3));
		expect(difference(x, solveDense(dense, b))).toBeLessThan(1e-8);
		expect(steps).toBeLessThanOrEqual(SIZE);
		// One product per step, one for the true residual that checks the claim, and one for each claim that did not hold:
		// one pass of Gram-Schmidt per step leaves directions that are no longer orthogonal after some twenty steps.
		expect(gmres.products).toBe(problem.applied);
		expect(gmres.products).toBeGreaterThan(steps);
		expect(gmres.products).toBeLessThanOrEqual(steps + 3);
	});

	test("restarted: slower, as true, one product more per cycle", () => {
		const dense = matrix(4);
		const problem = linear(dense, jacobi);
		const { residual, steps, gmres } = solve(problem, dense, b, { restart: 7 });
		expect(residual).toBeLessThanOrEqual(1e-10 * (1 + 1e-3));
		expect(gmres.products).toBe(steps + Math.ceil(steps / 7));
	});
});

test("as many steps as there are different eigenvalues", () => {
	const dense = new Float64Array(SIZE * SIZE);
	for (let i = 0; i < SIZE; i += 1) dense[i * (SIZE + 1)] = 1 + (i % 3);
	expect(solve(linear(dense), dense, b).steps).toBe(3);
});

test("the limit of steps ends it, with the best there is in that space", () => {
	const dense = matrix(5);
	const problem = linear(dense);
	let last = Math.hypot(...b);
	for (const limit of [1, 2, 4, 8, 16]) {
		const { residual, steps } = solve(problem, dense, b, { iterationsMax: limit });
		expect(steps).toBe(limit);
		expect(residual).toBeLessThan(last);
		last = residual;
	}
	// One step: minimise |b - a A b| over a.
	const Ab = product(dense, b);
	const dot = (p: Float64Array, q: Float64Array): number => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
	const best = Math.sqrt(dot(b, b) - dot(b, Ab) ** 2 / dot(Ab, Ab));
	expect(solve(problem, dense, b, { iterationsMax: 1 }).residual).toBeCloseTo(best, 12);
});

test("a limit without a claim costs no product to check", () => {
	const dense = matrix(6);
	const { gmres } = solve(linear(dense), dense, b, { iterationsMax: 5, target: 1e-300 });
	expect(gmres.products).toBe(5);
});

test("a start is improved on, and a perfect one costs one product", () => {
	const dense = matrix(7);
	const exact = solveDense(dense, b);
	const near = exact.map((value, i) => value + 1e-6 * Math.sin(i));
	const warm = solve(linear(dense), dense, b, { start: near });
	const cold = solve(linear(dense), dense, b);
	expect(warm.residual).toBeLessThanOrEqual(1e-10 * (1 + 1e-3));
	expect(warm.steps).toBeLessThan(cold.steps);
	const perfect = solve(linear(dense), dense, b, { start: exact });
	expect(perfect.steps).toBe(0);
	expect(perfect.gmres.products).toBe(1);
	expect(perfect.x).toEqual(exact);
});

describe("reductions", () => {
	const dense = matrix(12);
	const counted = (options: Parameters<typeof solve>[3]) => {
		const { steps, reductions, gmres } = solve(linear(dense), dense, b, options);
		return [steps, reductions, gmres.products];
	};

	test("one per step, and none for the start from zero", () => {
		for (const iterationsMax of [1, 2, 5, 13]) {
			expect(counted({ iterationsMax, target: 0 })).toEqual([iterationsMax, iterationsMax, iterationsMax]);
		}
	});

	test("one for a given start", () => {
		const start = b.map((value) => value / 3);
		for (const iterationsMax of [1, 2, 5, 13]) {
			const wanted = [iterationsMax, iterationsMax + 1, iterationsMax + 1];
			expect(counted({ iterationsMax, target: 0, start })).toEqual(wanted);
		}
		expect(counted({ iterationsMax: 0, start })).toEqual([0, 1, 1]);
	});

	test("one for the residual that checks a claim or begins another cycle", () => {
		const [steps = 0, ...others] = counted({ target: 1e-3 });
		expect(others).toEqual([steps + 1, steps + 1]);
		expect(counted({ iterationsMax: 12, restart: 4, target: 0 })).toEqual([12, 14, 14]);
	});

	test("a target that is reached from the start costs nothing", () => {
		expect(counted({ target: 1e9 })).toEqual([0, 0, 0]);
	});
});

test("a right-hand side of zero: x = 0, no product", () => {
	const dense = matrix(8);
	const { x, steps, gmres } = solve(linear(dense), dense, new Float64Array(SIZE));
	expect([...x]).toEqual(new Array(SIZE).fill(0));
	expect([steps, gmres.products]).toEqual([0, 0]);
});

test("nearly dependent directions cost no more, and the answer is as good", () => {
	// I + a small multiple of a random matrix: A v is v up to 1e-5, and the Pythagorean norm loses ten digits.
	const random = new Random(9);
	const dense = Float64Array.from(
		{ length: SIZE * SIZE },
		(_, k) => (k % (SIZE + 1) === 0 ? 1 : 0) + 1e-5 * random.between(-1, 1),
	);
	const { residual, reductions, gmres, x } = solve(linear(dense), dense, b, { target: 1e-14 });
	expect(reductions).toBe(gmres.products);
	expect(residual).toBeLessThan(1e-14 * 10);
	expect(difference(x, solveDense(dense, b))).toBeLessThan(1e-14);
});

test("a singular matrix with b in its range is solved there", () => {
	const dense = matrix(11, 0);
	for (let i = 0; i < SIZE; i += 1) {
		dense[i * SIZE + 5] = 0;
		dense[5 * SIZE + i] = 0;
	}
	const right = b.map((value, i) => (i === 5 ? 0 : value));
	expect(solve(linear(dense), dense, right).residual).toBeLessThanOrEqual(1e-10 * (1 + 1e-3));
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e308])(
	"a product that gives %s once leaves nothing behind",
	(bad) => {
		// 13 contacts: the vectors have padding, which only whole-vector kernels touch.
		const size = 39;
		const random = new Random(5);
		const dense = positiveDefinite(random, size, 0.5);
		const b = reals(random, size);
		const system = systemOf(randomProblem({ seed: 1, contacts: 13 }), systemDefaults);
		const gmres = new Gmres(system, system.vectors(size + 1));
		const [right, x] = [system.vector(), system.operand()];
		right.values.set(b);
		let broken = true;
		const problem: LinearProblem = {
			apply(from, to) {
				const y = product(dense, from.values.slice(0, size));
				to.values.set(broken ? y.map(() => bad) : y);
			},
			precondition: (from, to) => to.values.set(from.values),
		};
		const options = { norm: Math.hypot(...b), target: 1e-10, iterationsMax: size, startGiven: false };
		gmres.solve(problem, right, x, options);
		broken = false;
		gmres.solve(problem, right, x, options);
		expect(x.values.subarray(size).every((value) => value === 0)).toBe(true);
		expect(difference(x.values.slice(0, size), solveDense(dense, b))).toBeLessThan(1e-8);
	},
);
