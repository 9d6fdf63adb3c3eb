/**
 * What a solve exchanges and reduces, counted by the communicator: one of each per iteration of pqn-diagonal, one more per product of
 * pqn as the report has it, and one exchange per colour of a sweep. The same is counted on any number of ranks, of which one is told here.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { describe, expect, test } from "vitest";
import { withFclib } from "../fclib/fclib-file.js";
import { readProblem } from "../fclib/read.js";
import { generate } from "../generate/index.js";
import { type Counts, countsBroken } from "../methods/counts.js";
import { methods } from "../methods/list.js";
import type { Problem } from "../problem/problem.js";
import { gallery, pile } from "../testing/gallery.js";
import { BOUNDS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { runOf } from "../testing/runs.js";
import { dataFolder } from "../testing/shared-data.js";
import type { SolveOptions } from "./options.js";
import type { Report } from "./report.js";
import type { Run } from "./run.js";
import { solve } from "./solve.js";

const shared = [
	"fclib/Capsules-i100-889.hdf5",
	"fclib/KaplasTower-i1061-4.hdf5",
	"fclib/Box_Stacks-i0122-82-5_condensed.hdf5",
	"drum/drum_N100_RG_t1.100_drop.hdf5",
	"cubes/cubes_M5_N2_BC_t0.100.hdf5",
	"generated/spheres_1k_s1.hdf5",
].map((file) => join(dataFolder(), file));
const isThere = shared.every(existsSync);

test.skipIf(!isThere)(
	"the shared problems are there (skipped where STICKSLIP_DATA and ../shared/data are absent)",
	() => {
		expect(shared.every(existsSync)).toBe(true);
	},
);

type Load = () => Promise<Problem>;
const given = (problem: Problem): [string, Load] => [problem.name, () => Promise.resolve(problem)];
const problems: [string, Load][] = [
	...[gallery[5]!, gallery[6]!, gallery[11]!, pile("spheres", 400), pile("planks", 200)].map(given),
	given(randomProblem({ seed: 4, contacts: 60, density: 0.1 })),
	// Tiles of 32 contacts, matrix-free.
	given(generate("spheres", { contacts: 5000 })),
	...(isThere ? shared : []).map((path): [string, Load] => [
		path.slice(path.lastIndexOf("/") + 1),
		async () => withFclib(await ready, path, readProblem),
	]),
];

const counted = new Map(methods().flatMap(({ name, counts }): [string, Counts][] => (counts ? [[name, counts]] : [])));
/** Those with phases of other methods. */
const PHASED = ["auto", "pqn"];

/** What was counted in the iterations of each method of the moment; an iteration that begins with another method is left out, since what ends a phase is nobody's. */
function countedByName(stepped: Run, iterationsMax: number) {
	const byName = new Map<string, Record<"iterations" | "products" | "exchanges" | "reductions", number>>();
	stepped.begin();
	let before = { ...stepped.traffic, products: stepped.products };
	for (let k = 0; k < iterationsMax && stepped.status === undefined; k += 1) {
		const { name } = stepped.method;
		stepped.step();
		const after = { ...stepped.traffic, products: stepped.products };
		const counts = byName.get(name) ?? { iterations: 0, products: 0, exchanges: 0, reductions: 0 };
		byName.set(name, counts);
		if (stepped.method.name === name) {
			counts.iterations += 1;
			for (const key of ["products", "exchanges", "reductions"] as const) counts[key] += after[key] - before[key];
		}
		before = after;
	}
	return { steps: stepped.system.share.sweep.steps, byName };
}

const run = (problem: Problem, options: SolveOptions): Report => solve(problem, { tolerance: 1e-9, ...options }).report;

