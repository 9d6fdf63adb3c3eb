/** What goes into the image: the built command by itself, as small as it can be, and able to solve on many ranks. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stickslip-image-"));
const program = join(folder, "program");

beforeAll(() => {
	// It ends by running the doctor of what it collected.
	execFileSync(process.execPath, [join(here, "collect.mjs"), program], { stdio: "pipe", timeout: 120_000 });
}, 150_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is the program without what only its makers need", () => {
	const files = readdirSync(program, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
	expect(bytes).toBeLessThan(40_000_000);
	expect(files.filter(({ name }) => /\.(map|d\.ts|test\.js|tsbuildinfo)$/.test(name)).map(({ name }) => name)).toEqual(
		[],
	);
});

it("solves by itself, on one rank and on two processes, to the same bits", () => {
	const run = (...words: string[]) =>
		execFileSync(process.execPath, [join(program, "bin", "stickslip.mjs"), ...words], {
			cwd: folder,
			encoding: "utf8",
			timeout: 60_000,
		});
	run("generate", "spheres", "--contacts", "60", "--output", "pile.hdf5");
	const [one, two] = [[], ["--ranks", "2", "--transport", "zeromq"]].map(
		(more) => JSON.parse(run("solve", "pile.hdf5", "--json", ...more)).hash,
	);
	expect(one).toMatch(/^[0-9a-f]{64}$/);
	expect(two).toBe(one);
});

it("is made by files that are there", () => {
	const dockerfile = readFileSync(join(here, "Dockerfile"), "utf8");
	const named = [...dockerfile.matchAll(/node (\S+\.mjs)/g)].map(([, path]) => path ?? "");
	expect(named).toEqual(["scripts/build.mjs", "deploy/docker/collect.mjs"]);
	for (const path of named) expect(existsSync(join(here, "..", "..", path))).toBe(true);
	expect(dockerfile).toMatch(/^USER 10001:10001$/m);
});
