/**
 * Messages between two processes: the wire of zeromq, over loopback TCP and over sockets in a folder (ipc), where a rank sleeps inside libzmq, and through
 * memory that both have (as runs do inside a machine), against the same round trip over TCP written in C. The sides take turns in short windows, all with one core per process.
 */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { alternate, type Side, type Times } from "../kernels/windows.js";
import type { Kind, Order } from "./zeromq-rank.js";

export interface ZeromqEffort {
	readonly rounds: number;
	readonly windowMs: number;
}

/** Times are nanoseconds. */
export interface ZeromqRow {
	readonly what: string;
	readonly bytes: number;
	readonly ours: Times;
	/** Absent for what C has no counterpart here. */
	readonly c?: Times;
}

const cases: readonly { readonly kind: Kind; readonly bytes: number }[] = [
	{ kind: "round trip", bytes: 8 },
	{ kind: "round trip", bytes: 1024 },
	{ kind: "round trip", bytes: 102_400 },
	{ kind: "exchange", bytes: 1024 },
	{ kind: "exchange", bytes: 102_400 },
	{ kind: "reduction", bytes: 32 },
];

/** The rows, and why there is no C beside them where there is none. */
export async function zeromqLatency({ rounds, windowMs }: ZeromqEffort): Promise<{
	readonly rows: readonly ZeromqRow[];
	readonly absent?: string;
}> {
	const cores = availableParallelism() > 1 ? [0, 1] : [-1, -1];
	const folder = mkdtempSync(join(tmpdir(), "stickslip-latency-"));
	const ends: (() => Promise<void>)[] = [];
	try {
		const ours = await startOurs(cores);
		ends.push(ours.end);
		const ipc = await startOurs(cores, folder);
		ends.push(ipc.end);
		const memory = await startOurs(cores, folder, true);
		ends.push(memory.end);
		const built = compile(folder);
		const c = typeof built === "string" ? undefined : startC(built.program, cores);
		if (c !== undefined) ends.push(c.end);
		const rows: ZeromqRow[] = [];
		for (const { kind, bytes } of cases) {
			const sides: Side[] = [ours, ipc, memory].map((one) => (count) => one.run(kind, bytes, count));
			if (kind === "round trip" && c !== undefined) sides.push((count) => c.run(bytes, count));
			const [mine, inFolder, inMemory, theirs] = await alternate(sides, rounds, windowMs);
			const beside = theirs === undefined ? {} : { c: theirs };
			rows.push({ what: kind, bytes, ours: mine!, ...beside });
			rows.push({ what: `${kind}, ipc`, bytes, ours: inFolder!, ...beside });
			rows.push({ what: `${kind}, memory`, bytes, ours: inMemory!, ...beside });
		}
		return typeof built === "string" ? { rows, absent: built } : { rows };
	} finally {
		for (const end of ends) await end();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/latency/zeromq.c", import.meta.url));
const rankFile = fileURLToPath(new URL("../../dist/latency/zeromq-rank.js", import.meta.url));

function compile(folder: string): { readonly program: string } | string {
	const program = join(folder, "zeromq");
	const { status, stderr, error } = spawnSync("gcc", ["-O2", source, "-o", program, "-lzmq"], { encoding: "utf8" });
	if (error !== undefined) return "no gcc; on Debian: apt install gcc libzmq3-dev";
	if (status !== 0) return `gcc does not compile zeromq.c (apt install libzmq3-dev?): ${stderr.split("\n")[0] ?? ""}`;
	return { program };
}

/** Over sockets in a folder of their own there, or else over TCP. */
async function startOurs(cores: readonly number[], parent?: string, sharesMemory = false) {
	const folder = parent && mkdtempSync(join(parent, "ranks-"));
	const key = [...randomBytes(16)];
	const children = cores.map(() =>
		fork(rankFile, ["latency-rank"], { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
	);
	const end = async () => {
		for (const child of children) await ended(child);
	};
	const ask = async (child: ChildProcess, order: Order): Promise<unknown> => {
		const stop = new AbortController();
		const { signal } = stop;
		const gone = once(child, "exit", { signal }).then(() => {
			throw new Error("a rank of the latency bench ended; its error is above");
		});
		try {
			const answer = once(child, "message", { signal });
			child.send(order);
			const [said] = (await Promise.race([answer, gone])) as [unknown];
			return said;
		} finally {
			gone.catch(() => undefined);
			stop.abort();
		}
	};
	try {
		const bound = await Promise.all(
			children.map((child, rank) => ask(child, { rank, core: cores[rank]!, key, folder, sharesMemory })),
		);
		const endpoints = bound.map(String);
		children[1]!.send({ endpoints } satisfies Order);
		await ask(children[0]!, { endpoints });
	} catch (error) {
		await end();
		throw error;
	}
	return {
		run: async (kind: Kind, bytes: number, count: number): Promise<number> =>
			Number(await ask(children[0]!, { kind, bytes, count })) / count,
		end,
	};
}

function startC(program: string, cores: readonly number[]) {
	const child = spawn(program, cores.map(String), { stdio: ["pipe", "pipe", "inherit"] });
	const reader = createInterface(child.stdout);
	const lines = reader[Symbol.asyncIterator]();
	return {
		run: async (bytes: number, count: number): Promise<number> => {
			child.stdin.write(`run ${bytes} ${count}\n`);
			const { value, done } = await lines.next();
			if (done === true) throw new Error("the C side ended without an answer; its error is above");
			return Number(value) / count;
		},
		end: async () => {
			child.stdin.end();
			await ended(child);
			reader.close();
		},
	};
}

/** Gives a child a moment to end by itself. */
async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = once(child, "exit");
	const timer = setTimeout(() => child.kill("SIGKILL"), 500);
	if (child.connected) child.disconnect();
	await exit;
	clearTimeout(timer);
}