describe.each(problems)("%s", (_, load) => {
	test.each([1, 7, 60])("pqn-diagonal, at most %d iterations: as many of each, and five", async (maxIterations) => {
		const { iterations, exchanges, reductions } = run(await load(), { method: "pqn-diagonal", maxIterations });
		expect(exchanges).toBeGreaterThanOrEqual(iterations);
		expect(exchanges).toBeLessThanOrEqual(iterations + 5);
		expect(reductions).toBeGreaterThanOrEqual(iterations);
		expect(reductions).toBeLessThanOrEqual(iterations + 5);
	});

	test.each([
		[1, {}],
		[12, {}],
		[5, { m: 60, epsilon: 1e-8 }],
		[5, { m: 60, epsilon: 1e-8, restart: 7 }],
	] as const)("pqn as the report has it, at most %d iterations, %o", async (maxIterations, settings) => {
		const set = { scaling: "none", ...settings };
		const { iterations, products, exchanges, reductions } = run(await load(), { method: "pqn", maxIterations, set });
		expect(exchanges).toBeGreaterThanOrEqual(products + iterations);
		expect(exchanges).toBeLessThanOrEqual(products + iterations + 5);
		expect(reductions).toBeGreaterThanOrEqual(products + iterations);
		expect(reductions).toBeLessThanOrEqual(products + iterations + 8);
	});

	test.each([...counted.keys(), "auto"])("%s: what its entry says, and those of its phases", async (method) => {
		const problem = await load();
		const fit = BOUNDS.includes(method) ? { ...problem, mu: new Float64Array(problem.contacts) } : problem;
		const { steps, byName } = countedByName(runOf(fit, { method, tolerance: 1e-9 }), PHASED.includes(method) ? 60 : 12);
		for (const [name, counts] of byName) expect(countsBroken(counted.get(name)!, counts, steps)).toBe(undefined);
		if (!PHASED.includes(method)) expect([...byName.keys()]).toEqual([method]);
	});

	test("measures of another name are taken with the norm just as well", async () => {
		for (const measure of ["natural", "merit"] as const) {
			const set = { scaling: "none" };
			const pqn = run(await load(), { method: "pqn", measure, maxIterations: 6, set });
			expect(pqn.reductions).toBeLessThanOrEqual(pqn.products + pqn.iterations + 8);
			const diagonal = run(await load(), { method: "pqn-diagonal", measure, maxIterations: 6 });
			expect(diagonal.reductions).toBeLessThanOrEqual(diagonal.iterations + 5);
		}
	});

	test.each([
		["gauss-seidel", { window: 0 }],
		["gauss-seidel", { window: 5 }],
		["proximal-gauss-seidel", { patience: 3, sweeps: 8 }],
	] as const)(
		"%s %o: an exchange per colour and sweep, one per measure; a reduction per sweep and measure",
		async (method, set) => {
			const stepped = runOf(await load(), { method, tolerance: 1e-9, set });
			const { system } = stepped;
			const { steps } = system.share.sweep;
			// Counted from outside: every measure is one call.
			let measures = 0;
			const measure = system.best.measure.bind(system.best);
			system.best.measure = (velocityFresh) => {
				measures += 1;
				return measure(velocityFresh);
			};
			stepped.begin();
			for (let sweep = 0; sweep < 25 && stepped.status === undefined; sweep += 1) stepped.step();
			const { exchanges, reductions } = stepped.traffic;
			const sweeps = stepped.iterations;
			expect(stepped.products).toBe(sweeps);
			expect(exchanges).toBe(sweeps * steps + measures);
			expect(reductions).toBeLessThanOrEqual(sweeps + measures);
		},
	);
});

test("backwards and over-relaxed sweeps exchange as much", () => {
	const problem = pile("spheres", 400);
	const { exchanges, iterations } = run(problem, {
		method: "gauss-seidel",
		maxIterations: 10,
		set: { window: 0, reverse: "yes", relax: 1.2 },
	});
	const same = run(problem, { method: "gauss-seidel", maxIterations: 10, set: { window: 0 } });
	expect([exchanges, iterations]).toEqual([same.exchanges, same.iterations]);
});

test("a rank reports what the solve reports, and repeating does not add up", () => {
	const problem = pile("spheres", 100);
	const once = run(problem, { method: "pqn-diagonal" });
	const twice = run(problem, { method: "pqn-diagonal", repeat: 3 });
	expect([twice.exchanges, twice.reductions]).toEqual([once.exchanges, once.reductions]);
	expect(once.perRank).toHaveLength(1);
	expect(once.perRank[0]).toMatchObject({
		exchanges: once.exchanges,
		reductions: once.reductions,
		messages: 0,
		bytes: 0,
	});
});
