/** Problems of a few contacts: what a solve of one is made of, and the first solve of a process. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { setUp } from "@stickslip/core/parallel";
import { dataFiles, readFile } from "../data.js";

const OPTIONS = { measure: "natural", tolerance: 1e-8 } as const;
const CONTACTS_MAX = 8;

export type TinyTiming = {
	readonly problem: string;
	readonly contacts: number;
	readonly status: string;
	readonly iterations: number;
	/** Microseconds: set-up, iterations alone, and a whole call of `solve`. */
	readonly setUp: number;
	readonly iterating: number;
	readonly whole: number;
};

export function tinyPile(seed: number, contacts = 5): Problem {
	const { rigid, ...rest } = generate("spheres", { contacts, seed });
	return { ...rest, name: `spheres, seed ${seed}`, W: assembleRigid(rigid) };
}

/** Small problems of other people, where they are, and piles of five to eight contacts. */
export async function tinyProblems(data: string | undefined): Promise<Problem[]> {
	const problems = [3, 4, 5, 6, 7, 8].map((seed) => tinyPile(seed));
	for (const { path, name } of data === undefined ? [] : dataFiles(data, ["fclib"])) {
		const problem = await readFile(path);
		if (problem.contacts <= CONTACTS_MAX) problems.push({ ...problem, name });
	}
	return problems;
}

/** The least of many calls, a batch at a time, since a look at the clock costs as much as some of them. */
function leastOf(call: () => void, seconds: number): number {
	const BATCH = 20;
	let least = Number.POSITIVE_INFINITY;
	for (const until = performance.now() + 1000 * seconds; performance.now() < until; ) {
		const start = performance.now();
		for (let i = 0; i < BATCH; i += 1) call();
		least = Math.min(least, (1000 * (performance.now() - start)) / BATCH);
	}
	return least;
}

export function tinyTiming(problem: Problem, seconds: number): TinyTiming {
	const repeat = Math.max(10, Math.round(1e5 * seconds));
	const { status, iterations, seconds: iterating } = solve(problem, { ...OPTIONS, repeat }).report;
	return {
		problem: problem.name,
		contacts: problem.contacts,
		status,
		iterations,
		setUp: leastOf(() => setUp(problem, OPTIONS), seconds),
		iterating: 1e6 * iterating,
		whole: leastOf(() => void solve(problem, OPTIONS), seconds),
	};
}

/** Milliseconds of the first solve of this process. */
export function firstSolve(): number {
	const problem = tinyPile(3);
	const start = performance.now();
	solve(problem, OPTIONS);
	return performance.now() - start;
}

/** What is in use, and what the process holds of it and beyond it (V8 keeps some room), in MiB. */
export interface MemoryUse {
	readonly used: number;
	readonly resident: number;
}

/** Both after some solves and after more; garbage is collected before it is looked at. */
export function memoryOf(contacts: number, solves: number): { readonly before: MemoryUse; readonly after: MemoryUse } {
	const { rigid, ...rest } = generate("spheres", { contacts, seed: 3 });
	const problem: Problem = { ...rest, W: assembleRigid(rigid) };
	const options = { ...OPTIONS, maxIterations: 5 };
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	const memoryUse = (): MemoryUse => {
		collect();
		collect();
		const { heapUsed, external, rss } = process.memoryUsage();
		return { used: (heapUsed + external) / 2 ** 20, resident: rss / 2 ** 20 };
	};
	for (let i = 0; i < solves / 10; i += 1) solve(problem, options);
	const before = memoryUse();
	for (let i = 0; i < solves; i += 1) solve(problem, options);
	return { before, after: memoryUse() };
}
