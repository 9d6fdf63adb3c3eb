/** Many small problems: one thread that solves one after another, and a session that solves them side by side on ranks. */
import { openSession, type Transport } from "@stickslip/cluster-runner";
import { generate, type Problem, type Session, solve } from "@stickslip/core";

const CONTACTS = 100;
/** Problems that differ; more of them are these again. */
const KINDS = 50;
const OPTIONS = { tolerance: 1e-6 };

export interface PoolRun {
	readonly problems: number;
	/** Milliseconds of one thread and of the ranks, the least of the rounds. */
	readonly one: number;
	readonly pool: number;
	/** How much faster the ranks were: the least, the median and the most of the rounds, each beside its neighbour. */
	readonly speedups: readonly [number, number, number];
	/** Processor time of the pool beyond that of one thread, as a part of it: the least of the rounds. Of threads alone. */
	readonly overhead: number;
}

/** Milliseconds of processor time of this process. */
function processor(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

export function problemsOf(kind: string, count: number): Problem[] {
	const some = Array.from({ length: Math.min(KINDS, count) }, (_, seed) =>
		generate(kind, { contacts: CONTACTS, seed }),
	);
	return Array.from({ length: count }, (_, at) => some[at % some.length]!);
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
	try {
		await solveAll(session, problems, hashes);
		const ones: Spent[] = [];
		const pools: Spent[] = [];
		for (let round = 0; round < rounds; round += 1) {
			ones.push(
				await spent(() => {
					for (const problem of problems) solve(problem, OPTIONS);
				}),
			);
			pools.push(await spent(() => solveAll(session, problems, hashes)));
		}
		const speedups = ones.map(({ wall }, round) => wall / pools[round]!.wall).sort((one, other) => one - other);
		const least = (all: readonly Spent[], what: keyof Spent) => Math.min(...all.map((each) => each[what]));
		return {
			problems: count,
			one: least(ones, "wall"),
			pool: least(pools, "wall"),
			speedups: [speedups[0]!, speedups[speedups.length >> 1]!, speedups.at(-1)!],
			overhead: least(pools, "processor") / least(ones, "processor") - 1,
		};
	} finally {
		await session.close();
	}
}
