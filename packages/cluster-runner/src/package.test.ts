/** What the packages carry when they are published, as npm lists it without packing or asking anyone. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

function packed(name: string): string[] {
	const cwd = fileURLToPath(new URL(`../../${name}`, import.meta.url));
	const npm = process.platform === "win32" ? "npm.cmd" : "npm";
	const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
	const listed: unknown = JSON.parse(
		execFileSync(npm, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
	);
	return JSON.stringify(listed)
		.split(`"path":"`)
		.slice(1)
		.map((part) => part.slice(0, part.indexOf(`"`)));
}

describe.each(["core", "cluster-runner"])("the package %s", (name) => {
	const files = packed(name);

	it("carries its licence, its readme and its build", () => {
		for (const file of ["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"]) {
			expect(files).toContain(file);
		}
	});

	it("carries the sources that its source maps point to, each with its build", () => {
		const sources = files.filter((file) => file.startsWith("src/"));
		expect(sources.length).toBeGreaterThan(10);
		for (const source of sources) expect(files).toContain(source.replace("src/", "dist/").replace(/\.ts$/, ".js.map"));
	});

	it("carries no tests, and nothing of the build's own", () => {
		expect(files.filter((file) => /\.test\.|testing|tsbuildinfo/.test(file))).toEqual([]);
	});
});
