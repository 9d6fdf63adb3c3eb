/** The group of laws: what was written is read back, others' files stay what they are, and what is wrong is named with its dataset. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PARAMETERS } from "../problem/laws.js";
import { withLaws } from "../testing/laws.js";
import { sampleProblem } from "../testing/samples.js";
import { localTree, type Value, writeTree } from "../testing/trees.js";
import { describeFclib } from "./describe.js";
import { withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";
import { writeFclib } from "./write.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-laws-"));
const path = join(folder, "case.hdf5");
const plain = sampleProblem({ seed: 22, contacts: 6, bodies: 3 });
/** Trees are of files with equality rows. */
const mixed = sampleProblem({ seed: 22, contacts: 6, bodies: 3, equalityRows: 1 });
const problem = withLaws(plain, (a) => ({ law: a % 2 === 0 ? "cohesive" : "relaxed", cohesion: 1e-3 * a }));
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["local", "global"] as const)("%s: what was written is read back, and described", (form) => {
	writeFclib(hdf5, path, problem, { form });
	const read = withFclib(hdf5, path, (file) => ({ back: readProblem(file), told: describeFclib(file) }));
	expect(read.back.laws).toEqual(problem.laws);
	expect(read.told.laws).toEqual({ cohesive: 3, relaxed: 3 });
});

test("a problem with Coulomb's law has no such group, whether it names that or not", () => {
	for (const given of [plain, withLaws(plain, () => ({ law: "coulomb" }))]) {
		writeFclib(hdf5, path, given, {});
		const read = withFclib(hdf5, path, (file) => [readProblem(file).laws, file.hdf5.kind("/contact_laws")]);
		expect(read).toEqual([undefined, undefined]);
	}
});

describe("bad groups", () => {
	const law = (...codes: number[]) => Int32Array.from({ length: 6 }, (_, a) => codes[a] ?? 0);
	const numbers = new Float64Array(PARAMETERS * 6);
	const negative = numbers.slice();
	negative[PARAMETERS + 1] = -2;
	const refused: readonly [string, Record<string, Value>, RegExp][] = [
		["no numbers", { law: law(4) }, /\/contact_laws\/parameters: is missing/],
		[
			"too few codes",
			{ law: law().subarray(1), parameters: numbers },
			/\/contact_laws\/law: has 5 values instead of 6/,
		],
		["too few numbers", { law: law(), parameters: numbers.subarray(1) }, /parameters: has 47 values instead of 48/],
		[
			"a code beyond a byte",
			{ law: law(0, 300), parameters: numbers },
			/\/contact_laws\/law\[1\]: is 300; codes of laws go/,
		],
		["a code below zero", { law: law(-1), parameters: numbers }, /\/contact_laws\/law\[0\]: is -1/],
		[
			"a code without a law",
			{ law: law(0, 0, 77), parameters: numbers },
			/\/contact_laws\/law\[2\]: is 77, which is no law; use the codes of coulomb/,
		],
		[
			"cohesion below zero",
			{ law: law(0, 4), parameters: negative },
			/\/contact_laws\/parameters\[9\]: cohesion of contact 1 is -2; give a number that is at least 0/,
		],
		["NaN", { law: law(4), parameters: numbers.map(() => Number.NaN) }, /cohesion of contact 0 is NaN; give a number/],
		[
			"infinity",
			{ law: law(4), parameters: numbers.map(() => Infinity) },
			/cohesion of contact 0 is Infinity; give a finite/,
		],
	];

	test.each(refused)("%s", (_, group, message) => {
		const named = Object.fromEntries(Object.entries(group).map(([name, value]) => [`/contact_laws/${name}`, value]));
		writeTree(hdf5, path, localTree(mixed, named));
		expect(() => withFclib(hdf5, path, (file) => readProblem(file), "case.hdf5")).toThrow(message);
	});
});
