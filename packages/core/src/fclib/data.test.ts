/** The files of others (see the data folder's README): every one is accepted, and condensed twins agree. Skipped where they are absent. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ready } from "h5wasm/node";
import { beforeAll, describe, expect, test } from "vitest";
import { multiplyBlocks } from "../problem/blocks.js";
import { condense } from "../problem/condense.js";
import { multiplyCsr, multiplyTransposedCsr } from "../problem/csr.js";
import type { CsrMatrix, Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { describeFclib } from "./describe.js";
import { withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const data = process.env.STICKSLIP_DATA ?? join(root, "../shared/data");
const list = (folder: string): string[] => {
	const names = existsSync(join(data, folder)) ? readdirSync(join(data, folder)) : [];
	return names.filter((name) => name.endsWith(".hdf5")).map((name) => join(folder, name));
};
const files = ["fclib", "fclib-global", "fclib-rolling", "drum", "cubes", "generated"].flatMap(list);
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});

/** With W formed, of the global form too. */
const read = (name: string): Problem => condense(withFclib(hdf5, join(data, name), readProblem, name));

// Without files there is no test to skip but this one.
test.skipIf(files.length === 0)("other people's files are there (they need STICKSLIP_DATA or ../shared/data)", () => {
	expect(files.length).toBeGreaterThan(0);
});

describe.skipIf(files.length === 0)("data (skipped where STICKSLIP_DATA and ../shared/data are absent)", () => {
	test.each(files)("%s is accepted, without singular diagonal blocks", (name) => {
		withFclib(hdf5, join(data, name), (file) => {
			const description = describeFclib(file);
			expect(description.contacts).toBeGreaterThan(0);
			expect(description.refusal).toBeUndefined();
			expect(validateProblem(condense(readProblem(file))).singular).toEqual([]);
		});
	});

	// CubeH8_condensed is of another state of the cube (W 5 % off, another q): the dense solution below decides for ours.
	const twins = list("fclib-global").filter((name) => !name.includes("CubeH8") && existsSync(join(data, twinOf(name))));

	test.each(twins)("%s condensed is the file that somebody else condensed", (name) => {
		const ours = read(name);
		const theirs = read(twinOf(name));
		const x = Float64Array.from({ length: 3 * ours.contacts }, (_, k) => 1 + ((k * 7919) % 101) / 101);
		expect(difference(product(ours, x), product(theirs, x))).toBeLessThan(1e-10);
		expect(difference(ours.q, theirs.q)).toBeLessThan(1e-10);
		expect(ours.mu).toEqual(theirs.mu);
	});

	test.each(list("fclib-global"))("%s condensed is what dense elimination with pivots makes of it", (name) => {
		const problem = read(name);
		const { M, H, f, w } = problem.global!;
		const x = Float64Array.from({ length: 3 * problem.contacts }, (_, k) => 1 + ((k * 7919) % 101) / 101);
		const force = new Float64Array(M.rows);
		multiplyCsr(H, x, force);
		const [moved, free] = solveDensely(M, [force, f]) as [Float64Array, Float64Array];
		const [Wx, q] = [new Float64Array(x.length), new Float64Array(x.length)];
		multiplyTransposedCsr(H, moved, Wx);
		multiplyTransposedCsr(H, free, q);
		expect(difference(product(problem, x), Wx)).toBeLessThan(1e-10);
		expect(
			difference(
				problem.q,
				q.map((value, k) => value + w[k]!),
			),
		).toBeLessThan(1e-10);
	});
});

function product(problem: Problem, x: Float64Array): Float64Array {
	const y = new Float64Array(x.length);
	multiplyBlocks(problem.W!, x, y);
	return y;
}

/** Largest difference relative to the largest value. */
function difference(a: Float64Array, b: Float64Array): number {
	const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	const most = largest(a.map((value, k) => value - b[k]!));
	return most === 0 ? 0 : most / largest(b);
}

/** Gauss with row pivots, in each part of the matrix that is coupled with no other. */
function solveDensely(M: CsrMatrix, sides: readonly Float64Array[]): Float64Array[] {
	const solutions = sides.map(() => new Float64Array(M.rows));
	for (const part of uncoupledParts(M)) solvePart(M, sides, part, solutions);
	return solutions;
}

/** Rows by what they are coupled with, directly or through others; M has as many rows as columns and a symmetric pattern. */
function uncoupledParts(M: CsrMatrix): number[][] {
	const isTaken = new Uint8Array(M.rows);
	const parts: number[][] = [];
	for (let first = 0; first < M.rows; first += 1) {
		const part = isTaken[first] === 0 ? [first] : [];
		isTaken[first] = 1;
		for (const row of part) {
			for (let k = M.rowStart[row]!; k < M.rowStart[row + 1]!; k += 1) {
				const next = M.column[k]!;
				if (isTaken[next] === 0) part.push(next);
				isTaken[next] = 1;
			}
		}
		if (part.length > 0) parts.push(part.sort((a, b) => a - b));
	}
	return parts;
}

/** On rows that end in the right-hand sides. */
function solvePart(
	M: CsrMatrix,
	sides: readonly Float64Array[],
	part: readonly number[],
	solutions: readonly Float64Array[],
): void {
	const size = part.length;
	const place = new Map(part.map((row, i) => [row, i]));
	const rows = part.map((at) => {
		const row = new Float64Array(size + sides.length);
		for (let k = M.rowStart[at]!; k < M.rowStart[at + 1]!; k += 1) row[place.get(M.column[k]!)!]! += M.values[k]!;
		for (const [side, values] of sides.entries()) row[size + side] = values[at]!;
		return row;
	});
	for (let k = 0; k < size; k += 1) {
		let pivot = k;
		for (let i = k + 1; i < size; i += 1) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
		[rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
		for (let i = 0; i < size; i += 1) {
			const factor = rows[i]![k]! / rows[k]![k]!;
			if (i === k || factor === 0) continue;
			for (let j = k; j < size + sides.length; j += 1) rows[i]![j]! -= factor * rows[k]![j]!;
		}
	}
	for (const [side, solution] of solutions.entries()) {
		for (const [i, at] of part.entries()) solution[at] = rows[i]![size + side]! / rows[i]![i]!;
	}
}

function twinOf(name: string): string {
	return name.replace("fclib-global", "fclib").replace(".hdf5", "_condensed.hdf5");
}
