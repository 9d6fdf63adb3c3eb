/** Rolling problems as files of five components: what is read has six in two blocks, what is written has five again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutSpins } from "../problem/added-spins.js";
import { condense } from "../problem/condense.js";
import type { Problem } from "../problem/problem.js";
import { fiveOfSix, sixOfFive } from "../problem/rolling.js";
import { blockOf } from "../testing/judge.js";
import { sampleRolling } from "../testing/samples.js";
import { one, rowsOf, writeTree } from "../testing/trees.js";
import { describeFclib } from "./describe.js";
import { readSolution, withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";
import { fclibSolution } from "./solution.js";
import { writeFclib } from "./write.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-rolling-"));
const path = join(folder, "case.hdf5");
const made = sampleRolling({ seed: 31, contacts: 12, bodies: 5 });
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (): Problem => withFclib(hdf5, path, readProblem);

/** The largest difference of W and q but for spins, by a product with numbers that have none. */
function difference(one: Problem, other: Problem): number {
	const x = sixOfFive(Float64Array.from({ length: 60 }, (_, k) => Math.sin(k)));
	const product = (problem: Problem): Float64Array => {
		const u = problem.q.slice();
		const { rowStart, column, values } = condense(problem).W!;
		for (let a = 0; a < problem.contacts; a += 1) {
			for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
				for (let i = 0; i < 9; i += 1)
					u[3 * a + Math.floor(i / 3)]! += values[9 * k + i]! * x[3 * column[k]! + (i % 3)]!;
			}
		}
		return fiveOfSix(u);
	};
	const theirs = product(other);
	return product(one).reduce((most, value, k) => Math.max(most, Math.abs(value - theirs[k]!)), 0);
}

describe("a problem of rolling contacts", () => {
	test("is written with five components, and read as it was but for spins, which are alone", () => {
		writeFclib(hdf5, path, made);
		const description = withFclib(hdf5, path, describeFclib);
		expect(description).toMatchObject({ kind: "rolling", dimension: 5, contacts: 12 });
		expect(description.matrices.H).toMatchObject({ rows: 30, columns: 60 });
		expect(description.refusal).toBeUndefined();
		const back = read();
		expect([back.contacts, back.mu, back.laws]).toEqual([24, made.mu, made.laws]);
		expect(back.geometry).toEqual(made.geometry);
		expect(difference(back, made)).toBeLessThan(1e-12);
		const formed = condense(back);
		for (let k = 0; k < 12; k += 1) {
			const block = blockOf(formed, 2 * k + 1);
			expect([block[1], block[2], block[3], block[6], back.q[6 * k + 3]]).toEqual([0, 0, 0, 0, 0]);
			// Of the size of the rolling directions, so that it spoils no scale.
			expect(block[0]).toBeCloseTo((block[4]! + block[8]!) / 2, 12);
		}
	});

	test("comes back bit for bit the second time, with guesses and a solution of five components and v of the file's freedoms", () => {
		writeFclib(hdf5, path, made);
		const first = read();
		const six = sixOfFive(Float64Array.from({ length: 60 }, (_, k) => k + 1));
		const solution = fclibSolution(first, { reaction: six, velocity: six, multiplier: new Float64Array(0) });
		expect(solution.v!.length).toBe(42);
		writeFclib(hdf5, path, { ...first, guesses: [{ r: six, u: six }] }, { solution });
		const { guesses, ...second } = read();
		expect({ ...second, name: first.name }).toEqual(first);
		expect(guesses![0]!.r).toEqual(six);
		const stored = withFclib(hdf5, path, (file) => readSolution(file, 0))!;
		expect(stored.r).toEqual(fiveOfSix(six));
		expect(stored.v).toEqual(solution.v!.slice(0, 30));
	});

	test("a negative or missing mu_r is refused by its place", () => {
		writeFclib(hdf5, path, made);
		const { M, H, f } = withoutSpins(made.global!);
		const tree = (extra: object) => ({
			"/fclib_global_rolling/spacedim": one(5),
			...rowsOf("/fclib_global_rolling/M", M),
			...rowsOf("/fclib_global_rolling/H", H),
			"/fclib_global_rolling/vectors/f": f,
			"/fclib_global_rolling/vectors/w": new Float64Array(60),
			"/fclib_global_rolling/vectors/mu": new Float64Array(12),
			...extra,
		});
		writeTree(hdf5, path, tree({ "/fclib_global_rolling/vectors/mu_r": new Float64Array(12).fill(-1, 3) }));
		expect(read).toThrow(/mu_r\[3\]: is -1; give lengths that are not negative/);
		writeTree(hdf5, path, tree({}));
		expect(read).toThrow(/mu_r/);
	});
});
