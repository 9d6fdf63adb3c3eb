/** The version in the reports is the package's. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { solve } from "../solve/solve.js";
import { slope } from "../testing/closed-forms.js";
import { version } from "./version.js";

test("version.ts says what package.json says, and reports carry it", () => {
	const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
		version: string;
	};
	expect(version).toBe(manifest.version);
	expect(solve(slope(0.3, 0.5).problem).report.version).toBe(version);
});
