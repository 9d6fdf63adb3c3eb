import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, emptyFolder, runCli, runNode, testFolder } from "../testing/run-cli.js";

const folder = emptyFolder();
const hard = join(folder, "hard.hdf5");

/** Tens of seconds of work at 1e-14, so that it is not over before it is interrupted. */
beforeAll(() => runCli(["generate", "planks", "--contacts", "10000", "--output", hard]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("Ctrl-C", () => {
	it("stops a solve with the best so far: cancelled, exit code 1, and the answer is written", async () => {
		const cwd = testFolder();
		const words = ["solve", hard, "--tolerance", "1e-14", "--json", "--output", "best.hdf5"];
		const { code, out, err } = await interrupted(words, cwd);
		expect([code, JSON.parse(out).status]).toEqual([1, "cancelled"]);
		expect(err).toBe("stickslip: stopping with the best so far; Ctrl-C again ends at once\n");
		expect(readdirSync(cwd)).toEqual(["best.hdf5"]);
		expect((await runCli(["info", "best.hdf5"], { cwd })).out).toMatch(/solution +yes/);
	}, 120_000);

	it("leaves the files that were not attempted alone", async () => {
		const cwd = testFolder();
		const { code, out } = await interrupted(["solve", hard, "missing.hdf5", "--tolerance", "1e-14"], cwd);
		expect(code).toBe(1);
		expect(out).toContain("0 of 2 solved");
		expect(out).toContain("1 not attempted");
	}, 120_000);

	it("ends the process at once the second time, with exit code 130", async () => {
		const code = `
			const { Interrupt } = await import(${JSON.stringify(new URL("../dist/interrupt.js", import.meta.url).href)});
			const interrupt = new Interrupt(() => console.log("told"));
			setInterval(() => {}, 1000);
			const forever = interrupt.during(() => new Promise(() => {}));
			console.log("ready");
			await forever;
		`;
		const ended = await runNode(["--input-type=module", "--eval", code], {
			cwd: fileURLToPath(new URL("..", import.meta.url)),
			started: (child) => child.stdout?.on("data", () => child.kill("SIGINT")),
		});
		expect([ended.code, ended.signal, ended.out]).toEqual([130, null, "ready\ntold\n"]);
	});
});

describe("a reader who goes away", () => {
	it("is no error", async () => {
		const started = { started: (child: { stdout: { destroy(): void } | null }) => child.stdout?.destroy() };
		for (const words of [["methods"], ["--help"], ["solve", hard, hard, "--max-iterations", "1"]]) {
			const { code, signal, err } = await runCli(words, started);
			expect([signal, err]).toEqual([null, ""]);
			expect(code).toBeLessThanOrEqual(1);
		}
	});
});

/** A solve interrupted while it works. A signal that comes before it listens ends it, and then the next one waits longer. */
async function interrupted(words: readonly string[], cwd: string): Promise<Ended> {
	for (let wait = 1000; ; wait *= 2) {
		const ended = await runCli(words, { cwd, started: (child) => setTimeout(() => child.kill("SIGINT"), wait) });
		if (ended.signal !== "SIGINT" || wait > 16_000) return ended;
	}
}
