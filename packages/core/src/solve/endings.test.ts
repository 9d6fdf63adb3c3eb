/** How a solve ends: every status, and what the report carries then. */

import { describe, expect, test } from "vitest";
import { oneContact } from "../testing/closed-forms.js";
import { gallery, pile } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { FACTORS, FIRST_ORDER, METHODS, SWEEPS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { runOf } from "../testing/runs.js";
import { solve, solveAsync } from "./solve.js";

const spheres = pile("spheres", 300);
test("a problem without a name is called one, in reports and in errors", () => {
	const { name: _name, ...nameless } = pile("spheres", 20);
	const unnamed = nameless as unknown as Parameters<typeof solve>[0];
	expect(solve(unnamed).report.problem).toBe("problem");
	expect(() => solve({ ...unnamed, q: new Float64Array(1) })).toThrow(/^problem: q: /);
	expect(() => solve(unnamed, { start: "guess" })).toThrow(/^problem: guesses: /);
});

const methods = [...METHODS, ...FACTORS];
/** Methods that keep U fresh, and methods that never do; a relay does both. */
const fresh: Record<string, boolean> = {
	...Object.fromEntries(SWEEPS.map((name) => [name, false])),
	...Object.fromEntries(["pqn-diagonal", ...FIRST_ORDER].map((name) => [name, true])),
};

describe.each(methods)("%s", (method) => {
	test("iteration-limit: as many as allowed, and the best of them is returned", () => {
		const { report, reaction } = solve(spheres, { method, tolerance: 1e-15, maxIterations: 12, history: true });
		expect(report.status).toBe("iteration-limit");
		expect(report.iterations).toBe(12);
		expect(report.energy).toBeLessThanOrEqual(Math.min(...report.history!) * (1 + 1e-9));
		expect(judge(spheres, reaction).energy / report.energy).toBeCloseTo(1, 6);
		expect(report.reason).toMatch(/12 iterations/);
	});

	test("no iteration allowed: the start is the answer", () => {
		const { report, reaction } = solve(spheres, { method, maxIterations: 0 });
		expect(report.status).toBe("iteration-limit");
		expect(report.iterations).toBe(0);
		expect(reaction.every((value) => value === 0)).toBe(true);
		expect(judge(spheres, reaction).energy / report.energy).toBeCloseTo(1, 9);
	});

	test("time-limit: no time at all still gives a report", () => {
		const { report } = solve(spheres, { method, tolerance: 0, timeLimit: 0 });
		expect(report.status).toBe("time-limit");
		expect(Number.isFinite(report.energy)).toBe(true);
	});

	test("time-limit: some time is some iterations, in both drivers", async () => {
		const inOneGo = solve(spheres, { method, tolerance: 0, timeLimit: 0.05, set: budget(method) });
		const yielding = await solveAsync(spheres, { method, tolerance: 0, timeLimit: 0.05, set: budget(method) });
		for (const { report } of [inOneGo, yielding]) {
			expect(report.status).toBe("time-limit");
			expect(report.iterations).toBeGreaterThan(0);
		}
	});

	test("cancelled: an AbortSignal ends it, the best iterate so far is returned", async () => {
		const controller = new AbortController();
		const told: number[] = [];
		const { report, reaction } = await solveAsync(spheres, {
			method,
			tolerance: 0,
			maxIterations: Number.POSITIVE_INFINITY,
			signal: controller.signal,
			set: budget(method),
			onProgress({ iterations }) {
				told.push(iterations);
				controller.abort();
			},
		});
		expect(report.status).toBe("cancelled");
		// At the next iteration: nothing more is done, and nothing more is told.
		expect(told).toEqual([report.iterations]);
		expect(Math.abs(judge(spheres, reaction).energy - report.energy)).toBeLessThan(1e-3 * report.energy + 1e-12);
	});

	test("cancelled before it began", async () => {
		const signal = AbortSignal.abort();
		for (const { report, reaction } of [
			solve(spheres, { method, signal, repeat: 2 }),
			await solveAsync(spheres, { method, signal }),
		]) {
			expect(report.status).toBe("cancelled");
			expect(report.iterations).toBe(0);
			expect(reaction.every((value) => value === 0)).toBe(true);
		}
	});

	test("solved by the start: no iteration", () => {
		const { reaction, report } = solve(spheres, { method, tolerance: 0.02 });
		const again = solve(spheres, { method, tolerance: 0.020001, start: reaction });
		expect(report.iterations).toBeGreaterThan(0);
		expect(again.report).toMatchObject({ status: "solved", iterations: 0, products: 0 });
		expect(again.report.energy).toBeCloseTo(report.energy, 9);
	});

	test("progress is told while it runs", async () => {
		const controller = new AbortController();
		const told: number[] = [];
		await solveAsync(spheres, {
			method,
			tolerance: 0,
			maxIterations: Number.POSITIVE_INFINITY,
			signal: controller.signal,
			set: budget(method),
			onProgress({ iterations }) {
				told.push(iterations);
				if (told.length === 2) controller.abort();
			},
		});
		expect(told).toHaveLength(2);
		expect(told).toEqual([...told].sort((a, b) => a - b));
	});

	test.each(["energy", "natural"] as const)(
		"progress: %s, exact where it was taken, estimated elsewhere",
		(measure) => {
			const run = runOf(spheres, { method, measure, tolerance: 1e-7, history: true });
			run.begin();
			const kinds = new Set<boolean>();
			while (run.status === undefined) {
				run.step();
				const { error, exact } = run.progress;
				const taken = run.history!.at(-1)!;
				kinds.add(exact);
				if (exact) expect(error).toBe(taken);
				else if (run.iterations >= 4) expect(Math.abs(Math.log10(error / taken))).toBeLessThan(2);
			}
			// Where U is fresh every iteration is measured.
			expect(kinds).toContain(true);
			if (method in fresh) expect(kinds.has(false)).toBe(!fresh[method]);
		},
	);
});

/** Where a method has a budget of products, one that nobody reaches in a test. */
function budget(method: string): Record<string, number> {
	return method === "auto" || method === "pqn" ? { products: 1e9 } : {};
}

test.each(["auto", "pqn"])(
	"stalled: %s asked for more than doubles hold ends by its budget, and says what it tried",
	(method) => {
		const { report } = solve(spheres, { method, tolerance: 1e-20, set: { products: 3000 } });
		expect(report.status).toBe("stalled");
		expect(report.products).toBeGreaterThanOrEqual(3000);
		expect(report.products).toBeLessThan(3000 + 250);
		expect(report.remedies.length).toBeGreaterThan(0);
		expect(report.energy).toBeLessThan(1e-8);
	},
);

test("unsolved: the reason has the tightest power of ten that was in reach, and the products that took", () => {
	const options = { tolerance: 1e-20, set: { products: 400 } };
	const { report } = solve(spheres, options);
	const [, tolerance, products] = report.reason.match(/; (\de-\d+) was reached after (\d+) products; /)!;
	expect(report.energy).toBeLessThanOrEqual(Number(tolerance));
	expect(report.energy).toBeGreaterThan(Number(tolerance) / 10);
	const again = solve(spheres, { tolerance: Number(tolerance), set: { products: Number(products) } });
	expect(again.report.status).toBe("solved");
	expect(solve(spheres, { ...options, maxIterations: 50 }).report.reason).toMatch(
		/after 50 iterations at .*; 1e-\d was reached/,
	);
});

test("the default tolerance is that of the measure", () => {
	const given = (["energy", "natural", "merit"] as const).map((measure) => solve(spheres, { measure }).report);
	expect(given.map(({ status, tolerance }) => [status, tolerance])).toEqual([
		["solved", 1e-2],
		["solved", 1e-3],
		["solved", 1e-6],
	]);
});

test("a tolerance of zero is reached where the answer is exact", () => {
	const problem = oneContact([1, 0, 0, 0, 1, 0, 0, 0, 1], [2, 0, 0], 0.5);
	expect(solve(problem, { tolerance: 0 }).report).toMatchObject({ status: "solved", energy: 0 });
});

test.each(methods)("%s: whatever the size of q, the same bits but for the power of two", (method) => {
	const ordinary = randomProblem({ seed: 3, contacts: 6 });
	const limits = { method, maxIterations: 200 };
	const { report, reaction } = solve(ordinary, limits);
	for (const power of [2 ** -900, 2 ** -530, 2 ** 530, 2 ** 900]) {
		const other = solve({ ...ordinary, q: ordinary.q.map((value) => power * value) }, limits);
		expect(other.report.status).toBe(report.status);
		expect(other.report.iterations).toBe(report.iterations);
		expect(other.report.energy).toBe(report.energy);
		expect(other.reaction.map((value) => value / power)).toEqual(reaction);
	}
});

test.each(["pqn", "pqn-diagonal"])("diverged: %s in the problem's own units, beyond the largest double", (method) => {
	const ordinary = randomProblem({ seed: 3, contacts: 6 });
	const huge = { ...ordinary, q: ordinary.q.map((value) => 1e200 * value) };
	const { report, reaction, velocity } = solve(huge, { method, maxIterations: 200, set: { scaling: "none" } });
	expect(report.status).toBe("diverged");
	expect(reaction.every(Number.isFinite)).toBe(true);
	expect(velocity.every(Number.isFinite)).toBe(true);
});

test("an equality row that nothing gives way to is bad input", () => {
	const problem = gallery.find(({ equalities }) => equalities !== undefined)!;
	const { R } = problem.equalities!;
	const free = {
		...problem,
		equalities: { ...problem.equalities!, R: { ...R, values: new Float64Array(R.values.length) } },
	};
	expect(() => solve(free)).toThrow(/equalities\.R\[0\]: has 0 on the diagonal/);
});

test("a relay whose phase leaves the finite numbers goes on from its best iterate", () => {
	const problem = randomProblem({ seed: 13, contacts: 20, mu: [0.2, 0.8], skew: 0.3 });
	const { report, reaction } = solve(problem, { tolerance: 1e-8 });
	expect(report.status).toBe("solved");
	expect(judge(problem, reaction).energy).toBeLessThan(1.001e-8);
});

test.each(methods)("%s: a direction in which nothing can move leaves all measures finite", (method) => {
	const problem = oneContact([1, 0, 0, 0, 1, 0, 0, 0, 0], [-1, 0.2, 0], 0.5);
	const { report, reaction } = solve(problem, { method, tolerance: 1e-8 });
	expect(report.status).toBe("solved");
	expect(report.natural).toBeLessThan(1e-6);
	expect(Number.isFinite(report.merit)).toBe(true);
	expect(reaction[0]).toBeCloseTo(1, 6);
	expect(reaction[1]).toBeCloseTo(-0.2, 6);
});

test("gauss-seidel gives up mixing where it only cycles, and says so", () => {
	const problem = pile("spheres", 200);
	const { report } = solve(problem, { method: "gauss-seidel", tolerance: 1e-6 });
	expect(report.status).toBe("solved");
	expect(report.remedies.join()).toMatch(/acceleration switched off/);
});

test("proximal-gauss-seidel says when it takes an anchor", () => {
	const { report } = solve(pile("spheres", 200), { method: "proximal-gauss-seidel", tolerance: 1e-6 });
	expect(report.status).toBe("solved");
	expect(report.remedies.join()).toMatch(/^after \d+ sweeps at energy about .*: proximal sweeps from alpha 0.01$/);
});

test.each([{ restart: 1 }, { m: 1 }])(
	"the shortest basis of GMRES leaves room for the sweeps that follow: %j",
	(set) => {
		const { report } = solve(pile("spheres", 60), { method: "pqn", set, tolerance: 1e-3 });
		expect(report.status).toBe("solved");
	},
);
