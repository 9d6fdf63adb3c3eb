/** Each check of tidy.test.ts finds a violation planted for it, and leaves its honest twin alone. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { report } from "../scripts/lib/exits.mjs";
import { excused, tally } from "../scripts/lib/skips.mjs";
import { deadFiles, onlyTested } from "./dead.js";
import { needlessExports } from "./exports.js";
import { functionLimit, longAssembly, longFunctions } from "./functions.js";
import { importsOf, nodeInCore, undocumented, wrongDirection } from "./imports.js";
import { upwardImports } from "./layers.js";
import { split } from "./lexer.js";
import { brokenLinks, missingFiles } from "./pages.js";
import { countProse, proseAboveStored, rewritten } from "./prose.js";
import { bannedText, commentedOutCode, longFiles, silentSkips } from "./text.js";
import { type Finding, readTree, root, type TextFile, tell } from "./tree.js";

const file = (path: string, text: string): TextFile => ({ path, text });
const paths = (findings: readonly Finding[]) => findings.map(({ path }) => path);
const body = (lines: number) => "x += 1;\n".repeat(lines);

describe("a planted violation is found", () => {
	it("a long file, an exception that is outgrown, not needed, or without a reason", () => {
		const long = file("a.ts", body(501));
		expect(paths(longFiles([long, file("b.ts", body(500)), file("c.md", body(900))], {}))).toEqual(["a.ts"]);
		expect(longFiles([long], { "a.ts": { lines: 501, why: "one table of constants" } })).toEqual([]);
		expect(paths(longFiles([long], { "a.ts": { lines: 500, why: "one table of constants" } }))).toEqual(["a.ts"]);
		expect(paths(longFiles([long], { "a.ts": { lines: 501, why: "" } }))).toEqual(["a.ts"]);
		expect(paths(longFiles([], { "gone.ts": { lines: 600, why: "one table of constants" } }))).toEqual(["gone.ts"]);
	});

	it("a long function, but not a long describe", () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-tidy-"));
		const long = body(functionLimit + 1);
		const configuration = { extends: [join(root, "biome.jsonc")], vcs: { enabled: false } };
		writeFileSync(join(folder, "biome.json"), JSON.stringify(configuration));
		writeFileSync(join(folder, "a.ts"), `export const f = (x: number) => {\n${long}};\nfunction g() {\n${long}}\n`);
		writeFileSync(join(folder, "a.test.ts"), `describe("f", () => {\n${long}});\nit("g", () => {\n${long}});\n`);
		writeFileSync(join(folder, "b.ts"), `function g() {\n${body(functionLimit)}}\n`);
		const found = longFunctions(folder).map(({ path }) => path);
		rmSync(folder, { recursive: true });
		expect(found.sort()).toEqual(["a.test.ts#it", "a.ts#f", "a.ts#g"]);
		const kernel = file(
			"packages/core/assembly/k.ts",
			`export function k(): void {\n${long}}\nfunction l(): void {\n}\n`,
		);
		expect(longAssembly([kernel])).toEqual([{ path: "packages/core/assembly/k.ts#k", lines: functionLimit + 1 }]);
	});

	it.each([
		"// const x = 3;",
		"/*\n * return sum / count;\n */",
		"// if (x > 0) {",
		"// solve(problem);",
		"// x[i] = y[i] + 1;",
		"//   }",
		'// import { a } from "./a.js";',
	])("commented-out code: %s", (text) => {
		expect(paths(commentedOutCode([file("a.ts", `let y = 1;\n${text}\ny += 1;\n`)]))).toEqual(["a.ts"]);
	});

	it.each([
		"// Sums in the order of the ids (a row's bits do not depend on its neighbours);",
		"// if x is on the axis, the tangent is free; see eq. 23",
		"/** F = [U_N + mu |U_T|, U_T] */",
		'const url = "https://example.org"; const x = "// const x = 3;";',
		`const quotient = a / b; const other = \`//\${a} const x = 3;\`;`,
		"/**\n * ```ts\n * const report = solve(problem);\n * ```\n */",
	])("but not in prose, strings or examples: %s", (text) => {
		expect(commentedOutCode([file("a.ts", text)])).toEqual([]);
	});

	it.each([
		["a.md", ["TO", "DO: later"]],
		["a.ts", ["// FIX", "ME"]],
		["a.md", ["see /wo", "rk/main"]],
		["a.json", ['"/ho', 'me/someone/x"']],
		["a.yaml", ["tarball: https://npm.mirr", "or.example/x.tgz"]],
		["a.ts", ["// pap", "ers/1 eq. 40"]],
		["a.md", ["see ..", "/shared/docs/a"]],
		["a.yaml", ["regis", "try.npmjs.org"]],
		["a.ts", ["const x = Math.ran", "dom();"]],
		["a.ts", ["// @ts-ign", "ore"]],
		["a.test.ts", ["it.on", 'ly("x", f);']],
		["a.test.ts", ["it.to", 'do("x");']],
		["a.test.ts", ["console.log(`skip", "ped: no h5dump`);"]],
		["a.test.ts", ["vi.mo", 'ck(import("./a.js"));']],
		["a.test.ts", ["expect(performance.now() - began).toBeLess", "Than(5000);"]],
		["a.test.ts", ["expect(performance.now() - began).toBeGreater", "Than(5);"]],
		["a.test.ts", ['it("x", { timeou', "t: 60_000 }, async () => {"]],
		["a.test.ts", ["\t}, 60_", "000);"]],
	])("text that must not be there, in %s: %j", (path, split) => {
		expect(paths(bannedText([file(path, `\n${split.join("")}\n`)]))).toEqual([path]);
	});

	it("but not words that only look like it", () => {
		const text =
			'import "../home.js"; const path = "docs/home/x"; // no Math.ran' + "dom here, but in the pnpm registry\n";
		expect(tell(bannedText([file("a.ts", text)]))).toEqual([]);
	});

	it("a function whose bits differ between engines, in a solver but not in a test or elsewhere", () => {
		for (const text of ["const a = Math.log(x);", "const a = x ** 2;", "const a = Math.hypot(x, y);"]) {
			expect(paths(bannedText([file("packages/core/src/solve/a.ts", text)]))).toEqual(["packages/core/src/solve/a.ts"]);
			expect(bannedText([file("packages/core/src/solve/a.test.ts", text), file("bench/src/a.ts", text)])).toEqual([]);
		}
		expect(bannedText([file("packages/core/src/solve/a.ts", "const a = 2 ** 20 * Math.sqrt(x);")])).toEqual([]);
	});

	it("a comment in fragments, in a file that has more of them than are stored, or that is new, and a count that has fallen", () => {
		const text = "// Whether it is so.\nlet a = 1; // as told\n/** The sum. */\nlet b = 2;\n";
		const counts = countProse([file("a.ts", text), file("b.ts", "/** Number of contacts. */\n"), file("c.md", text)]);
		expect(counts).toEqual({ "a.ts": 2 });
		expect(proseAboveStored(counts, { "a.ts": 2 })).toEqual([]);
		for (const stored of [{}, { "a.ts": 1 }, { "a.ts": 3 }]) {
			expect(paths(proseAboveStored(counts, stored))).toEqual(["a.ts"]);
		}
		expect(paths(proseAboveStored(counts, { "a.ts": 2, "gone.ts": 1 }))).toEqual(["gone.ts"]);
	});

	it.each([
		["// Of the contacts", 1],
		["/**\n * Of the contacts\n */", 1],
		["/* What it is */ f(); // Who it was", 2],
		["// As the first\n// As the second of one comment", 1],
		["// As the first\n\n// As another", 2],
		["f(); // As a comment behind code\n// As a comment of its own", 2],
		["/** A sum. */\n// Said before, goes on, so many", 3],
		["/** Officers, asked twice. */", 1],
		["/** One line of text at its place, known and near. */", 0],
		['const text = "// Of a string, told"; const url = `https://so-much`;', 0],
		["const told = asked(whatever);", 0],
	])("%j has %i", (text, count) => {
		expect(countProse([file("a.ts", `${text}\n`)])["a.ts"] ?? 0).toBe(count);
	});

	it("a table that would grow: it is rewritten downwards only, unless it is reset", () => {
		const counts = { "a.ts": 3, "b.ts": 1, "new.ts": 5 };
		const stored = { "a.ts": 2, "b.ts": 4, "gone.ts": 1 };
		expect(rewritten(counts, stored, "lower")).toEqual({ "a.ts": 2, "b.ts": 1 });
		expect(rewritten(counts, stored, "reset")).toEqual(counts);
	});

	it("a skip without its reason", () => {
		const silent = ["it.skipIf(!there)(name, f);", ["describe.sk", "ip(name, f);"].join(""), "context.skip();"];
		for (const text of silent) expect(paths(silentSkips([file("a.test.ts", text)]))).toEqual(["a.test.ts"]);
		const told = ['it.skipIf(!there)("reads it (needs STICKSLIP_DATA)", f);', 'context.skip("no h5dump here");'];
		for (const text of told) expect(silentSkips([file("a.test.ts", text)])).toEqual([]);
	});

	it("an import against the direction, by name, by path and in a package.json", () => {
		const core = "packages/core/src/a.ts";
		const manifest = '{ "dependencies": { "@stickslip/cluster-runner": "workspace:*" } }';
		const wrong = [
			file(core, 'import { run } from "@stickslip/cluster-runner";'),
			file(core, 'export * from "../../comm/src/b.js";'),
			file(core, 'const late = await import("@stickslip/partition");'),
			file("packages/comm/src/a.ts", 'import type { Part } from "@stickslip/partition";'),
			file("packages/core/package.json", manifest),
			file("packages/novel/src/a.ts", ""),
		];
		for (const one of wrong) expect(paths(wrongDirection([one]))).toEqual([one.path]);
		const right = [
			file("packages/cluster-runner/src/a.ts", 'import {\n\tsolve,\n} from "@stickslip/core";\nimport "./b.js";'),
			file(core, 'import { b } from "../b.js"; // import "@stickslip/comm"'),
			file("bench/src/a.ts", 'import { main } from "@stickslip/cluster-runner";'),
		];
		expect(tell(wrongDirection(right))).toEqual([]);
	});

	it("an import up the order of folders, and a folder without a place", () => {
		const order = { "packages/a/src": ["low", "high", ""] };
		const wrong = [
			file("packages/a/src/low/b.ts", 'import type { C } from "../high/c.js";'),
			file("packages/a/src/high/c.ts", 'export * from "../index.js";'),
			file("packages/a/src/new/d.ts", ""),
		];
		for (const one of wrong) expect(paths(upwardImports([one], order))).toEqual([one.path]);
		const right = [
			file("packages/a/src/high/c.ts", 'import "../low/b.js"; import "./d.js"; import "node:fs";'),
			file("packages/a/src/index.ts", 'export * from "./high/c.js";'),
			file("packages/a/src/low/b.test.ts", 'import "../high/c.js";'),
			file("packages/a/src/testing/e.ts", 'import "../high/c.js";'),
			file("packages/b/src/low/b.ts", 'import "../high/c.js";'),
		];
		expect(tell(upwardImports(right, order))).toEqual([]);
	});

	it("Node in core, but not in its tests", () => {
		const text = 'import { readFileSync } from "node:fs";';
		expect(paths(nodeInCore([file("packages/core/src/a.ts", text)]))).toEqual(["packages/core/src/a.ts"]);
		expect(paths(nodeInCore([file("packages/core/src/a.ts", 'import fs from "fs";')]))).toHaveLength(1);
		expect(nodeInCore([file("packages/core/src/a.test.ts", text), file("bench/src/a.ts", text)])).toEqual([]);
	});

	it("a file, a page or a heading that is not there", () => {
		const page = (text: string) => file("docs/page.md", text);
		const there = [file("README.md", "# A b\n## What, now?\n"), file("src/a.ts", "// see page.md\nconst x = 'no.md';")];
		const text = "[1](../README.md#what-now) [2](../src) [3](page.md) [4](https://x.org) page.md";
		expect(tell([...missingFiles([...there, page(text)]), ...brokenLinks([...there, page(text)])])).toEqual([]);
		expect(paths(missingFiles([...there, page("see no.md")]))).toEqual(["docs/page.md"]);
		for (const name of ["no.md", "away.ts", "away.test.ts"]) {
			expect(paths(missingFiles([file("src/cc.ts", `\n/** as ${name} has it, not x.ts */\n`)]))).toEqual(["src/cc.ts"]);
		}
		for (const wrong of ["../src/b.ts", "../README.md#what", "#c", "../docs/no"]) {
			expect(paths(brokenLinks([...there, page(`# A\n[1](${wrong})`)]))).toEqual(["docs/page.md"]);
		}
	});

	it("a dependency without a line, and a line without a dependency", () => {
		const manifest = file("package.json", '{ "devDependencies": { "vitest": "4", "@stickslip/core": "workspace:*" } }');
		const page = (text: string) => file("docs/dependencies.md", text);
		expect(undocumented([manifest, page("- `vitest`: runs the tests, as the issue asks\n")])).toEqual([]);
		expect(paths(undocumented([manifest, page("- `vitest`\n")]))).toEqual(["package.json"]);
		expect(paths(undocumented([page("- `vitest`: runs the tests\n")]))).toEqual(["docs/dependencies.md"]);
	});

	it("a file that only tests reach, but not a helper of tests, nor one that waits with a reason", () => {
		const tree = [
			file("packages/p/package.json", '{ "exports": { ".": { "default": "./dist/index.js" } } }'),
			file("packages/p/src/index.ts", 'import "./a.js";'),
			file("packages/p/src/a.ts", ""),
			file("packages/p/src/b.ts", ""),
			file("packages/p/src/b.test.ts", 'import "./b.js"; import "./testing/c.js";'),
			file("packages/p/src/testing/c.ts", 'import "../b.js";'),
		];
		const b = "packages/p/src/b.ts";
		expect(paths(onlyTested(tree, {}, [], {}))).toEqual([b]);
		expect(paths(onlyTested(tree, {}, [], { [b]: "soon" }))).toEqual([b]);
		expect(onlyTested(tree, {}, [], { [b]: "for the balancing of many bodies" })).toEqual([]);
		expect(onlyTested(tree, {}, [b], {})).toEqual([]);
		expect(paths(onlyTested(tree, {}, [b], { [b]: "for the balancing of many bodies" }))).toEqual([b]);
	});

	it("a dead file, but not one that a worker, a script or a build reaches", () => {
		const tree = [
			file("package.json", '{ "scripts": { "start": "node scripts/start.mjs --quick" } }'),
			file("scripts/start.mjs", 'run("scripts/kernels.mjs"); run("bench/native/k.c");'),
			file("scripts/kernels.mjs", ""),
			file("bench/native/k.c", ""),
			file("packages/core/package.json", '{ "exports": { ".": { "default": "./dist/index.js" } } }'),
			file("packages/core/src/index.ts", 'import "./a.js"; new Worker(new URL("./rank.js", import.meta.url));'),
			file("packages/core/src/a.ts", 'export * from "./generated/cone.js";'),
			file("packages/core/src/rank.ts", ""),
			file("packages/core/assembly/cone.ts", 'import { get } from "./memory";'),
			file("packages/core/assembly/memory.ts", ""),
			file("packages/core/assembly/index.ts", 'export * from "./sweep";'),
			file("packages/core/assembly/sweep.ts", ""),
			file("packages/core/src/old/rank2.ts", "// replaced by rank.ts"),
			file("packages/core/src/old/b.ts", 'import "./rank2.js";'),
		];
		const made = { "packages/core/src/generated/": "packages/core/assembly/" };
		const entries = ["packages/core/assembly/index.ts"];
		expect(paths(deadFiles(tree, made, entries))).toEqual([
			"packages/core/src/old/rank2.ts",
			"packages/core/src/old/b.ts",
		]);
	});

	it("in Python too, where modules import each other by name", () => {
		const tree = [
			file("clients/p/src/p/__init__.py", '"""Head."""\n\nfrom . import one, two\nfrom .three import f\n'),
			file("clients/p/src/p/one.py", "def f() -> None:\n    from .four import g\n"),
			...["two", "three", "four", "dead"].map((name) => file(`clients/p/src/p/${name}.py`, "import json\n")),
			file("clients/p/tests/test_p.py", "from helper import Fake\n"),
			file("clients/p/tests/helper.py", ""),
			file("clients/p/tests/unused.py", ""),
		];
		expect(paths(deadFiles(tree, {}, ["clients/p/src/p/__init__.py"]))).toEqual([
			"clients/p/src/p/dead.py",
			"clients/p/tests/unused.py",
		]);
	});
});

