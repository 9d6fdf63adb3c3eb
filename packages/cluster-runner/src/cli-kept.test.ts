/** What a run has saved is never lost, and a failure is never "not solved": through the command, with injected faults. */
import type { ChildProcess } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { marked, noProc, rankProcesses, soon } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, runShell, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { isThorough } from "../testing/thorough.js";

const folder = emptyFolder();
const easy = join(folder, "easy.hdf5");
/** Some seconds of iterations, always as many: exit code 1 and the same hash. */
const iterations = (count: number) => `--method pqn-diagonal --tolerance 1e-300 --max-iterations ${count}`.split(" ");
const long = ["solve", easy, "--json", ...iterations(60_000)];
/** For two processes, which talk in each iteration. */
const longOfTwo = ["solve", easy, "--json", ...iterations(4000)];
const launched = ["--ranks-per-node", "1", "--checkpoint", "0.15"];
const packageFolder = fileURLToPath(new URL("..", import.meta.url));
let hash: string;
let hashOfTwo: string;

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "300", "--output", easy]);
	hash = JSON.parse((await runHere([...long, "--ranks", "1"])).out).hash;
	hashOfTwo = JSON.parse((await runHere([...longOfTwo, "--ranks", "1"])).out).hash;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let lines = 0;

/** A line with a folder of runs for itself; its processes end with the test. */
function under(words: readonly string[], runs: string, env: Readonly<Record<string, string>> = {}) {
	lines += 1;
	const value = `${process.pid}.kept.${lines}.`;
	const mark = `STICKSLIP_TEST_KEPT=${value}`;
	let child: ChildProcess | undefined;
	const ended: Promise<Ended> = runCli(words, {
		env: { STICKSLIP_TEST_KEPT: value, STICKSLIP_RUNS: runs, ...env },
		started: (process) => {
			child = process;
		},
	});
	onTestFinished(() => {
		for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
	});
	return { mark, ended, child: child! };
}

const runIn = (runs: string) => join(runs, readdirSync(runs).find((name) => !name.startsWith(".")) ?? "none");

function checkpoints(runs: string): string[] {
	const place = join(runIn(runs), "checkpoints", "0");
	return existsSync(place) ? readdirSync(place).filter((name) => !name.startsWith(".")) : [];
}

const hasCheckpoint = async (runs: string) => {
	expect(await soon(() => checkpoints(runs).length > 0), "a checkpoint").toBe(true);
};

const stateOf = (runs: string) => JSON.parse(readFileSync(join(runIn(runs), "state.json"), "utf8"));

const restartsIn = (runs: string) => {
	const events = linesOf(readFileSync(join(runIn(runs), "logs", "run.jsonl"), "utf8")).map((line) => JSON.parse(line));
	return events.filter(({ event }) => event === "restart").length;
};

/** It goes on to the bits of a run that nobody disturbed. */
async function expectResumed(runs: string, words: readonly string[] = [], expected = hash): Promise<void> {
	const { code, out, err } = await under(["resume", "last", ...words], runs).ended;
	expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, expected]);
	expect(stateOf(runs).status).toBe("unsolved");
}

/** Loaded by every process of Stickslip before its program: `code` runs in those of one program. */
function inside(program: "supervised" | "process", code: string): Record<string, string> {
	const file = join(testFolder(), "fault.mjs");
	const text = `import * as fs from "node:fs";\nif (process.argv[1]?.endsWith("bundled/${program}.js")) {\n${code}\n}\n`;
	writeFileSync(file, text);
	return { NODE_OPTIONS: `--import=${file}` };
}

/** What to do once, when the run has a checkpoint. */
const onceKept = (runs: string, what: string) => `
	const place = () => fs.readdirSync("${runs}").filter((name) => !name.startsWith(".")).map((name) => "${runs}/" + name + "/checkpoints/0");
	const isKept = () => place().some((at) => fs.existsSync(at) && fs.readdirSync(at).some((name) => !name.startsWith(".")));
	const timer = setInterval(() => {
		if (!isKept()) return;
		clearInterval(timer);
		try { fs.writeFileSync("${runs}/.once", "", { flag: "wx" }); } catch { return; }
		${what}
	}, 20);
	timer.unref();
`;

