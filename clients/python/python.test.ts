/** The Python client: its wheel is built and installed into a folder, its types are checked, and its own tests run on what was installed. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bed, findPython, noPython } from "../../packages/cluster-runner/src/testing/index.js";
import { startService, storeProblem } from "../testing/service.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const wheelScript = fileURLToPath(new URL("../../scripts/wheel.mjs", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/stickslip", import.meta.url));
const tools = ["build", "setuptools", "wheel", "pip"];
const used = ["numpy", "scipy", "zmq", "msgpack", "pytest", "siconos.numerics"];

describe.skipIf(noPython(...tools, ...used, "mypy"))(
	`Python (needs: ${noPython(...tools, ...used, "mypy") ?? "nothing more"})`,
	() => {
		const bed = new Bed();
		const site = join(bed.folder, "site");
		const python = findPython(...used) ?? "python3";
		const clean = { PYTHONPATH: `${site}:${join(here, "tests")}`, PYTHONDONTWRITEBYTECODE: "1" };

		beforeAll(async () => {
			const wheel = (await bed.run(process.execPath, [wheelScript, "--output", bed.folder])).trim();
			expect(wheel).toMatch(new RegExp(`stickslip-${version}-py3-none-any\\.whl$`));
			await bed.run(findPython("pip") ?? python, [
				"-m",
				"pip",
				"install",
				"--quiet",
				"--no-index",
				"--no-deps",
				"--target",
				site,
				wheel,
			]);
		});
		afterAll(() => bed.close());

		it("is installed from its folder, which stays as it was", async () => {
			const tree = () => readdirSync(here, { recursive: true }).map(String).sort();
			const before = tree();
			const target = join(bed.folder, "from-folder");
			const words = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"];
			await bed.run(findPython("pip", "setuptools", "wheel") ?? python, [...words, "--target", target, here]);
			expect(existsSync(join(target, "stickslip", "py.typed"))).toBe(true);
			expect(tree()).toEqual(before);
		});

		it("has types that hold", async () => {
			const words = ["-m", "mypy", "--cache-dir", join(cache, "mypy"), "src", "tests"];
			const said = await bed.run(python, words, { cwd: here, seconds: 240, env: { MYPYPATH: "src:tests" } });
			expect(said).toContain("Success: no issues found");
		});

		it("passes its own tests, installed from its wheel", async () => {
			const folder = join(bed.folder, "problem");
			storeProblem(folder, 2000);
			const { file } = await startService(bed);
			const words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs"];
			const env = { ...clean, STICKSLIP_CONNECTION: file, STICKSLIP_TEST_PROBLEM: folder };
			const said = await bed.run(python, words, { cwd: here, seconds: 240, env });
			expect(said).toMatch(/\d+ passed/);
			expect(said).not.toMatch(/skipped|failed/);
		});
	},
);