describe("a planted export that nobody imports is found", () => {
	it("but not one that is offered, taken as a whole, of a test, or a type", () => {
		const tree = [
			file("packages/p/package.json", '{ "exports": { ".": { "default": "./dist/index.js" } } }'),
			file("packages/p/src/index.ts", 'export { a } from "./a.js";\nexport const offered = 1;\n'),
			file("packages/p/src/a.ts", "export const a = 1;\nexport function own() {}\nexport interface Shape {}\n"),
			file("packages/p/src/b.ts", 'import * as a from "./a.js";\nexport class B {}\na.a;\n'),
			file("packages/p/src/c.test.ts", 'import { B } from "./b.js";\nexport const c = 1;\n'),
			file("packages/p/src/t/d.ts", "export const d = 1;\n"),
			file("packages/p/assembly/d.ts", "export const d = 1;\n"),
			file("packages/p/assembly/e.ts", 'export * from "./d";\n'),
		];
		const twins = { "packages/p/src/t/": "packages/p/assembly/" };
		expect(needlessExports(tree, {}, [], twins).map(({ path, message }) => [path, message])).toEqual([
			["packages/p/src/a.ts", "nothing imports own"],
		]);
		expect(paths(needlessExports(tree))).toEqual(["packages/p/src/a.ts", "packages/p/src/t/d.ts"]);
		expect(paths(needlessExports(tree, {}, ["packages/p/src/a.ts"], twins))).toEqual([]);
	});
});

