/** The examples of this package's README run as they stand there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { testFolder } from "../testing/run-cli.js";

const home = fileURLToPath(new URL("..", import.meta.url));

it("solves, simulates and runs another program on two ranks", () => {
	const readme = readFileSync(join(home, "README.md"), "utf8");
	const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, example = ""]) => example);
	const folder = testFolder();
	const installed = join(folder, "node_modules", "@stickslip");
	mkdirSync(installed, { recursive: true });
	for (const name of ["cluster-runner", "core", "mechanics"])
		symlinkSync(join(home, "..", name), join(installed, name));
	const [once, warm, inParts, simulated, own] = examples.map((example, at) => {
		const file = join(folder, `example-${at}.mjs`);
		writeFileSync(file, example);
		return execFileSync(process.execPath, [file], { encoding: "utf8" }).trimEnd().split("\n");
	});
	expect(once).toEqual([expect.stringMatching(/^solved [0-9a-f]{64}$/)]);
	expect(warm?.slice(0, 3)).toEqual(Array(3).fill(expect.stringMatching(/^solved [0-9a-f]{64}$/)));
	// The second and the third of these start warm.
	const [cold, ...others] = warm!.slice(3).map(Number);
	expect(others).toHaveLength(2);
	for (const iterations of others) expect(iterations).toBeLessThan(cold!);
	// W is an identity: the reaction stops the ball, and friction holds it.
	const [, ...numbers] = /^[0-9a-f]{64} Float64Array\(3\) \[ (\S+), (\S+), (\S+) \]$/
		.exec(inParts!.join(" "))!
		.map(Number);
	expect(numbers.map((number) => Math.round(1000 * number) / 1000 + 0)).toEqual([1, -0.25, 0]);
	// Five boxes on a floor, each with four points.
	expect(simulated).toEqual([expect.stringMatching(/^40 [0-9a-f]{64} 20$/)]);
	// The midpoint rule is wrong by h^2 / 24 times the slope's change, 2.
	const [coarse, fine] = own!.map((line) => Number(line.split(" ")[0]));
	expect(coarse! - Math.PI).toBeCloseTo(1 / 1200, 5);
	expect(fine).toBeCloseTo(Math.PI, 6);
	expect(own!.every((line) => line.endsWith(" true"))).toBe(true);
});
