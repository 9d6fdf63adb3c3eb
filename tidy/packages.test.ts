/** What packages carry, as npm lists it without packing or asking anyone, and that `exports`, `files` and dependencies agree with it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { faultsOf, packedFiles, readPackages } from "../scripts/lib/packages.mjs";

const packages = readPackages();
const versions = Object.fromEntries(packages.map(({ manifest }) => [manifest.name, manifest.version]));

test("every package of the workspace is packed, those that others need first", () => {
	const names = packages.map(({ manifest }) => manifest.name.replace("@stickslip/", ""));
	expect(names[0]).toBe("core");
	expect(names.at(-1)).toBe("cluster-runner");
	expect([...names].sort()).toEqual(["browser", "client", "cluster-runner", "comm", "core", "mechanics", "partition"]);
});

describe.each(packages)("$manifest.name", (each) => {
	const files = packedFiles(each.path);

	it("carries what it exports and starts, all that this needs, and nothing else", () => {
		expect(faultsOf(each, files, versions)).toEqual([]);
	});

	it("carries its licence, its readme and its types, no tests and nothing of the build's own", () => {
		for (const file of ["LICENSE", "README.md", "package.json", "dist/index.d.ts"]) expect(files).toContain(file);
		expect(files.filter((file: string) => /\.test\.|testing|tsbuildinfo|npmignore/.test(file))).toEqual([]);
	});
});

describe("planted", () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-packages-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	const good = {
		"dist/index.js": 'import { a } from "./a.js";\nimport { other } from "other/deep";\nexport { a, other };\n',
		"dist/index.d.ts": 'export { a } from "./a.js";\n',
		"dist/a.js": 'import { join } from "node:path";\nexport const a = join;\n',
		"dist/a.d.ts": "export declare const a: unknown;\n",
		"dist/a.js.map": '{ "sources": ["../src/a.ts"] }',
		"src/a.ts": "export const a = 1;\n",
	};
	const manifest = {
		name: "planted",
		version: "1.0.0",
		exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
		dependencies: { other: "2.0.0" },
	};

	function faults(changes: Record<string, string | undefined>, changed: object = {}): string[] {
		const files = Object.entries({ ...good, ...changes }).filter(
			(file): file is [string, string] => file[1] !== undefined,
		);
		for (const [name, text] of files) {
			mkdirSync(dirname(join(folder, name)), { recursive: true });
			writeFileSync(join(folder, name), text);
		}
		const names = files.map(([name]) => name);
		return faultsOf({ path: folder, manifest: { ...manifest, ...changed } }, names, { planted: "1.0.0" });
	}

	it("a package without faults has none", () => expect(faults({})).toEqual([]));

	it.each<[string, Record<string, string | undefined>, object, string]>([
		["a target", { "dist/index.js": undefined }, { dependencies: {} }, "dist/index.js is needed and not packed"],
		["types", { "dist/index.d.ts": undefined }, {}, "dist/index.d.ts is needed and not packed"],
		["a command", {}, { bin: { x: "bin/x.mjs" } }, "bin/x.mjs is needed and not packed"],
		[
			"an import",
			{ "dist/index.js": 'import "./b.js";\n' },
			{ dependencies: {} },
			"dist/b.js is needed and not packed",
		],
		["declarations", { "dist/a.d.ts": undefined }, {}, "dist/a.d.ts is needed and not packed"],
		["a source", { "src/a.ts": undefined }, {}, "dist/a.js.map points to ../src/a.ts, which is not packed"],
		["too much", { "dist/b.js": "export {};\n" }, {}, "dist/b.js is packed and nothing reaches it"],
		["an import undeclared", {}, { dependencies: {} }, "other is imported, not declared"],
		["nobody's", {}, { dependencies: { other: "2", more: "1" } }, "more is declared, and nothing imports it"],
		[
			"this workspace's",
			{ "dist/a.js": 'import "planted";\n' },
			{ dependencies: { other: "2", planted: "workspace:*" } },
			"wants planted as workspace:*, which is 1.0.0",
		],
		["versions apart", {}, { version: "1.0.1" }, "1.0.1, and planted 1.0.0"],
	])("%s", (_, changes, changed, fault) => expect(faults(changes, changed)).toEqual([`planted: ${fault}`]));

	it("sources may be in their map", () => {
		const map = '{ "sources": ["../src/a.ts"], "sourcesContent": ["export const a = 1;"] }';
		expect(faults({ "dist/a.js.map": map, "src/a.ts": undefined })).toEqual([]);
	});
});
