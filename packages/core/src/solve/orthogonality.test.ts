/**
 * The directions of GMRES are as orthogonal as modified Gram-Schmidt has them, far more so than classical, with one reduction a step:
 * on dense matrices that make them nearly dependent, and on the matrices of real problems.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ready } from "h5wasm/node";
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { withFclib } from "../fclib/fclib-file.js";
import { readProblem } from "../fclib/read.js";
import { Gmres, type LinearProblem } from "../methods/gmres.js";
import type { Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { product } from "../testing/dense.js";
import { gallery, pile } from "../testing/gallery.js";
import { randomProblem, reals } from "../testing/random-problems.js";
import { dataFolder } from "../testing/shared-data.js";
import { arnoldi, describeOrthogonality, lossOfOrthogonality } from "./orthogonality.js";

/** Bytes of the shared files: large ones take minutes with 60 directions, and are there for nights. */
const FILE_BYTES = process.env.STICKSLIP_THOROUGH === "1" ? 4e6 : 8e5;
const CONTACTS = 40;
const SIZE = 3 * CONTACTS;
const b = reals(new Random(5), SIZE);

const dense = (entry: (i: number, j: number) => number): Float64Array =>
	Float64Array.from({ length: SIZE * SIZE }, (_, k) => entry(Math.floor(k / SIZE), k % SIZE));

/** One cycle of so many steps, the directions taken on their way to the product. */
function gmres(matrix: Float64Array, steps: number): { directions: Float64Array[]; reductions: number } {
	const system = systemOf(randomProblem({ seed: 1, contacts: CONTACTS }), systemDefaults);
	const [right, x] = [system.vector(), system.operand()];
	right.values.set(b);
	const directions: Float64Array[] = [];
	const problem: LinearProblem = {
		apply: (from, to) => to.values.set(product(matrix, from.values.slice(0, SIZE))),
		precondition: (from, to) => {
			directions.push(from.values.slice(0, SIZE));
			to.values.set(from.values);
		},
	};
	const before = system.reducer.count;
	const options = { norm: Math.hypot(...b), target: 0, iterationsMax: steps, startGiven: false };
	const done = new Gmres(system, system.vectors(steps + 1)).solve(problem, right, x, options);
	expect(done).toBe(steps);
	// The last is the combination that becomes the answer.
	return { directions: directions.slice(0, steps), reductions: system.reducer.count - before };
}

/** Losses of a basis of so many directions: ours, modified, classical; and reductions. */
function losses(matrix: Float64Array, count: number) {
	const { directions, reductions } = gmres(matrix, count);
	const apply = (x: Float64Array): Float64Array => product(matrix, x);
	const theirs = (["modified", "classical"] as const).map((way) => arnoldi(apply, directions[0]!, count, way));
	const [modified = 0, classical = 0] = theirs.map((V) => lossOfOrthogonality(V, Math.min(V.length, count)));
	return { ours: lossOfOrthogonality(directions), modified, classical, reductions, length: theirs[0]!.length };
}

const noise = reals(new Random(31), SIZE * SIZE);
/** A diagonal from 1 down to 1e-10. */
const graded = (i: number, j: number): number => (i === j ? 10 ** ((-10 * i) / SIZE) : 0);
/** Matrices, how many directions there are to have, and the classical loss as a multiple of ours at the end of it. */
const matrices: [string, Float64Array, number, number][] = [
	["Hilbert's matrix", dense((i, j) => 1 / (i + j + 1)), 9, 1],
	["Hilbert's, with a little noise", dense((i, j) => 1 / (i + j + 1) + 1e-7 * noise[SIZE * i + j]!), 60, 10],
	["eigenvalues from 1 down to 1e-10", dense(graded), 60, 10],
	["the same, not symmetric", dense((i, j) => graded(i, j) + (j === i + 1 ? 0.3 : 0)), 60, 1],
	// A v is nearly v: directions lose a digit or more at every step, and lengths twice that where they are taken from what is left.
	["twice the identity, and noise", dense((i, j) => (i === j ? 2 : 0) + 0.05 * noise[SIZE * i + j]!), 12, 0.5],
	["the identity, and very little noise", dense((i, j) => (i === j ? 1 : 0) + 1e-5 * noise[SIZE * i + j]!), 3, 0.5],
];

describe("a basis of up to 60 directions", () => {
	test.each(matrices)("%s: as orthogonal as modified Gram-Schmidt has it", (_, matrix, most, gain) => {
		for (const count of [2, 3, 5, 9, 12, 20, 40, 60].filter((wanted) => wanted <= most)) {
			const { ours, modified, classical, reductions, length } = losses(matrix, count);
			expect(length).toBe(count);
			expect(reductions).toBe(count);
			expect(modified).toBeLessThan(1e-3);
			expect(ours).toBeLessThan(3 * modified + 1e-15 * count);
			if (count === most) expect(classical).toBeGreaterThan(gain * ours);
		}
	});
});

describe("Arnoldi's directions, on which the others are measured", () => {
	const apply = (x: Float64Array): Float64Array => product(dense(graded), x);
	const start = b.map((value) => value / Math.hypot(...b));

	test("both ways have the same directions while there are digits", () => {
		const [modified, classical] = (["modified", "classical"] as const).map((way) => arnoldi(apply, start, 6, way));
		for (const [k, v] of modified!.entries()) {
			for (const [i, value] of v.entries()) expect(Math.abs(value - classical![k]![i]!)).toBeLessThan(1e-10);
		}
	});

	test("they end where nothing new comes", () => {
		const three = (x: Float64Array): Float64Array => x.map((value, i) => (1 + (i % 3)) * value);
		expect(arnoldi(three, start, 10, "modified")).toHaveLength(3);
	});

	test("the loss of a known basis", () => {
		// At an angle with cosine 0.6, whatever the lengths: two entries of 0.6.
		const V = [Float64Array.of(2, 0, 0), Float64Array.of(0.3, 0.4, 0), Float64Array.of(0, 0, 1)];
		expect(lossOfOrthogonality(V)).toBeCloseTo(0.6 * Math.sqrt(2), 14);
		expect(lossOfOrthogonality(V, 1)).toBe(0);
	});
});

/** Ours against theirs on a problem; the worst of some iterations. */
function compare(problem: Problem, m: number): void {
	const { directions, ours, modified } = describeOrthogonality(problem, { m, iterations: 4 });
	expect(directions).toBeLessThanOrEqual(m);
	expect(ours).toBeLessThan(3 * modified + 1e-14);
}

describe.each([10, 60])("pqn's matrices, m = %d", (m) => {
	const problems = [...gallery, pile("spheres", 400), pile("planks", 200)].filter((problem) => problem.q.some(Boolean));
	test.each(problems.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => compare(problem, m));
});

describe("pqn's matrices on the shared problems", () => {
	const folders = ["fclib", "drum", "cubes", "generated"].map((folder) => join(dataFolder(), folder));
	const files = folders
		.filter(existsSync)
		.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
		.filter((path) => path.endsWith(".hdf5") && statSync(path).size < FILE_BYTES);

	test.skipIf(files.length === 0)("they are there (skipped where STICKSLIP_DATA and ../shared/data are absent)", () => {
		expect(files.length).toBeGreaterThan(0);
	});

	test.each(files.map((path) => [basename(path), path] as const))("%s", async (_, path) => {
		const problem = withFclib(await ready, path, readProblem);
		for (const m of [10, 60]) compare(problem, m);
	});
});
