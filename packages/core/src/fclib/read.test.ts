import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csrFromBlocks } from "../problem/blocks.js";
import type { Problem } from "../problem/problem.js";
import { sampleProblem } from "../testing/samples.js";
import { columnsOf, localTree, one, rowsOf, type Tree, tripletsOf, type Value, writeTree } from "../testing/trees.js";
import { describeFclib } from "./describe.js";
import { readInfo, readSolution, withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-read-"));
const path = join(folder, "case.hdf5");
const sample = sampleProblem({ seed: 7, contacts: 8, bodies: 4, equalityRows: 3 });
const W = csrFromBlocks(sample.W!);
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

const local = (changes: Record<string, Value | undefined> = {}, matrix?: Tree): void =>
	writeTree(hdf5, path, localTree(sample, changes, matrix));

const read = (): Problem => withFclib(hdf5, path, (file) => readProblem(file), "case.hdf5");
describe("storage", () => {
	test.each([
		["compressed rows", () => rowsOf("/fclib_local/W", W)],
		["compressed columns", () => columnsOf("/fclib_local/W", W)],
		["triplets backwards with duplicates", () => tripletsOf("/fclib_local/W", W)],
	])("%s: the same bits", (_, matrix) => {
		local({}, matrix());
		const problem = read();
		expect(problem.W).toEqual(sample.W);
		expect(problem.equalities).toEqual(sample.equalities);
		expect([problem.q, problem.mu, problem.contacts]).toEqual([sample.q, sample.mu, 8]);
	});

	test("rows in any order, and room behind the entries (nzmax)", () => {
		const used = W.values.length;
		const reversed = { ...W, column: W.column.slice(), values: W.values.slice() };
		for (let row = 0; row < W.rows; row += 1) {
			reversed.column.subarray(W.rowStart[row], W.rowStart[row + 1]).reverse();
			reversed.values.subarray(W.rowStart[row], W.rowStart[row + 1]).reverse();
		}
		const column = new Int32Array(used + 5).fill(-77);
		const values = new Float64Array(used + 5);
		column.set(reversed.column);
		values.set(reversed.values);
		local({}, rowsOf("/fclib_local/W", { ...reversed, column, values }));
		expect(read().W).toEqual(sample.W);
	});

	test("explicit zeros are kept, and blocks without entries are zero there", () => {
		const diagonal = { rows: 24, columns: 24, rowStart: Int32Array.from({ length: 25 }, (_, k) => k) };
		const column = Int32Array.from({ length: 24 }, (_, k) => k);
		local({}, rowsOf("/fclib_local/W", { ...diagonal, column, values: new Float64Array(24).fill(2) }));
		const { column: blocks, values } = read().W!;
		expect([...blocks]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		expect([...values.subarray(63)]).toEqual([2, 0, 0, 0, 2, 0, 0, 0, 2]);
	});

	test("gzip, chunks, shuffle, big-endian-free 64-bit integers and HDF5 scalars, as other writers have them", async () => {
		const { File } = await import("h5wasm/node");
		local({ "/fclib_local/vectors/q": undefined, "/fclib_local/W/p": undefined, "/fclib_local/spacedim": undefined });
		const file = new File(path, "a");
		const root = file.get("/");
		if (root === null || !("create_dataset" in root)) throw new Error("no root");
		root.create_dataset({ name: "fclib_local/vectors/q", data: sample.q, chunks: [5], compression: "gzip" });
		root.create_dataset({ name: "fclib_local/W/p", data: BigInt64Array.from(W.rowStart, BigInt), dtype: "<q" });
		root.create_dataset({ name: "fclib_local/spacedim", data: 3, dtype: "<i", shape: [] });
		file.close();
		expect(read()).toMatchObject({ q: sample.q, W: sample.W });
	});
});
describe("what is read but not solved", () => {
	const size = { contacts: 2, dofs: 4 };
	const matrix = (name: string, rows: number, columns: number): Tree =>
		rowsOf(name, {
			rows,
			columns,
			rowStart: Int32Array.from({ length: rows + 1 }, (_, k) => k),
			column: Int32Array.from({ length: rows }, (_, k) => k),
			values: new Float64Array(rows).fill(1),
		});

	test("rolling in the plane: described and refused by name", () => {
		const group = "/fclib_global_rolling";
		writeTree(hdf5, path, {
			[`${group}/spacedim`]: one(3),
			...matrix(`${group}/M`, size.dofs, size.dofs),
			...matrix(`${group}/H`, size.dofs, 6),
			[`${group}/vectors/f`]: new Float64Array(size.dofs),
			[`${group}/vectors/w`]: new Float64Array(6),
			[`${group}/vectors/mu`]: Float64Array.of(0.3, 0.4),
			[`${group}/vectors/mu_r`]: Float64Array.of(0.01, 0.02),
			[`${group}/info/title`]: "\xa8 rolls",
		});
		const description = withFclib(hdf5, path, describeFclib);
		expect(description).toMatchObject({
			kind: "rolling",
			dimension: 3,
			contacts: 2,
			degreesOfFreedom: 4,
			frictionMax: 0.4,
		});
		expect(description.matrices.H).toMatchObject({ rows: 4, columns: 6, storage: "compressed rows", entries: 4 });
		expect(description.info.title?.text).toBe("\xa8 rolls");
		expect(read).toThrow(/spacedim: is a plane problem \(3 components per contact\); only 3D problems/);
	});

	test("2D: described and refused by name", () => {
		writeTree(hdf5, path, {
			"/fclib_local/spacedim": one(2),
			...matrix("/fclib_local/W", 4, 4),
			"/fclib_local/vectors/q": new Float64Array(4),
			"/fclib_local/vectors/mu": new Float64Array(2),
		});
		expect(withFclib(hdf5, path, describeFclib)).toMatchObject({ dimension: 2, contacts: 2, kind: "local" });
		expect(read).toThrow(/spacedim: is a plane problem \(2 components per contact\)/);
	});
});
test("info and solution", () => {
	const u = sample.guesses![0]!.u!;
	local({
		"/solution/u": u,
		"/solution/r": sample.q,
		"/solution/l": Float64Array.of(1, 2, 3),
		"/fclib_local/info/title": "T",
	});
	withFclib(hdf5, path, (file) => {
		expect(readInfo(file)).toEqual({ title: { text: "T", bytes: Uint8Array.of(84) } });
		expect(readSolution(file, 3)).toEqual({ u, r: sample.q, l: Float64Array.of(1, 2, 3) });
	});
});
