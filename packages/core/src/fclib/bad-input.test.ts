import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { csrFromBlocks } from "../problem/blocks.js";
import { sampleProblem } from "../testing/samples.js";
import { localTree, one, put, type Tree, type Value, writeTree } from "../testing/trees.js";
import { withFclib } from "./fclib-file.js";
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

/** What reading says, which must be one line that begins with the file's name. */
function refusal(): string {
	try {
		withFclib(hdf5, path, (file) => readProblem(file), "case.hdf5");
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		const { message } = error as InputError;
		expect(message).toMatch(/^case\.hdf5: [^\n]+: [^\n]+; [^\n]+$/);
		return message.slice("case.hdf5: ".length);
	}
	throw new Error("was read");
}
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
		["pointers that fall", () => local({ [`${WP}/p`]: put(W.rowStart, 3, 0) }), /W\/p\[3\]: decreases from/],
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
			/vectors\/q: contains integers instead of reals/,
		],
		["reals for integers", () => local({ [`${WP}/i`]: W.values }), /W\/i: contains reals instead of integers/],
		["text for numbers", () => local({ "/fclib_local/vectors/q": "hello" }), /vectors\/q: contains no numbers/],
		["a missing vector", () => local({ "/fclib_local/vectors/q": undefined }), /vectors\/q: is missing/],
		["a missing dataset of W", () => local({ [`${WP}/x`]: undefined }), /W\/x: is missing/],
		[
			"R without V",
			() =>
				local(
					Object.fromEntries(["nzmax", "m", "n", "nz", "p", "i", "x"].map((n) => [`/fclib_local/V/${n}`, undefined])),
				),
			/fclib_local\/V: is missing, although the other is given/,
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
			/geometry\/frame: is missing, although arm/,
		],
		[
			"no problem at all",
			() => writeTree(hdf5, path, { "/other/x": q }),
			/^\/: contains no problem; give an FCLIB file/,
		],
		["two problems", () => local({ "/fclib_global/spacedim": one(3) }), /^\/: has 2 problems/],
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
		expect(withFclib(hdf5, path, (file) => readProblem(file)).rigid).toEqual(sample.rigid);
		local({ ...bodies, "/geometry/inverse_mass": put(inverseMass, 1, 9) });
		expect(refusal()).toMatch(/^\/geometry: describes other bodies than the problem/);
	});
});
