/**
 * Runs ranks as worker threads: a fixed number, all at once, one task each, since they wait for each other. If one fails, the others end too: those that
 * wait or communicate see it in control, those that compute on are terminated after a grace period.
 */
import type { MessagePort } from "node:worker_threads";
import { assert, RankError } from "@stickslip/core/parallel";
import { Piscina } from "piscina";
import type { Control } from "./control.js";

/** After the grace period threads are terminated; only one that hangs in foreign code resists that for long. */
const END_SECONDS = 5;

/** Limit on V8's young generation unless said: without it a rank that runs thousands of tasks grows by 20 MB. */
const YOUNG_MEGABYTES = 16;

/** Buffers that are moved to a thread with its task instead of being copied. */
export type Transfer = readonly (ArrayBuffer | MessagePort)[];

export interface WorkersOptions {
	readonly ranks: number;
	/** JavaScript whose default export takes the task; a path or a file: URL. */
	readonly file: string;
	readonly task: (rank: number) => unknown;
	readonly transfer?: (rank: number) => Transfer;
	readonly control: Control;
	/** How long the others may take to end by themselves when one has failed, in seconds; default 5. */
	readonly graceSeconds?: number;
	/** What rank 0 is called in errors, where these threads are some of a larger run's ranks. */
	readonly firstRank?: number;
	/** The most of V8's heap for each thread; Node's own limit unless said. */
	readonly heapMegabytesMax?: number;
	/** The most of V8's young generation for each thread; 16 unless said. While one rank collects garbage the others wait. */
	readonly youngMegabytesMax?: number | undefined;
}

/** Resolves with what the tasks returned, by rank; rejects with a RankError that names the first to fail. No thread outlives the promise. */
export async function runWorkers<Result>(options: WorkersOptions): Promise<Result[]> {
	const { ranks, control, graceSeconds = 5, firstRank = 0 } = options;
	assert(Number.isInteger(ranks) && ranks >= 1, "there is at least one rank");
	const pool = startPool(options);
	const ends = Promise.allSettled(pool.threads.map((thread) => new Promise((end) => thread.once("exit", end))));
	const errors = new Map<number, unknown>();
	const runs = Array.from({ length: ranks }, async (_, rank) => {
		try {
			const transferList = [...(options.transfer?.(rank) ?? [])];
			return (await pool.run(options.task(rank), { transferList })) as Result;
		} catch (error) {
			errors.set(firstRank + rank, error);
			control.abort(firstRank + rank, reasonOf(error, options.file));
			throw error;
		}
	});
	const settled = Promise.allSettled(runs);
	try {
		return await Promise.all(runs);
	} catch (error) {
		await atMost(graceSeconds, settled);
		const failure = control.failure();
		assert(failure !== undefined, "a failure is recorded in control");
		throw Object.assign(new RankError(failure.rank, failure.reason), { cause: errors.get(failure.rank) ?? error });
	} finally {
		// Piscina's own destroy() waits for exits without a limit.
		await atMost(END_SECONDS, Promise.allSettled([pool.destroy(), ends, settled]));
	}
}

function startPool({ ranks, file, heapMegabytesMax, youngMegabytesMax }: WorkersOptions): Piscina {
	const pool = new Piscina({
		filename: file,
		minThreads: ranks,
		maxThreads: ranks,
		concurrentTasksPerWorker: 1,
		// With these on, a thread that has done its task blocks in Atomics.wait of piscina's own and needs a message to end.
		atomics: "disabled",
		idleTimeout: Number.POSITIVE_INFINITY,
		resourceLimits: {
			maxYoungGenerationSizeMb: youngMegabytesMax ?? YOUNG_MEGABYTES,
			...(heapMegabytesMax !== undefined && { maxOldGenerationSizeMb: heapMegabytesMax }),
		},
	});
	// A failure of a thread during its task rejects the task's promise; later ones are ignored.
	pool.on("error", () => undefined);
	// All threads have been started; from now on a dead one must not be replaced.
	pool.options.minThreads = 0;
	return pool;
}

function reasonOf(error: unknown, file: string): string {
	const { message, code } = error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error) };
	if (code === "ERR_WORKER_OUT_OF_MEMORY") return "ran out of memory";
	// Piscina requires a file first and then imports it; if the first has failed, the second only reports that.
	if (code === "ERR_INTERNAL_ASSERTION" && message.includes("imported again after being required")) {
		return `cannot load ${file}; node --check ${file} shows why`;
	}
	const exit = /^worker exited with code: (-?\d+)$/.exec(message);
	return exit === null ? `failed: ${message}` : `ended without a result (exit code ${exit[1]})`;
}

/** Waits for the promise, but not for ever. */
async function atMost(seconds: number, promise: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise((resolve) => {
		timer = setTimeout(resolve, 1000 * seconds);
	});
	await Promise.race([promise, limit]);
	clearTimeout(timer);
}