describe.skipIf(noProc !== undefined)(`a run that has begun (needs processes: ${noProc ?? "seen"})`, () => {
	it("is kept where its answer cannot be written, and writes it when it is resumed", async () => {
		const [runs, place] = [testFolder(), testFolder()];
		const out = join(place, "answers");
		mkdirSync(out);
		const { ended } = under(["launch", "local", ...launched, "--", ...long, "--output", join(out, "best.hdf5")], runs);
		await hasCheckpoint(runs);
		renameSync(out, `${out}.away`);
		writeFileSync(out, "");
		const { code, err } = await ended;
		expect([2, 3]).toContain(code);
		expect(linesOf(err).at(-1)).toMatch(
			/^stickslip: run \S+ .*stickslip resume \S+ continues from its last checkpoint$/,
		);
		expect(checkpoints(runs).length).toBeGreaterThan(0);
		expect((await runHere(["status", "--runs", runs])).out).toMatch(/resume +stickslip resume/);
		rmSync(out);
		renameSync(`${out}.away`, out);
		await expectResumed(runs);
		expect(readdirSync(out)).toEqual(["best.hdf5"]);
	});

	it("keeps its checkpoint where its report cannot be kept", async () => {
		const runs = testFolder();
		const { ended } = under(["launch", "local", ...launched, "--no-capsule", "--", ...long], runs);
		await hasCheckpoint(runs);
		mkdirSync(join(runIn(runs), "report.jsonl"));
		const { code, out, err } = await ended;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([3, hash]);
		expect(err).toMatch(/report\.jsonl: file: cannot be written \(EISDIR\)/);
		expect([stateOf(runs).status, checkpoints(runs).length > 0]).toEqual(["failed", true]);
		rmSync(join(runIn(runs), "report.jsonl"), { recursive: true });
		await expectResumed(runs);
	});

	it("is tried again where a host is not known at its second attempt", async () => {
		const [runs, path] = [testFolder(), testFolder()];
		const broken = join(path, "broken");
		writeFileSync(
			join(path, "ssh"),
			`#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -R) port=\${2##*:} ;; --) break ;; esac; shift; done
if [ -n "$port" ] && [ -e "${broken}" ]; then
	rm -f "${broken}"
	echo "ssh: Could not resolve hostname $2: Name or service not known" >&2
	exit 255
fi
if [ -n "$port" ]; then echo "Allocated port $port for remote forward to 127.0.0.1:$port" >&2; fi
exec sh -c "$3"
`,
		);
		chmodSync(join(path, "ssh"), 0o755);
		const env = { PATH: `${path}${delimiter}${process.env.PATH}`, STICKSLIP_SSH: "" };
		const hosts = ["--host", "a,b", "--program", packageFolder, "--remote-node", process.execPath, "--restarts", "2"];
		const run = under(["launch", "ssh", ...hosts, ...launched, "--", ...longOfTwo], runs, env);
		await hasCheckpoint(runs);
		writeFileSync(broken, "");
		process.kill(rankProcesses(run.mark)[1]!, "SIGKILL");
		const { code, out, err } = await run.ended;
		expect(err).toMatch(/ssh: \w: no such host; .*\nstickslip: starting again from the last checkpoint/);
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hashOfTwo]);
		expect(restartsIn(runs)).toBe(2);
	});

	it("fails and is kept where the port of its metrics is taken at a later attempt", async () => {
		const runs = testFolder();
		const first = under(["launch", "local", ...launched, "--", ...long], runs);
		await hasCheckpoint(runs);
		first.child.kill("SIGTERM");
		expect((await first.ended).code).toBe(75);
		const server = createServer().listen(0, "127.0.0.1");
		onTestFinished(() => void server.close());
		await new Promise((resolve) => server.once("listening", resolve));
		const address = server.address();
		const port = typeof address === "object" ? address?.port : undefined;
		const words = ["--metrics", `127.0.0.1:${port}`, "--restarts", "1"];
		const { code, out, err } = await under(["resume", "last", ...words], runs).ended;
		expect([code, out], err).toEqual([3, ""]);
		expect(err.match(/is in use by another program/g)).toHaveLength(2);
		expect(err).toContain("starting again from the last checkpoint");
		expect([stateOf(runs).status, checkpoints(runs).length > 0]).toEqual(["failed", true]);
		await expectResumed(runs, ["--metrics", "127.0.0.1:0"]);
	});

	it.for([
		["ends with exit code 1 by itself", "process.exit(1);", /exit code 1 and without a report that says why\n/],
		[
			"has a promise that fails and nobody waits for",
			'Promise.reject(new TypeError("not a function of ours"));',
			/a bug in stickslip; please report it: TypeError: not a function of ours \(at .*\)\n/,
		],
	] as const)("goes on from its checkpoint when its line %s", async ([, what, told]) => {
		const runs = testFolder();
		const words = ["launch", "local", ...launched, "--restarts", "1", "--no-capsule", "--", ...long];
		const { code, out, err } = await under(words, runs, inside("supervised", onceKept(runs, what))).ended;
		expect(err).toMatch(told);
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		expect([restartsIn(runs), linesOf(err).length]).toEqual([1, 3]);
	});

	it.for([
		[
			"its newest checkpoint",
			"open",
			"part-0000",
			"EMFILE",
			/\/\d{12}: part-0000: cannot be read \(EMFILE\); try again,/,
		],
		[
			"the folder of its checkpoints",
			"readdir",
			"checkpoints/0",
			"EACCES",
			/folder: cannot be read \(EACCES\); resume as the user/,
		],
	] as const)("fails where %s cannot be read, and loses none", async ([, call, ending, code, told]) => {
		const runs = testFolder();
		const first = under(["launch", "local", ...launched, "--", ...long], runs);
		await hasCheckpoint(runs);
		first.child.kill("SIGTERM");
		expect((await first.ended).code).toBe(75);
		const before = checkpoints(runs);
		const fault = `
			const { ${call}: real } = fs.promises;
			fs.promises.${call} = (path, ...rest) => {
				if (!String(path).endsWith("${ending}")) return real(path, ...rest);
				return Promise.reject(Object.assign(new Error("${code}"), { code: "${code}" }));
			};
			(await import("node:module")).syncBuiltinESMExports();
		`;
		const second = await under(["resume", "last", "--restarts", "0"], runs, inside("supervised", fault)).ended;
		expect([second.code, second.out], second.err).toEqual([3, ""]);
		expect(second.err).toMatch(told);
		expect([stateOf(runs).status, checkpoints(runs)]).toEqual(["failed", before]);
		await expectResumed(runs);
	});

	it("names the rank whose process breaks, fails, and is resumed", async () => {
		const runs = testFolder();
		const words = ["launch", "local", "--nodes", "2", ...launched, "--no-capsule", "--", ...longOfTwo];
		const env = inside("process", onceKept(runs, 'throw new RangeError("out of range here");'));
		const { code, out, err } = await under(words, runs, env).ended;
		expect([code, out], err).toEqual([3, ""]);
		expect(linesOf(err)[1]).toMatch(/rank \d failed: a bug in stickslip; .*: out of range here \(at /);
		expect(linesOf(err)[2]).toMatch(/failed; stickslip resume \S+ continues from its last checkpoint$/);
		expect(stateOf(runs).status).toBe("failed");
		await expectResumed(runs, [], hashOfTwo);
	});
});

