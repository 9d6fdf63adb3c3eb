/** The tables of docs/performance.md are those that scripts/performance.mjs makes of the results there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseResult, readResult, withTables } from "../scripts/performance.mjs";
import { root } from "./tree.js";

const page = readFileSync(join(root, "docs/performance.md"), "utf8");

it("has the numbers of bench/results (`npm run docs:performance` writes them anew)", () => {
	expect(page).toBe(withTables(page, readResult));
});

it("follows what was measured, and writes between its marks alone", () => {
	const faster = (file: string) =>
		readResult(file).replaceAll(/^(planks,3000,.*)$/gm, (row) => row.replace(",3000,", ",3001,"));
	const other = withTables(page, faster);
	expect(other).not.toBe(page);
	expect(other.replaceAll("3,001", "3,000")).toBe(page);
	expect(() => withTables("# Performance\n", readResult)).toThrow(/has no marks/);
});

it("reads results as they are recorded", () => {
	const { facts, rows } = parseResult('# date: 2026-01-02\n# cores: 2\na,b\n1,"x, ""y"""\n2,\n');
	expect(facts).toEqual({ date: "2026-01-02", cores: "2" });
	expect(rows).toEqual([
		{ a: "1", b: 'x, "y"' },
		{ a: "2", b: "" },
	]);
});
