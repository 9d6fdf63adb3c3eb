/**
 * Reductions, exchanges and barriers of threads: two that are pinned, against the same reduction in C, and eight on however many
 * cores there are. The sides take turns in short windows; whoever has not its turn sleeps.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { Control, cores, runWorkers, shareThreads } from "@stickslip/comm";
import { alternate, type Side, type Times } from "../kernels/windows.js";
import { COUNT, KIND, type Kind, kinds, NUMBERS, ORDERS, type RankTask } from "./threads-rank.js";

export interface ThreadsEffort {
	readonly rounds: number;
	readonly windowMs: number;
}

/** Times are nanoseconds. */
export interface ThreadsRow {
	readonly what: string;
	readonly ranks: number;
	readonly bytes: number;
	readonly ours: Times;
	/** Absent for what C has no counterpart here. */
	readonly c?: Times;
}

const pairs: readonly { readonly kind: Kind; readonly numbers: number }[] = [
	{ kind: "reduction", numbers: 1 },
	{ kind: "reduction", numbers: 4 },
	{ kind: "reduction", numbers: 64 },
	{ kind: "exchange", numbers: 3 },
	{ kind: "exchange", numbers: 128 },
	{ kind: "exchange", numbers: 12_800 },
	{ kind: "barrier", numbers: 0 },
];
const crowd: readonly { readonly kind: Kind; readonly numbers: number }[] = [
	{ kind: "reduction", numbers: 4 },
	{ kind: "barrier", numbers: 0 },
];
const CROWD = 8;
/** Before anything is timed, so that compiled code is what is timed. */
const WARM_UP = 3000;

/** The rows, and why there is no C beside them where there is none. */
export async function threadsLatency({ rounds, windowMs }: ThreadsEffort): Promise<{
	readonly rows: readonly ThreadsRow[];
	readonly absent?: string;
}> {
	const there = cores();
	const pinned = there.length > 1 ? there.slice(0, 2) : [-1, -1];
	const folder = mkdtempSync(join(tmpdir(), "stickslip-latency-"));
	const ends: (() => Promise<void>)[] = [];
	try {
		const built = compile(folder);
		const c = typeof built === "string" ? undefined : startC(built.program, pinned);
		if (c !== undefined) ends.push(c.end);
		const rows: ThreadsRow[] = [];
		const two = startOurs(pinned, there.length);
		ends.push(two.end);
		for (const { kind, numbers } of pairs) {
			const sides: Side[] = [(count) => two.run(kind, numbers, count)];
			if (kind === "reduction" && c !== undefined) sides.push((count) => c.run(numbers, count));
			await two.run(kind, numbers, WARM_UP);
			const [ours, theirs] = await alternate(sides, rounds, windowMs);
			if (ours === undefined) continue;
			const row = { what: kind, ranks: 2, bytes: 8 * numbers, ours };
			rows.push(theirs === undefined ? row : { ...row, c: theirs });
		}
		const many = startOurs(
			Array.from({ length: CROWD }, () => -1),
			there.length,
		);
		ends.push(many.end);
		for (const { kind, numbers } of crowd) {
			const [ours] = await alternate([(count) => many.run(kind, numbers, count)], rounds, windowMs);
			if (ours !== undefined) rows.push({ what: kind, ranks: CROWD, bytes: 8 * numbers, ours });
		}
		return typeof built === "string" ? { rows, absent: built } : { rows };
	} finally {
		for (const end of ends) await end();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/latency/threads.c", import.meta.url));
const rankFile = fileURLToPath(new URL("../../dist/latency/threads-rank.js", import.meta.url));

function compile(folder: string): { readonly program: string } | string {
	const program = join(folder, "threads");
	const { status, stderr, error } = spawnSync("gcc", ["-O2", source, "-o", program, "-pthread"], { encoding: "utf8" });
	if (error !== undefined) return "no gcc; on Debian: apt install gcc";
	if (status !== 0) return `gcc does not compile threads.c: ${stderr.split("\n")[0] ?? ""}`;
	return { program };
}

/** One rank for each core of the list, -1 for any. */
function startOurs(where: readonly number[], coresCount: number) {
	const control = Control.create();
	const orders = new Int32Array(new SharedArrayBuffer(16));
	const { port1, port2 } = new MessageChannel();
	const common = { shared: shareThreads(where.length), control: control.buffer, orders: orders.buffer };
	const workers = runWorkers({
		ranks: where.length,
		file: rankFile,
		task: (rank): RankTask => ({
			...common,
			rank,
			cores: coresCount,
			core: where[rank] ?? -1,
			...(rank === 0 ? { answers: port2 } : {}),
		}),
		transfer: (rank) => (rank === 0 ? [port2] : []),
		control,
	});
	// It is awaited at the end; until then a failure shows where an answer is waited for.
	workers.catch(() => undefined);
	const order = (kind: number, numbers: number, count: number) => {
		orders[KIND] = kind;
		orders[NUMBERS] = numbers;
		orders[COUNT] = count;
		Atomics.add(orders, ORDERS, 1);
		Atomics.notify(orders, ORDERS);
	};
	return {
		run: async (kind: Kind, numbers: number, count: number): Promise<number> => {
			const answer = once(port1, "message") as Promise<number[]>;
			order(kinds.indexOf(kind), numbers, count);
			const ended = workers.then(() => {
				throw new Error("the ranks of the latency bench ended without an answer");
			});
			const [nanoseconds = Number.NaN] = await Promise.race([answer, ended]);
			return nanoseconds / count;
		},
		end: async () => {
			order(0, 0, 0);
			await workers.finally(() => port1.close());
		},
	};
}

function startC(program: string, where: readonly number[]) {
	const child = spawn(program, where.map(String), { stdio: ["pipe", "pipe", "inherit"] });
	const reader = createInterface(child.stdout);
	const lines = reader[Symbol.asyncIterator]();
	return {
		run: async (numbers: number, count: number): Promise<number> => {
			child.stdin.write(`run ${numbers} ${count}\n`);
			const { value, done } = await lines.next();
			if (done === true) throw new Error("the C side ended without an answer; its error is above");
			return Number(value) / count;
		},
		end: async () => {
			const exit = child.exitCode === null ? once(child, "exit") : Promise.resolve();
			child.stdin.end();
			reader.close();
			const timer = setTimeout(() => child.kill("SIGKILL"), 2000);
			await exit;
			clearTimeout(timer);
		},
	};
}