describe("standard output that cannot be written", () => {
	it("ends a command with exit code 3 and one line", async () => {
		const { code, err } = await runShell('exec "$@" > /dev/full', ["methods"]);
		const told = "stickslip: standard output cannot be written (ENOSPC): free some disk space";
		expect([code, linesOf(err)]).toEqual([3, [told]]);
	});

	it("after the solve ends a run as failed, and resume tells its report", async () => {
		const runs = testFolder();
		const words = ["solve", easy, "--json", "--checkpoint", "60", "--runs", runs];
		// Opened for reading alone.
		const { code, err } = await runShell('exec "$@" 1< /dev/null', words);
		const told = /^stickslip: standard output cannot be written \(EBADF\); stickslip resume \S+ continues it$/;
		expect([code, linesOf(err).at(-1)]).toEqual([3, expect.stringMatching(told)]);
		expect(stateOf(runs).status).toBe("failed");
		const resumed = await under(["resume", "last"], runs).ended;
		const expected = JSON.parse((await runHere(["solve", easy, "--json"])).out).hash;
		expect([resumed.code, JSON.parse(resumed.out || "{}").hash], resumed.err).toEqual([0, expected]);
	});
});

describe("too few files that may be open", () => {
	it.for(isThorough ? [24, 32, 40] : [24, 40])("are named, at %i: exit code 3, or solved", async (limit) => {
		const words = ["solve", easy, "--ranks", "3", "--transport", "zeromq"];
		const { code, err } = await runShell(`ulimit -n ${limit}; exec "$@"`, words);
		expect([0, 3], err).toContain(code);
		expect(linesOf(err).length).toBe(code === 0 ? 0 : 1);
		if (code === 3) expect(err).toMatch(/EMFILE|too many open files/i);
	});
});
