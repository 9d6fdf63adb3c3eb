import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { InputError } from "../errors.js";
import { csrFromBlocks } from "../problem/blocks.js";
import { transposeCsr } from "../problem/csr.js";
import type { CsrMatrix, Problem } from "../problem/problem.js";
import { describeFclib } from "./describe.js";
import { readInfo, readSolution, withFclib } from "./fclib-file.js";
import { Hdf5Writer } from "./hdf5-writer.js";
import { type Hdf5Module, isDamaged } from "./module.js";
import { readProblem, readRolling } from "./read.js";
import { sampleProblem } from "./samples.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-read-"));
const path = join(folder, "case.hdf5");
const sample = sampleProblem({ seed: 7, contacts: 8, bodies: 4, equalityRows: 3 });
const W = csrFromBlocks(sample.W!);
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

type Value = Int32Array | Float64Array | string;
type Tree = Record<string, Value>;

/** Writes datasets by path, groups as they are needed. */
function write(tree: Tree): void {
	const writer = new Hdf5Writer(hdf5, path);
	const groups = new Set<string>();
	for (const [name, value] of Object.entries(tree)) {
		const parts = name.split("/").slice(1, -1);
		for (let depth = 1; depth <= parts.length; depth += 1) {
			const group = `/${parts.slice(0, depth).join("/")}`;
			if (!groups.has(group)) writer.group(group);
			groups.add(group);
		}
		if (typeof value === "string")
			writer.text(
				name,
				Uint8Array.from(value, (character) => character.charCodeAt(0)),
			);
		else writer.numbers(name, value);
	}
	writer.close();
}

const one = (value: number): Int32Array => Int32Array.of(value);

function rowsOf(name: string, { rows, columns, rowStart, column, values }: CsrMatrix): Tree {
	const header = { [`${name}/nzmax`]: one(values.length), [`${name}/m`]: one(rows), [`${name}/n`]: one(columns) };
	return { ...header, [`${name}/nz`]: one(-2), [`${name}/p`]: rowStart, [`${name}/i`]: column, [`${name}/x`]: values };
}

function columnsOf(name: string, matrix: CsrMatrix): Tree {
	const tree = rowsOf(name, transposeCsr(matrix));
	return { ...tree, [`${name}/m`]: one(matrix.rows), [`${name}/n`]: one(matrix.columns), [`${name}/nz`]: one(-1) };
}

/** Triplets backwards, each value in two halves: they add up exactly. */
function tripletsOf(name: string, matrix: CsrMatrix): Tree {
	const row = Int32Array.from(matrix.column, (_, k) => matrix.rowStart.findIndex((start) => start > k) - 1);
	const twice = <List extends Int32Array | Float64Array>(list: List): List => {
		const both = new (list.constructor as new (length: number) => List)(2 * list.length);
		both.set(list);
		both.set(list, list.length);
		return both.reverse() as List;
	};
	return {
		...rowsOf(name, matrix),
		[`${name}/nzmax`]: one(2 * row.length),
		[`${name}/nz`]: one(2 * row.length),
		[`${name}/i`]: twice(row),
		[`${name}/p`]: twice(matrix.column),
		[`${name}/x`]: twice(matrix.values.map((value) => value / 2)),
	};
}

/** A local file; `changes` replace datasets, undefined leaves one out. */
function local(changes: Record<string, Value | undefined> = {}, matrix: Tree = rowsOf("/fclib_local/W", W)): void {
	const { V, R, s } = sample.equalities!;
	const tree: Record<string, Value | undefined> = {
		"/fclib_local/spacedim": one(3),
		...matrix,
		...rowsOf("/fclib_local/V", V),
		...columnsOf("/fclib_local/R", R),
		"/fclib_local/vectors/q": sample.q,
		"/fclib_local/vectors/mu": sample.mu,
		"/fclib_local/vectors/s": s,
		...changes,
	};
	write(Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined)) as Tree);
}

const read = (): Problem => withFclib(hdf5, path, (file) => readProblem(file), "case.hdf5");

