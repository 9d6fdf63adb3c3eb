/** Nodes that start by themselves, as pods do: late, killed and started again, with a wrong key. All their traffic is encrypted. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { marked, noProc, soon } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const file = join(folder, "planks.hdf5");
/** Some seconds of work, whose end does not depend on when it is disturbed. */
const line = ["solve", file, "--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "4000", "--json"];
const key = "5a".repeat(32);
let hash: string;

beforeAll(async () => {
	await runHere(["generate", "planks", "--contacts", "1000", "--output", file]);
	hash = hashOf(await runHere(line));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hashOf({ out }: Ended): string {
	const [report = "{}"] = linesOf(out);
	return JSON.parse(report).hash;
}

interface Node {
	readonly child: ChildProcess;
	readonly ended: Promise<Ended>;
}

let runs = 0;

/** A run of two nodes on loopback, whose processes are known by a mark, and killed when the test ends, whatever it found. */
async function runOfTwo() {
	runs += 1;
	const mark = `STICKSLIP_TEST_NODES=${process.pid}.${runs}.`;
	const port = await freePort();
	const run = join(folder, `run-${runs}`);
	onTestFinished(() => {
		for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
	});
	const start = (
		node: number,
		words: readonly string[] = [],
		env: Record<string, string> = {},
		wait = 15,
		other = line,
	): Node => {
		let child: ChildProcess | undefined;
		const ended = runCli(["node", "--wait", String(wait), ...words, "--", ...other], {
			env: {
				STICKSLIP_TEST_NODES: mark.split("=")[1] ?? "",
				STICKSLIP_NODE: String(node),
				STICKSLIP_NODES: "2",
				STICKSLIP_RENDEZVOUS: `localhost:${port}`,
				STICKSLIP_KEY: key,
				STICKSLIP_RUN: run,
				...env,
			},
			started: (each) => {
				child = each;
			},
		});
		return { child: child!, ended };
	};
	return { mark, run, start };
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === "string") throw new Error("no port");
	return address.port;
}

function hasCheckpoint(run: string): boolean {
	try {
		return readdirSync(join(run, "checkpoints", "0")).some((name) => /^\d+$/.test(name));
	} catch {
		// Not yet.
		return false;
	}
}

/** The process that works for a node, beside its own. */
function workersOf(mark: string, node: number): number[] {
	return marked(`STICKSLIP_PROCESS=${node}`)
		.filter(({ pid }) => marked(mark).some((each) => each.pid === pid))
		.map(({ pid }) => pid);
}

describe("nodes that come by themselves", () => {
	it("wait for node 0, solve with it, and end with the run", async () => {
		const { mark, start } = await runOfTwo();
		const keyFile = join(folder, "key");
		writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
		const one = start(1, [], { STICKSLIP_KEY: "", STICKSLIP_KEY_FILE: keyFile });
		// Node 0 is late, and has a node with another key besides.
		const stranger = start(1, [], { STICKSLIP_KEY: "a5".repeat(32) }, 4);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const zero = start(0, ["--ranks-per-node", "2", "--no-capsule"], {
			STICKSLIP_KEY: "",
			STICKSLIP_KEY_FILE: keyFile,
		});
		const ended = await zero.ended;
		expect([ended.code, hashOf(ended), JSON.parse(linesOf(ended.out)[0]!).transport]).toEqual([
			1,
			hash,
			"threads+zeromq",
		]);
		expect(await one.ended).toMatchObject({ code: 0, out: "", err: "" });
		expect(await stranger.ended).toMatchObject({
			code: 3,
			err: expect.stringMatching(
				/^stickslip: node 1 received nothing from node 0 at localhost:\d+ for 4 s \(the process there has another STICKSLIP_KEY\)\n$/,
			),
		});
		if (noProc === undefined) expect(await soon(() => marked(mark).length === 0)).toBe(true);
	});

	it("may be killed and come again: the run goes on from its checkpoint, to the same bits", async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const { mark, run, start } = await runOfTwo();
		const zero = start(0, ["--restarts", "2", "--checkpoint", "0.2", "--no-capsule"]);
		const first = start(1);
		expect(await soon(() => hasCheckpoint(run)), "a checkpoint").toBe(true);
		const worker = workersOf(mark, 1);
		first.child.kill("SIGKILL");
		for (const pid of worker) process.kill(pid, "SIGKILL");
		const second = start(1);
		const ended = await zero.ended;
		expect([ended.code, hashOf(ended)], ended.err).toEqual([1, hash]);
		expect(ended.err).toMatch(/rank 1 was lost on \S+ \(.*\)/);
		expect((await second.ended).code).toBe(0);
		expect(await soon(() => marked(mark).length === 0)).toBe(true);
	});

	it("end at once with a checkpoint where a scheduler ends node 0, which does not wait for its own replacement", async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const { run, start } = await runOfTwo();
		const patience = 3600;
		const zero = start(0, ["--checkpoint", "0.2", "--no-capsule"], {}, patience);
		const one = start(1, [], {}, patience);
		expect(await soon(() => hasCheckpoint(run)), "a checkpoint").toBe(true);
		zero.child.kill("SIGTERM");
		expect((await zero.ended).code).toBe(75);
		one.child.kill("SIGTERM");
		expect((await one.ended).code).toBe(75);
	});

	it("are refused on both sides where their lines differ, at once and without a capsule", async () => {
		const { run, start } = await runOfTwo();
		const one = start(1, [], {}, 15, ["solve", file, "--json"]);
		const zero = await start(0).ended;
		const told = expect.stringMatching(/^stickslip: node 1 \(\S+\) has another command than node 0/);
		expect([zero.code, zero.out, linesOf(zero.err).slice(1)], zero.err).toEqual([2, "", [told]]);
		const { code, err } = await one.ended;
		expect([code, linesOf(err), existsSync(join(run, "capsule"))]).toEqual([2, [told], false]);
	});

	it.each<[string, Record<string, string>, RegExp]>([
		["no key", { STICKSLIP_KEY: "" }, /^stickslip: environment: STICKSLIP_KEY: is missing; give all nodes the same/],
		[
			"a key that everybody may read",
			{ STICKSLIP_KEY: "", STICKSLIP_KEY_FILE: file },
			/^stickslip: environment: STICKSLIP_KEY_FILE: \S+ is accessible to other users; chmod 600/,
		],
		[
			"no file with a key",
			{ STICKSLIP_KEY: "", STICKSLIP_KEY_FILE: "/none" },
			/STICKSLIP_KEY_FILE: there is no \/none/,
		],
		["no place", { STICKSLIP_NODE: "2" }, /^stickslip: environment: STICKSLIP_NODE: there is no node 2 among 2 nodes/],
		[
			"a network that it does not have",
			{ STICKSLIP_NODE: "0", STICKSLIP_LISTEN: "203.0.113.0/24" },
			/^stickslip: network: --listen: this host/,
		],
	])("refuse in one line: %s", async (_, env, message) => {
		const { start } = await runOfTwo();
		const { code, err } = await start(1, [], env).ended;
		expect([code, linesOf(err)]).toEqual([2, [expect.stringMatching(message)]]);
	});
});
