import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expand } from "./expand.js";

describe("globs", () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-glob-"));
	const names = ["a1.h5", "a2.h5", "b.txt", ".hidden.h5", "[x].h5", "sub/a3.h5", "sub/deep/a4.h5", "sub.h5/inner.txt"];
	const inside = (pattern: string) => expand([`${folder}/${pattern}`]).map((path) => path.slice(folder.length + 1));

	beforeAll(() => {
		mkdirSync(join(folder, "sub", "deep"), { recursive: true });
		mkdirSync(join(folder, "sub.h5"));
		for (const name of names) writeFileSync(join(folder, name), "");
	});

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it("match files, not folders and not hidden ones, in order", () => {
		expect(inside("*.h5")).toEqual(["[x].h5", "a1.h5", "a2.h5"]);
		expect(inside(".h*")).toEqual([".hidden.h5"]);
		expect(inside("a?.h5")).toEqual(["a1.h5", "a2.h5"]);
		expect(inside("a[!1].h5")).toEqual(["a2.h5"]);
		expect(inside("a[z-a].h5")).toEqual(["a[z-a].h5"]);
	});

	it("go down folders", () => {
		expect(inside("*/*.h5")).toEqual(["sub/a3.h5"]);
		expect(inside("**/a*.h5")).toEqual(["a1.h5", "a2.h5", "sub/a3.h5", "sub/deep/a4.h5"]);
		expect(inside("s*/deep/a4.h5")).toEqual(["sub/deep/a4.h5"]);
	});

	it("leave alone what exists, what has no pattern, what matches nothing, and standard input", () => {
		expect(inside("[x].h5")).toEqual(["[x].h5"]);
		expect(inside("missing.h5")).toEqual(["missing.h5"]);
		expect(inside("z*.h5")).toEqual(["z*.h5"]);
		expect(expand(["-"])).toEqual(["-"]);
	});

	it("name each file once", () => {
		const paths = [`${folder}/a1.h5`, `${folder}/a*.h5`, `${folder}/a2.h5`];
		expect(expand(paths)).toEqual([`${folder}/a1.h5`, `${folder}/a2.h5`]);
	});
});
