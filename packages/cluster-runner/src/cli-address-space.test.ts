/** Under `ulimit -v`: less is reserved, with a message and the same bits; too little is an error of one line, not a crash of the engine. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, linesOf, runCli } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const file = join(folder, "spheres.hdf5");
const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
const LEAN = "--disable-wasm-trap-handler";
const SAYS = /^stickslip: ulimit -v leaves \d+\.\d GiB: ranks reserve less than 4 GiB of addresses each$/;

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "300", "--output", file]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** With so many kilobytes of addresses. */
function limited(kilobytes: number, words: readonly string[], nodeOptions = "") {
	const line = `ulimit -v ${kilobytes} && exec "$0" "$@"`;
	const run = spawnSync("sh", ["-c", line, process.execPath, program, "solve", file, "--json", ...words], {
		encoding: "utf8",
		env: { ...process.env, NODE_OPTIONS: nodeOptions },
		timeout: 240_000,
	});
	return { code: run.status, out: run.stdout, err: linesOf(run.stderr) };
}

const hashOf = (out: string): string => (JSON.parse(out) as { hash: string }).hash;

describe.skipIf(platform() !== "linux")("limited addresses (needs Linux)", () => {
	it("that are enough: less is reserved, said, and the answer has the same bits", async () => {
		const free = hashOf((await runCli(["solve", file, "--json", "--ranks", "1"])).out);
		for (const [kilobytes, words, nodeOptions] of [
			[4_000_000, ["--ranks", "1"], LEAN],
			[16_000_000, ["--ranks", "2", "--transport", "threads"], LEAN],
			// Processes that are started from here are told to take less.
			[16_000_000, ["--ranks", "2", "--transport", "zeromq"], ""],
		] as const) {
			const { code, out, err } = limited(kilobytes, words, nodeOptions);
			expect([code, err], words.join(" ")).toEqual([0, [expect.stringMatching(SAYS)]]);
			expect(hashOf(out), words.join(" ")).toBe(free);
		}
	});

	it.each([
		[
			"for a solve",
			8_000_000,
			["--ranks", "1"],
			"",
			/^stickslip: system: address space: has too little space for the memory of WebAssembly \(ulimit -v\); raise the limit, or /,
		],
		[
			"for threads",
			4_000_000,
			["--ranks", "2", "--transport", "threads"],
			LEAN,
			/^stickslip: system: ulimit -v: of \d\.\d GiB leaves \d\.\d GiB, and a process of 2 ranks needs 5\.\d GiB; raise it"?$/,
		],
	] as const)("that are too few %s: one line", (_, kilobytes, words, nodeOptions, line) => {
		const { code, err, out } = limited(kilobytes, words, nodeOptions);
		expect(err).toEqual([expect.stringMatching(SAYS), expect.stringMatching(line)]);
		expect(code).toBe(2);
		expect(out === "" || (JSON.parse(out) as { status?: string }).status !== "solved").toBe(true);
	});
});