describe("what the checks stand on", () => {
	it("reads the tree, this file in it", () => {
		expect(readTree().map(({ path }) => path)).toContain("tidy/planted.test.ts");
	});

	it("tells code, comments and strings apart", () => {
		const { code, comments, bare } = split(`const a = '//'; // b\nconst c = \`\${d /* e */}f\`; g = /[/'"]/ ;\n`);
		expect(comments.trim().split(/\s+/)).toEqual(["b", "e"]);
		expect(code).toContain("'//'");
		expect(bare.replaceAll(/\s+/g, "")).toBe("consta='';constc=`{d}`;g=//;");
	});

	it("finds imports in every form, with their lines", () => {
		const text =
			'import a from "a";\nexport {\n\tb,\n} from "b";\nimport "c";\nimport("d");\nnew URL("./e.js", import.meta.url);\n';
		const found = importsOf(file("a.ts", text)).map(({ specifier, line }) => `${specifier}:${line}`);
		expect(found.sort()).toEqual(["./e.js:7", "a:1", "b:4", "c:5", "d:6"]);
	});

	it("counts a skipped test as a failure in CI, unless shared data is absent that nobody promised", () => {
		const tests = [
			{ name: "a", state: "passed", reason: "" },
			{ name: "b (needs h5dump)", state: "skipped", reason: "" },
			{ name: "c", state: "skipped", reason: "no STICKSLIP_DATA" },
		];
		expect(tally(tests, {})).toMatchObject({ passed: 1, failed: 0 });
		expect(tally(tests, { CI: "true" })).toMatchObject({ passed: 1, failed: 1 });
		expect(tally(tests, { CI: "true", STICKSLIP_DATA: "data" })).toMatchObject({ passed: 1, failed: 2 });
		expect(excused("needs h5dump", {})).toBe(false);
	});

	it("names the signal or exit code of a process of tests, unless vitest stopped it itself", () => {
		const spawnargs = ["node", "--flag", "/a/vitest/dist/workers/forks.js"];
		const running = { pid: 7, killed: false, spawnargs };
		const line = (process: typeof running, code: number | null, signal: string | null) =>
			report(process, code, signal, ["a"]);
		expect(line(running, null, "SIGSEGV")).toMatch(/^lost process: 7 .*SIGSEGV.* a$/);
		expect(line(running, null, "SIGKILL")).toMatch(/SIGKILL/);
		expect(line(running, 0, null)).toMatch(/exit code 0/);
		// Vitest also stops one that it could not write to because it had crashed.
		const stopped = { ...running, killed: true };
		expect(line(stopped, null, "SIGSEGV")).toMatch(/SIGSEGV/);
		expect(line(stopped, null, "SIGTERM")).toBeUndefined();
		expect(line(stopped, 0, null)).toBeUndefined();
		expect(line({ ...running, spawnargs: ["node", "rank.js"] }, null, "SIGSEGV")).toBeUndefined();
	});
});
