/** Datasets that HDF5 would read as zeros, since their numbers are elsewhere or were never written, are refused by name; unusual storage is read. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { File, ready } from "h5wasm/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { sampleProblem } from "../testing/samples.js";
import { UNUSUAL } from "../testing/unusual-files.js";
import { readSolution, withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";
import { writeFclib } from "./write.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-unusual-"));
const path = join(folder, "case.hdf5");
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The place of the refusal; undefined if the file is read. */
function refusedAt(bytes: Uint8Array): string | undefined {
	writeFileSync(path, bytes);
	try {
		const problem = withFclib(hdf5, path, readProblem);
		expect([...problem.q]).toEqual([-1, 0, 0]);
		return undefined;
	} catch (error) {
		if (error instanceof InputError) return error.place;
		throw error;
	}
}

const Q = "/fclib_local/vectors/q";
/** Place of the refusal by kind; kinds that are missing here are read. */
const PLACES: Readonly<Record<string, string>> = {
	virtual: "/fclib_local/W/x",
	external: Q,
	unwritten: Q,
	"unwritten-chunked": Q,
	part: Q,
	lzf: Q,
	via: Q,
	dangling: Q,
};

test.each(Object.keys(UNUSUAL))("%s", (name) => {
	const bytes = gunzipSync(Buffer.from(UNUSUAL[name]!, "base64"));
	expect(refusedAt(bytes)).toBe(PLACES[name.split(" ")[1]!]);
});

test("a guess and a solution without numbers are zeros, as libfclib leaves them", () => {
	const sample = sampleProblem({ seed: 3, contacts: 2, bodies: 2 });
	writeFclib(hdf5, path, sample, { form: "local", solution: { u: sample.q, r: sample.q } });
	const file = new File(path, "a");
	const solution = file.get("/solution");
	if (solution === null || !("create_dataset" in solution)) throw new Error("no solution");
	// Chunks of a resized dataset are not allocated.
	solution.create_dataset({ name: "v", data: Float64Array.of(1), shape: [1], maxshape: [null], chunks: [1] });
	const v = file.get("/solution/v");
	if (v === null || !("resize" in v)) throw new Error("no v");
	v.resize([6]);
	file.close();
	const read = withFclib(hdf5, path, (opened) => readSolution(opened, 0));
	expect([...read!.v!]).toEqual([1, 0, 0, 0, 0, 0]);
});

test("seeded changes of headers in unusual files: read or refused, in both formats", () => {
	const random = new Random(11);
	const outcomes = new Set<string>();
	const names = Object.keys(UNUSUAL).filter((name) => /chunked|compact|external|user/.test(name));
	for (let k = 0; k < 300; k += 1) {
		const bytes = gunzipSync(Buffer.from(UNUSUAL[names[random.below(names.length)]!]!, "base64"));
		for (let n = 1 + random.below(4); n > 0; n -= 1) bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
		// A name for each: HDF5 would take a file that it failed to close for the same one.
		const own = join(folder, `changed-${k}.hdf5`);
		writeFileSync(own, bytes);
		try {
			withFclib(hdf5, own, readProblem);
			outcomes.add("read");
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			outcomes.add("refused");
		}
		rmSync(own);
	}
	expect(outcomes).toEqual(new Set(["read", "refused"]));
});
