/** Files that are no FCLIB files any more: cut off, of another format, tied into knots; and the library that fails over them. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sampleProblem } from "../testing/samples.js";
import { localTree, type Value, writeTree } from "../testing/trees.js";
import { describeFclib } from "./describe.js";
import { readSolution, withFclib } from "./fclib-file.js";
import { type Hdf5Module, isDamaged } from "./module.js";
import { readProblem } from "./read.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-read-"));
const path = join(folder, "case.hdf5");
const sample = sampleProblem({ seed: 7, contacts: 8, bodies: 4, equalityRows: 3 });
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

const local = (changes: Record<string, Value | undefined> = {}): void =>
	writeTree(hdf5, path, localTree(sample, changes));

const read = (): unknown => withFclib(hdf5, path, readProblem, "case.hdf5");

test("no file, a folder, no HDF5, half a file, an empty file", () => {
	expect(() => withFclib(hdf5, join(folder, "none.hdf5"), readProblem, "none")).toThrow(
		expect.objectContaining({ source: "none", place: "" }),
	);
	expect(() => withFclib(hdf5, folder, readProblem, "folder")).toThrow(/^folder: file: cannot be read as an HDF5 file/);
	for (const bytes of ["", "hello", "\x89HDF\r\n\x1a\n"]) {
		writeFileSync(path, bytes, "latin1");
		expect(read).toThrow(/^case\.hdf5: file: cannot be read as an HDF5 file/);
	}
	local();
	truncateSync(path, 5000);
	expect(read).toThrow(/^case\.hdf5: file: cannot be read as an HDF5 file \(.*truncated file/);
});

test("nothing of HDF5's own reaches the terminal", () => {
	const seen = vi.spyOn(process.stderr, "write");
	writeFileSync(path, "no HDF5 at all");
	expect(read).toThrow();
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
	expect(reading).toThrow(/^case: module: crashed while reading an earlier file; load h5wasm again/);
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
	expect(linked).toThrow(expect.objectContaining({ source: "link", place: "/fclib_local" }));
});
