/** Many small problems: one thread that solves one after another, and a session that solves them side by side on ranks. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { openSession, type Transport } from "@stickslip/cluster-runner";
import { type Problem, type Session, solve } from "@stickslip/core";
import { OPTIONS, problemsOf } from "./problems.js";

export interface PoolRun {
	readonly problems: number;
	/** Milliseconds of one thread, of two that have their problems already, and of the ranks: the least of the rounds. */
	readonly one: number;
	readonly two: number;
	readonly pool: number;
	/** How much faster the ranks were: the least, the median and the most of the rounds, each beside its neighbour. */
	readonly speedups: readonly [number, number, number];
	/** Processor time beyond that of one thread, as a part of it: of the two threads, and of the pool. The least of the rounds; of threads alone. */
	readonly overheadOfTwo: number;
	readonly overhead: number;
}

/** Milliseconds of processor time of this process. */
function processor(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Threads that have their problems already: what no pool can be faster than. */
class OwnThreads {
	readonly #threads: readonly Worker[];

	private constructor(threads: readonly Worker[]) {
		this.#threads = threads;
	}

	static async start(kind: string, count: number, parts: number): Promise<OwnThreads> {
		const file = new URL("../../dist/pool/own-problems.js", import.meta.url);
		const threads = Array.from({ length: parts }, (_, part) => {
			return new Worker(file, { workerData: { kind, count, part, parts } });
		});
		await Promise.all(threads.map((thread) => once(thread, "message")));
		return new OwnThreads(threads);
	}

	async solve(): Promise<void> {
		const done = this.#threads.map((thread) => once(thread, "message"));
		for (const thread of this.#threads) thread.postMessage("solve");
		await Promise.all(done);
	}

	async end(): Promise<void> {
		await Promise.all(this.#threads.map((thread) => thread.terminate()));
	}
}

interface Spent {
	readonly wall: number;
	readonly processor: number;
}

async function spent(work: () => Promise<void> | void): Promise<Spent> {
	const [wall, busy] = [performance.now(), processor()];
	await work();
	return { wall: performance.now() - wall, processor: processor() - busy };
}

async function solveAll(session: Session, problems: readonly Problem[], hashes: readonly string[]): Promise<void> {
	const solutions = await Promise.all(problems.map((problem) => session.solve(problem, OPTIONS)));
	for (const [at, { report }] of solutions.entries()) {
		if (report.hash !== hashes[at]) throw new Error("a pool has another answer than one thread");
	}
}

export async function poolRun(kind: string, transport: Transport, count: number, rounds: number): Promise<PoolRun> {
	const problems = problemsOf(kind, count);
	const hashes = problems.map((problem) => solve(problem, OPTIONS).report.hash);
	const session = await openSession({ ranks: 2, transport });
	const threads = await OwnThreads.start(kind, count, 2);
	try {
		await solveAll(session, problems, hashes);
		await threads.solve();
		const ones: Spent[] = [];
		const twos: Spent[] = [];
		const pools: Spent[] = [];
		for (let round = 0; round < rounds; round += 1) {
			ones.push(
				await spent(() => {
					for (const problem of problems) solve(problem, OPTIONS);
				}),
			);
			twos.push(await spent(() => threads.solve()));
			pools.push(await spent(() => solveAll(session, problems, hashes)));
		}
		const speedups = ones.map(({ wall }, round) => wall / pools[round]!.wall).sort((one, other) => one - other);
		const least = (all: readonly Spent[], what: keyof Spent) => Math.min(...all.map((each) => each[what]));
		return {
			problems: count,
			one: least(ones, "wall"),
			two: least(twos, "wall"),
			pool: least(pools, "wall"),
			speedups: [speedups[0]!, speedups[speedups.length >> 1]!, speedups.at(-1)!],
			overheadOfTwo: least(twos, "processor") / least(ones, "processor") - 1,
			overhead: least(pools, "processor") / least(ones, "processor") - 1,
		};
	} finally {
		await threads.end();
		await session.close();
	}
}
