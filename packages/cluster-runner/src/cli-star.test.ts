/** A body with so many contacts that a sweep has tens of thousands of steps: the bits of one rank over processes too. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFclib } from "@stickslip/core/fclib";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, runCli } from "../testing/run-cli.js";
import { star } from "../testing/star.js";

/** With a step each, their plans alone were more arrays than a message may have. */
const CONTACTS = 17_000;
const folder = emptyFolder();
const file = join(folder, "star.hdf5");

beforeAll(async () => writeFclib(await ready, file, star(CONTACTS)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function answer(...words: string[]): Promise<{ readonly hash: string; readonly exchanges: number }> {
	const sweep = ["--method", "gauss-seidel", "--tolerance", "1e-12", "--max-iterations", "1", "--partition", "rcb"];
	const { code, out, err } = await runCli(["solve", file, "--json", ...sweep, ...words]);
	expect([code, err]).toEqual([1, ""]);
	return JSON.parse(out);
}

describe("17,000 contacts at one moving body", () => {
	it.each([
		["a contact at a time", CONTACTS, ["--set", "tile=1"], ["--ranks", "2", "--transport", "zeromq"]],
		["in tiles, which are fewer", 266, [], ["--ranks", "4", "--transport", "threads+zeromq"]],
	])("%s: the same bits on one rank and over processes", async (_, steps, words, spread) => {
		const alone = await answer("--ranks", "1", ...words);
		// The measures before and after the sweep, too.
		expect(alone.exchanges - steps).toBeGreaterThanOrEqual(0);
		expect(alone.exchanges - steps).toBeLessThan(10);
		const { hash, exchanges } = await answer(...spread, ...words);
		expect([hash, exchanges]).toEqual([alone.hash, alone.exchanges]);
	});
});
