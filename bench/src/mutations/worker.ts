/** A worker that tries one reader, seed after seed; the seed at work stands in shared memory, for whoever watches over it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { Random } from "@stickslip/core";

export interface Task {
	readonly program: string;
	readonly reader: string;
	readonly folder: string;
	readonly data: string;
	readonly from: number;
	readonly to: number;
	/** Tried before: 0 where this is the first worker of the reader. */
	readonly shared: SharedArrayBuffer;
}

/** What a reader says of an input; worn-out: refused, and what it reads with has to be made anew. */
type Outcome = "read" | "refused" | "worn-out";

export interface Tried {
	readonly read: number;
	readonly refused: number;
	/** The seed to go on with: the end, or where something was worn out. */
	readonly next: number;
	/** The most memory of the process in bytes, in the first half and in the second. */
	readonly early: number;
	readonly late: number;
	/** The first input that was neither read nor refused. */
	readonly failure?: { readonly seed: number; readonly told: string };
}

/**
 * Looks at memory. A heap takes its room by and by, some 50 MiB within a second of young objects, and keeps it: what grows without end is larger in
 * the second half than it ever was in the first.
 */
const SAMPLES = 20;

type Readers = Readonly<Record<string, (random: Random) => Outcome | Promise<Outcome>>>;

async function work({ program, reader, folder, data, from, to, shared }: Task): Promise<Tried> {
	const { mutatedReaders } = (await import(program)) as { mutatedReaders(files: object): Promise<Readers> | Readers };
	const read = (path: string) => (existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined);
	const files = { folder, data, read, write: writeFileSync, remove: rmSync };
	const attempt = (await mutatedReaders(files))[reader];
	if (attempt === undefined) throw new Error(`there is no reader ${reader}`);
	const at = new Int32Array(shared);
	const tried = { read: 0, refused: 0, next: from, early: 0, late: 0 };
	const step = Math.max(1, Math.floor((to - from) / SAMPLES));
	for (let seed = from; seed < to; seed += 1) {
		Atomics.store(at, 0, seed);
		Atomics.add(at, 1, 1);
		tried.next = seed + 1;
		try {
			const outcome = await attempt(new Random(seed));
			tried[outcome === "read" ? "read" : "refused"] += 1;
			if (outcome === "worn-out") break;
		} catch (error) {
			return {
				...tried,
				failure: { seed, told: error instanceof Error ? (error.stack ?? error.message) : String(error) },
			};
		}
		if ((seed - from + 1) % step !== 0) continue;
		globalThis.gc?.();
		const rss = process.memoryUsage.rss();
		const half = seed - from < (to - from) / 2 ? "early" : "late";
		tried[half] = Math.max(tried[half], rss);
	}
	return tried;
}

parentPort?.postMessage(await work(workerData as Task));
