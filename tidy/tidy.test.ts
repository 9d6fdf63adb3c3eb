/** What is asked of every file of the repo. planted.test.ts shows that each of these checks can fail. */
import { describe, expect, it } from "vitest";
import { deadFiles, onlyTested } from "./dead.js";
import { needlessExports } from "./exports.js";
import { functionLimit, longAssembly, longFunctions } from "./functions.js";
import { nodeInCore, undocumented, wrongDirection } from "./imports.js";
import { upwardImports } from "./layers.js";
import { brokenLinks, missingFiles } from "./pages.js";
import { countProse, proseAboveStored, storedProse, storeProse } from "./prose.js";
import { bannedText, commentedOutCode, type LongOne, longFiles, ratchet, silentSkips } from "./text.js";
import { readTree, root, tell } from "./tree.js";

/** Files above 500 lines with their size and the reason why they are one idea. */
const allowedFiles: Readonly<Record<string, LongOne>> = {};

/** Functions above 70 lines, as `file#name`. */
const allowedFunctions: Readonly<Record<string, LongOne>> = {
	"packages/mechanics/src/narrow/ellipsoid-pairs.ts#step": {
		lines: 90,
		why: "straight-line arithmetic on some fifty numbers that stay in registers and on the stack",
	},
};

/** Sources that the build copies: what is imported from the first folder is written in the second. */
const generated = { "packages/core/src/kernels/generated/": "packages/core/assembly/" };

/** Where the AssemblyScript compiler starts, the command, which is started as it is bundled, and what programs in other languages import. */
const entries = [
	"packages/core/assembly/index.ts",
	"packages/cluster-runner/src/main.ts",
	"clients/python/src/stickslip/__init__.py",
	"clients/c/stickslip.c",
	"clients/c/examples/minimal.c",
	"clients/c/examples/mpi_rows.c",
];

/** Scripts that the Dockerfile runs, and that people run. */
const byHand = ["deploy/docker/collect.mjs", "deploy/kubernetes/generate.mjs"];

/** Sources that only tests reach so far, and what they wait for. */
const waiting: Readonly<Record<string, string>> = {};

/** Node itself calls what is exported there. */
const hooks = "scripts/lib/walk-loader.mjs";

describe("the repo is tidy", () => {
	const files = readTree();

	it("has files of one idea each", () => {
		expect(tell(longFiles(files, allowedFiles))).toEqual([]);
	});

	it("has functions that fit on a screen", () => {
		const found = [...longFunctions(root), ...longAssembly(files)];
		expect(tell(ratchet(found, functionLimit, allowedFunctions))).toEqual([]);
	});

	it("has no commented-out code", () => {
		expect(tell(commentedOutCode(files))).toEqual([]);
	});

	it("has no notes to self, machine paths, registry hosts, unseeded numbers or switched-off checks", () => {
		expect(tell(bannedText(files))).toEqual([]);
	});

	it("has no more comments in fragments than are stored (npm run prose)", () => {
		const counts = countProse(files);
		storeProse(counts, process.env.STICKSLIP_PROSE);
		expect(tell(proseAboveStored(counts, storedProse()))).toEqual([]);
	});

	it("gives the reason for each test that may be skipped", () => {
		expect(tell(silentSkips(files))).toEqual([]);
	});

	it("has dependencies that point one way", () => {
		expect(tell(wrongDirection(files))).toEqual([]);
	});

	it("has folders in an order, and imports that go down it", () => {
		expect(tell(upwardImports(files))).toEqual([]);
	});

	it("keeps Node out of core", () => {
		expect(tell(nodeInCore(files))).toEqual([]);
	});

	it("refers to nothing that is not in it", () => {
		expect(tell([...missingFiles(files), ...brokenLinks(files)])).toEqual([]);
	});

	it("says of each dependency what it is for", () => {
		expect(tell(undocumented(files))).toEqual([]);
	});

	it("exports nothing that no other file imports", () => {
		const twins = { "packages/core/src/kernels/": "packages/core/assembly/" };
		expect(tell(needlessExports(files, generated, [...entries, hooks], twins))).toEqual([]);
	});

	it("has no files that only tests reach", () => {
		expect(tell(onlyTested(files, generated, [...entries, ...byHand], waiting))).toEqual([]);
	});

	it("has no dead files", () => {
		expect(tell(deadFiles(files, generated, entries))).toEqual([]);
	});
});
