/** The examples of this package's README run as they stand there: both solve, and the problem that they share to the same bits. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { testFolder } from "../testing/run-cli.js";

const home = fileURLToPath(new URL("..", import.meta.url));

it("solves on two ranks, once and from solve to solve", { timeout: 60_000 }, () => {
	const readme = readFileSync(join(home, "README.md"), "utf8");
	const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, example = ""]) => example);
	const folder = testFolder();
	const installed = join(folder, "node_modules", "@stickslip");
	mkdirSync(installed, { recursive: true });
	for (const name of ["cluster-runner", "core"]) symlinkSync(join(home, "..", name), join(installed, name));
	const [once, warm] = examples.map((example, at) => {
		const file = join(folder, `example-${at}.mjs`);
		writeFileSync(file, example);
		return execFileSync(process.execPath, [file], { encoding: "utf8" }).trimEnd().split("\n");
	});
	expect(once).toEqual([expect.stringMatching(/^solved [0-9a-f]{64}$/)]);
	expect(warm).toEqual([once?.[0], ...Array(2).fill(expect.stringMatching(/^solved [0-9a-f]{64}$/))]);
});