/** What reading says, which must be one line that begins with the file's name. */
function refusal(): string {
	try {
		read();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		const { message } = error as InputError;
		expect(message).toMatch(/^case\.hdf5: [^\n]+: [^\n]+; [^\n]+$/);
		return message.slice("case.hdf5: ".length);
	}
	throw new Error("was read");
}

const put = <List extends Int32Array | Float64Array>(list: List, index: number, value: number): List => {
	const copy = list.slice() as List;
	copy[index] = value;
	return copy;
};

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

describe("bad input ends in one line with place and remedy", () => {
	const WP = "/fclib_local/W";
	const q = sample.q;
	test.each<[string, () => void, RegExp]>([
		[
			"q of another size",
			() => local({ "/fclib_local/vectors/q": q.subarray(3) }),
			/vectors\/q: has 21 values instead of 24/,
		],
		["m of another size", () => local({ [`${WP}/m`]: one(21) }), /W\/m: is 21, but the vectors make it 24/],
		["m beyond all memory", () => local({ [`${WP}/m`]: one(2 ** 31 - 1) }), /W\/m: is 2147483647/],
		["short pointers", () => local({ [`${WP}/p`]: W.rowStart.subarray(1) }), /W\/p: has 24 values instead of 25/],
		["pointers that fall", () => local({ [`${WP}/p`]: put(W.rowStart, 3, 0) }), /W\/p\[3\]: falls from/],
		["pointers that start late", () => local({ [`${WP}/p`]: put(W.rowStart, 0, 1) }), /W\/p\[0\]: is 1/],
		["pointers beyond the entries", () => local({ [`${WP}/p`]: put(W.rowStart, 24, 2 ** 30) }), /W: has room for/],
		["an unknown storage", () => local({ [`${WP}/nz`]: one(-3) }), /W\/nz: is -3; use -2/],
		["nzmax below the entries", () => local({ [`${WP}/nzmax`]: one(5) }), /W\/nzmax: is 5 for/],
		["a short x", () => local({ [`${WP}/x`]: W.values.subarray(1) }), /W: has room for/],
		[
			"an index out of range",
			() => local({ [`${WP}/i`]: put(W.column, 10, 24) }),
			/W\/i\[10\]: is 24, out of range; indices here go from 0 to 23/,
		],
		["a negative index", () => local({ [`${WP}/i`]: put(W.column, 10, -1) }), /W\/i\[10\]: is -1, out of range/],
		[
			"an entry twice",
			() => local({ [`${WP}/i`]: put(W.column, 1, W.column[0]!) }),
			/W\/i\[1\]: names column \d+ a second time/,
		],
		["NaN in W", () => local({ [`${WP}/x`]: put(W.values, 7, Number.NaN) }), /W\/x\[7\]: is NaN; write finite numbers/],
		[
			"infinity in q",
			() => local({ "/fclib_local/vectors/q": put(q, 4, Number.NEGATIVE_INFINITY) }),
			/vectors\/q\[4\]: is -Infinity/,
		],
		[
			"negative friction",
			() => local({ "/fclib_local/vectors/mu": put(sample.mu, 2, -1) }),
			/vectors\/mu\[2\]: is -1; give friction/,
		],
		[
			"NaN friction",
			() => local({ "/fclib_local/vectors/mu": put(sample.mu, 2, Number.NaN) }),
			/vectors\/mu\[2\]: is NaN/,
		],
		["no contacts", () => local({ "/fclib_local/vectors/mu": new Float64Array(0) }), /vectors\/mu: has no contacts/],
		[
			"integers for reals",
			() => local({ "/fclib_local/vectors/q": new Int32Array(24) }),
			/vectors\/q: holds integers where reals/,
		],
		["reals for integers", () => local({ [`${WP}/i`]: W.values }), /W\/i: holds reals where integers/],
		["text for numbers", () => local({ "/fclib_local/vectors/q": "hello" }), /vectors\/q: holds no numbers/],
		["a missing vector", () => local({ "/fclib_local/vectors/q": undefined }), /vectors\/q: is missing/],
		["a missing dataset of W", () => local({ [`${WP}/x`]: undefined }), /W\/x: is missing/],
		[
			"R without V",
			() =>
				local(
					Object.fromEntries(["nzmax", "m", "n", "nz", "p", "i", "x"].map((n) => [`/fclib_local/V/${n}`, undefined])),
				),
			/fclib_local\/V: is missing beside the other/,
		],
		["spacedim 4", () => local({ "/fclib_local/spacedim": one(4) }), /spacedim: is 4; a local problem has 2 or 3/],
		[
			"a zero diagonal block",
			() => local({ [`${WP}/x`]: new Float64Array(W.values.length) }),
			/W, diagonal block 0 \(rows 0 to 2\): is zero/,
		],
		[
			"an indefinite diagonal block",
			() => local({ [`${WP}/x`]: W.values.map((x) => -x) }),
			/W, diagonal block 0 .* is indefinite/,
		],
		["more guesses than there are", () => local({ "/guesses/number_of_guesses": one(2) }), /guesses\/1\/u: is missing/],
		[
			"guesses without end",
			() => local({ "/guesses/number_of_guesses": one(2 ** 30) }),
			/number_of_guesses: is 1073741824/,
		],
		[
			"a point too few",
			() => local({ "/geometry/point": new Float64Array(21) }),
			/geometry\/point: has 21 values instead of 24/,
		],
		[
			"half of the rigid bodies",
			() => local({ "/geometry/arm": new Float64Array(48) }),
			/geometry\/frame: is missing beside arm/,
		],
		["no problem at all", () => write({ "/other/x": q }), /^\/: has no problem in it; give an FCLIB file/],
		["two problems", () => local({ "/fclib_global/spacedim": one(3) }), /^\/: has 2 problems in it/],
	])("%s", (_, make, message) => {
		make();
		expect(refusal()).toMatch(message);
	});

	test("rigid bodies that make another W than the file's", () => {
		const { frame, arm, body, inverseMass, inverseInertia } = sample.rigid!;
		const bodies = {
			"/geometry/body": body,
			"/geometry/frame": frame,
			"/geometry/arm": arm,
			"/geometry/inverse_mass": inverseMass,
			"/geometry/inverse_inertia": inverseInertia,
		};
		local(bodies);
		expect(read().rigid).toEqual(sample.rigid);
		local({ ...bodies, "/geometry/inverse_mass": put(inverseMass, 1, 9) });
		expect(refusal()).toMatch(/^\/geometry: describes other bodies than the problem/);
	});

	test("no file, a folder, no HDF5, half a file, an empty file", () => {
		expect(() => withFclib(hdf5, join(folder, "none.hdf5"), readProblem, "none")).toThrow(
			/^none: file: cannot be found/,
		);
		expect(() => withFclib(hdf5, folder, readProblem, "folder")).toThrow(/^folder: file: is no readable HDF5 file/);
		for (const bytes of ["", "hello", "\x89HDF\r\n\x1a\n"]) {
			writeFileSync(path, bytes, "latin1");
			expect(refusal()).toMatch(/^file: is no readable HDF5 file/);
		}
		local();
		truncateSync(path, 5000);
		expect(refusal()).toMatch(/^file: is no readable HDF5 file \(.*truncated file/);
	});

	test("nothing of HDF5's own reaches the terminal", () => {
		const seen = vi.spyOn(process.stderr, "write");
		writeFileSync(path, "no HDF5 at all");
		refusal();
		expect(seen).not.toHaveBeenCalled();
		seen.mockRestore();
	});

	test("a crash inside the library is an InputError, and its module is not used again", () => {
		local();
		// A file of its own: what crashed stays open.
		const own = join(folder, "crash.hdf5");
		copyFileSync(path, own);
		const crash = (): never => {
			throw new WebAssembly.RuntimeError("unreachable");
		};
		const crashing: Hdf5Module = Object.create(hdf5, { get_dataset_metadata: { value: crash } });
		const reading = (): unknown => withFclib(crashing, own, readProblem, "case");
		expect(isDamaged(crashing)).toBe(false);
		expect(reading).toThrow(/^case: \/fclib_local\/spacedim: cannot be read \(unreachable\); the file is damaged/);
		expect(isDamaged(crashing)).toBe(true);
		expect(reading).toThrow(/^case: module: crashed on an earlier file; load h5wasm afresh/);
	});

	test("trees that contain themselves: every group's, one after another", () => {
		local({ "/geometry/point": new Float64Array(24), "/solution/u": sample.q, "/solution/r": sample.q });
		const good = readFileSync(path);
		let trees = 0;
		for (let at = good.indexOf("TREE"); at >= 0; at = good.indexOf("TREE", at + 1)) {
			const bytes = Buffer.from(good);
			// Level 1 instead of 0, and the first child is the node itself.
			bytes[at + 5] = 1;
			bytes.writeBigUInt64LE(BigInt(at), at + 32);
			const own = join(folder, `tree-${at}.hdf5`);
			writeFileSync(own, bytes);
			const all = (): unknown =>
				withFclib(hdf5, own, (file) => [describeFclib(file), readProblem(file), readSolution(file, 3)]);
			expect(all).toThrow(/cannot be read \(cyclic B-tree detected\)/);
			trees += 1;
		}
		expect(trees).toBeGreaterThan(6);
		expect(isDamaged(hdf5)).toBe(false);
	});

	test("a link to another file is not followed", async () => {
		const { File } = await import("h5wasm/node");
		local();
		const file = new File(join(folder, "link.hdf5"), "w");
		const root = file.get("/");
		if (root === null || !("create_external_link" in root)) throw new Error("no root");
		root.create_external_link(path, "/fclib_local", "fclib_local");
		file.close();
		const linked = (): unknown => withFclib(hdf5, join(folder, "link.hdf5"), readProblem, "link");
		expect(linked).toThrow(/^link: \/: has no problem in it/);
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

	test("rolling: described, read whole, and refused by name", () => {
		const group = "/fclib_global_rolling";
		write({
			[`${group}/spacedim`]: one(5),
			...matrix(`${group}/M`, size.dofs, size.dofs),
			...matrix(`${group}/H`, size.dofs, 10),
			[`${group}/vectors/f`]: new Float64Array(size.dofs),
			[`${group}/vectors/w`]: new Float64Array(10),
			[`${group}/vectors/mu`]: Float64Array.of(0.3, 0.4),
			[`${group}/vectors/mu_r`]: Float64Array.of(0.01, 0.02),
			[`${group}/info/title`]: "\xa8 rolls",
		});
		const description = withFclib(hdf5, path, describeFclib);
		expect(description).toMatchObject({
			kind: "rolling",
			dimension: 5,
			contacts: 2,
			degreesOfFreedom: 4,
			frictionMax: 0.4,
		});
		expect(description.matrices["H"]).toMatchObject({ rows: 4, columns: 10, storage: "compressed rows", entries: 4 });
		expect(description.info.title?.text).toBe("\xa8 rolls");
		expect(withFclib(hdf5, path, readRolling)).toMatchObject({ dimension: 5, muRolling: Float64Array.of(0.01, 0.02) });
		expect(refusal()).toMatch(
			/spacedim: is a problem with rolling friction \(5 components per contact\); only 3D problems/,
		);
	});

	test("2D: described and refused by name", () => {
		write({
			"/fclib_local/spacedim": one(2),
			...matrix("/fclib_local/W", 4, 4),
			"/fclib_local/vectors/q": new Float64Array(4),
			"/fclib_local/vectors/mu": new Float64Array(2),
		});
		expect(withFclib(hdf5, path, describeFclib)).toMatchObject({ dimension: 2, contacts: 2, kind: "local" });
		expect(refusal()).toMatch(/spacedim: is a problem in the plane \(2 components per contact\)/);
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
