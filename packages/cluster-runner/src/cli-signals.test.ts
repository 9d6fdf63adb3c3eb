import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { marked, noProc, soon } from "../testing/processes.js";
import { emptyFolder, interrupted, linesOf, runCli, runNode, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";

const folder = emptyFolder();
/** Tens of seconds of work at 1e-14, so that it is not over before it is interrupted. */
const hard = join(folder, "hard.hdf5");
const small = join(folder, "small.hdf5");

beforeAll(async () => {
	await runHere(["generate", "planks", "--contacts", "10000", "--output", hard]);
	await runHere(["generate", "planks", "--contacts", "100", "--output", small]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("Ctrl-C", () => {
	it("stops a solve with the best so far: cancelled, exit code 1, and the answer is written", async () => {
		const cwd = testFolder();
		const words = ["solve", hard, "--tolerance", "1e-14", "--json", "--output", "best.hdf5"];
		const { code, out, err } = await interrupted(words, { cwd });
		expect([code, JSON.parse(out).status]).toEqual([1, "cancelled"]);
		expect(err).toBe("stickslip: stopping with the best iterate; Ctrl-C again ends at once\n");
		expect(readdirSync(cwd)).toEqual(["best.hdf5"]);
		expect((await runHere(["info", "best.hdf5"], { cwd })).out).toMatch(/solution +yes/);
	});

	it("leaves the files that were not attempted alone", async () => {
		const cwd = testFolder();
		const { code, out } = await interrupted(["solve", hard, "missing.hdf5", "--tolerance", "1e-14"], { cwd });
		expect(code).toBe(1);
		expect(out).toContain("0 of 2 solved");
		expect(out).toContain("1 not attempted");
	});

	it("ends the process at once the second time, with exit code 130", async () => {
		const code = `
			const { Interrupt } = await import(${JSON.stringify(new URL("../dist/base/interrupt.js", import.meta.url).href)});
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
		for (const words of [["methods"], ["--help"], ["solve", small, small, "--max-iterations", "1"]]) {
			const { code, signal, err } = await runCli(words, started);
			expect([signal, err]).toEqual([null, ""]);
			expect(code).toBeLessThanOrEqual(1);
		}
	});
});

/** Loaded before a program of Stickslip: sends it a signal at a moment that no test could hit from outside. */
function signalled(signal: NodeJS.Signals, of: string, moment: string): { readonly env: Record<string, string> } {
	const file = join(testFolder(), "signal.mjs");
	const kill = `const kill = () => process.kill(process.pid, "${signal}");`;
	writeFileSync(file, `if (process.argv[1]?.endsWith("${of}")) {\n${kill}\n${moment}\n}\n`);
	return { env: { NODE_OPTIONS: `--import=${file}` } };
}

/** When nothing is left to do, and the process is about to end. */
const atTheEnd = 'process.on("beforeExit", kill);';
/** Again and again until it has ended: Node.js removes its handlers before that. */
const untilTheEnd = `
	const { spawn } = await import("node:child_process");
	const again = "while kill -s TERM " + process.pid + "; do :; done";
	process.on("exit", () => spawn("sh", ["-c", again], { detached: true, stdio: "ignore" }));
`;
/** Kills the supervisor before the program is loaded. */
const killingItsSupervisor = `
	process.kill(process.ppid, "SIGKILL");
	await new Promise((resolve) => setTimeout(resolve, 500));
`;
/** When the folder of the run is half made. */
const whileMade = `
	const { default: fs } = await import("node:fs");
	const { mkdirSync } = fs;
	fs.mkdirSync = (path, ...rest) => {
		mkdirSync(path, ...rest);
		if (/\\.part\\/logs$/.test(path)) kill();
	};
	(await import("node:module")).syncBuiltinESMExports();
`;
/** When the run exists and has been reported, but nothing supervises it yet. */
const onceMade = `
	const write = process.stderr.write.bind(process.stderr);
	let isDone = false;
	process.stderr.write = (text, ...rest) => {
		const isNow = !isDone && /^stickslip: run \\S+ in /.test(text);
		if (isNow) isDone = true;
		const result = write(text, ...rest);
		if (isNow) kill();
		return result;
	};
`;

describe("a signal while no handler is at work", () => {
	const line = ["solve", small, "--max-iterations", "20"];
	const kept = ["--checkpoint", "60"];
	const status = (runs: string) => {
		const [id = "none"] = readdirSync(runs).filter((name) => !name.startsWith("."));
		return JSON.parse(readFileSync(join(runs, id, "state.json"), "utf8")).status;
	};

	it.each([
		["SIGINT", "launch", "bin/stickslip.mjs", ["launch", "local", ...kept, "--", ...line]],
		["SIGTERM", "launch", "bin/stickslip.mjs", ["launch", "local", ...kept, "--", ...line]],
		["SIGHUP", "a run of solve's own", "bin/stickslip.mjs", [...line, ...kept]],
		["SIGTERM", "the line of a launch", "bundled/supervised.js", ["launch", "local", ...kept, "--", ...line]],
	] as const)("%s at the end of %s leaves its exit code as it is", async (signal, _, of, words) => {
		for (const moment of [atTheEnd, untilTheEnd]) {
			const runs = testFolder();
			const { env } = signalled(signal, of, moment);
			const { code, signal: by, err } = await runCli(words, { env: { ...env, STICKSLIP_RUNS: runs } });
			expect([code, by, status(runs)], err).toEqual([1, null, "unsolved"]);
		}
	});

	it.each([
		["SIGINT", [whileMade, onceMade]],
		["SIGTERM", isThorough ? [whileMade, onceMade] : [onceMade]],
		["SIGHUP", isThorough ? [whileMade, onceMade] : [whileMade]],
	] as const)("%s before its line begins stops a run, and resume begins it", async (signal, moments) => {
		for (const moment of moments) {
			const runs = testFolder();
			const words = ["launch", "local", "--runs", runs, "--", ...line];
			const { code, signal: by, err } = await runCli(words, signalled(signal, "bin/stickslip.mjs", moment));
			expect([code, by, status(runs)], err).toEqual([1, null, "cancelled"]);
			expect(linesOf(err)[1]).toBe("stickslip: stopped before it began");
			expect((await runHere(["resume", "last", "--runs", runs])).code).toBe(1);
			expect([status(runs), readdirSync(runs).length]).toEqual(["unsolved", 1]);
		}
	});
});

describe.skipIf(noProc !== undefined)(
	`a line whose supervisor is killed (needs processes: ${noProc ?? "seen"})`,
	() => {
		it("ends, also where it was only about to begin", async () => {
			const value = `${process.pid}.signals.killed`;
			const left = () => marked(`STICKSLIP_TEST_KILLED=${value}`);
			onTestFinished(() => {
				for (const { pid } of left()) process.kill(pid, "SIGKILL");
			});
			const { env } = signalled("SIGTERM", "bundled/supervised.js", killingItsSupervisor);
			const words = ["launch", "local", "--", "solve", hard, "--tolerance", "1e-300"];
			const { signal } = await runCli(words, {
				env: { ...env, STICKSLIP_RUNS: testFolder(), STICKSLIP_TEST_KILLED: value },
			});
			expect(signal).toBe("SIGKILL");
			expect(await soon(() => left().length === 0)).toBe(true);
		});
	},
);
