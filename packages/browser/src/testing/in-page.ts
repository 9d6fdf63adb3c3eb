/** What tests and benches call inside a page: sessions are opened and used there as any page would. */
import {
	type NewValues,
	type Problem,
	type Progress,
	type Report,
	type Session,
	type SessionSolveOptions,
	solve,
} from "@stickslip/core";
import { missingForThreads } from "../session/isolation.js";
import { openSession, type SessionOptions } from "../session/open.js";
import { toSharedMemory } from "../session/shared-memory.js";
import { type ProblemSpec, problemOf } from "./problems.js";

/** The session of a bench, and its problems by their words: made once, so that only solves are timed. */
let kept: Session | undefined;
const problems = new Map<string, Problem>();

/** An error as it can leave the page. */
interface Told {
	readonly name: string;
	readonly message: string;
	readonly place?: string;
	readonly rank?: number;
}

function told(error: unknown): Told {
	const { name, message, place, rank } = error as Told;
	return { name, message, ...(place !== undefined && { place }), ...(rank !== undefined && { rank }) };
}

async function refused(work: () => Promise<unknown>): Promise<Told | undefined> {
	try {
		await work();
		return undefined;
	} catch (error) {
		return told(error);
	}
}

async function withSession<Result>(
	options: SessionOptions,
	use: (session: Session) => Promise<Result>,
): Promise<Result> {
	const session = await openSession(options);
	try {
		return await use(session);
	} finally {
		await session.close();
	}
}

export interface Solved {
	readonly status: string;
	readonly hash: string;
	readonly ranks: number;
	readonly transport: string;
	readonly iterations: number;
	/** Seconds of the solve alone, and of the call. */
	readonly seconds: number;
	readonly callSeconds: number;
}

/** Options of a solve that is never done. */
const endless = { tolerance: 0, method: "proximal-gauss-seidel", maxIterations: Number.POSITIVE_INFINITY };

function solvedOf({ status, hash, iterations, ranks, transport, seconds }: Report, callSeconds: number): Solved {
	return { status, hash, iterations, ranks, transport, seconds, callSeconds };
}

const inPage = {
	missingForThreads: async () => missingForThreads() ?? "nothing",

	solveAll: async (of: {
		specs: readonly ProblemSpec[];
		ranks?: number | "auto";
		cutFrom?: number;
		isShared?: boolean;
		options?: SessionSolveOptions;
	}): Promise<Solved[]> => {
		const { ranks = "auto", cutFrom = 1000, isShared = false, options = {} } = of;
		return await withSession({ ranks, cutFrom }, async (session) => {
			const answers: Solved[] = [];
			for (const spec of of.specs) {
				const problem = isShared ? toSharedMemory(problemOf(spec)) : problemOf(spec);
				const started = performance.now();
				const { report } = await session.solve(problem, options);
				answers.push(solvedOf(report, (performance.now() - started) / 1000));
			}
			return answers;
		});
	},

	/** For benches: a session that stays open, and one solve in it. */
	open: async (options: SessionOptions): Promise<void> => {
		await kept?.close();
		kept = await openSession(options);
	},

	solveOnce: async (spec: ProblemSpec, options: SessionSolveOptions): Promise<Solved> => {
		const words = JSON.stringify(spec);
		const problem = problems.get(words) ?? problemOf(spec);
		problems.set(words, problem);
		const started = performance.now();
		const { report } = await kept!.solve(problem, options);
		return solvedOf(report, (performance.now() - started) / 1000);
	},

	/** The same by core in the page's own thread. */
	solveHere: async (spec: ProblemSpec): Promise<string> => solve(problemOf(spec)).report.hash,

	/** All at once. */
	solveTogether: async (of: { specs: readonly ProblemSpec[]; ranks: number }): Promise<string[]> => {
		const problems = of.specs.map(problemOf);
		return await withSession({ ranks: of.ranks }, async (session) => {
			const solutions = await Promise.all(problems.map((problem) => session.solve(problem)));
			return solutions.map(({ report }) => report.hash);
		});
	},

	/** Prepares the pattern of a problem, and solves for values scaled by each factor, one after another; with the hashes of core's solve. */
	prepared: async (of: {
		spec: ProblemSpec;
		ranks: number;
		factors: readonly number[];
	}): Promise<[string, string][]> => {
		const problem = problemOf(of.spec);
		return await withSession({ ranks: of.ranks }, async (session) => {
			const pattern = await session.prepare(problem);
			const hashes: [string, string][] = [];
			for (const factor of of.factors) {
				const values: NewValues = { q: problem.q.map((each) => factor * each) };
				const { report } = await pattern.solve(values, { results: "view" });
				hashes.push([report.hash, solve({ ...problem, q: values.q }).report.hash]);
			}
			pattern.release();
			return hashes;
		});
	},

	/** Iterations of a first solve, and of a second one that starts from its answer by keys in another order of contacts. */
	warm: async (of: { spec: ProblemSpec; ranks: number }): Promise<[number, number]> => {
		const problem = problemOf(of.spec);
		const keys = Float64Array.from({ length: problem.contacts }, (_, at) => 3 * at + 5);
		return await withSession({ ranks: of.ranks }, async (session) => {
			const first = await session.solve(problem, { keys, tolerance: 1e-4 });
			const second = await session.solve(problem, { keys, tolerance: 1e-4 });
			return [first.report.iterations, second.report.iterations];
		});
	},

	/** A solve that is never done, aborted after its first progress. */
	cancel: async (of: {
		spec: ProblemSpec;
		ranks: number;
	}): Promise<{ status: string; seen: number; after: string }> => {
		const problem = problemOf(of.spec);
		return await withSession({ ranks: of.ranks }, async (session) => {
			const controller = new AbortController();
			const seen: Progress[] = [];
			const onProgress = (progress: Progress) => {
				seen.push(progress);
				controller.abort();
			};
			const { report } = await session.solve(problem, { ...endless, signal: controller.signal, onProgress });
			const after = await session.solve(problem);
			return { status: report.status, seen: seen.length, after: after.report.hash };
		});
	},

	/** A solve that is never done, with a deadline, and one behind it that waits in vain. */
	deadline: async (of: { spec: ProblemSpec; ranks: number }): Promise<string[]> => {
		const problem = problemOf(of.spec);
		return await withSession({ ranks: of.ranks }, async (session) => {
			const solves = [0.3, 0.1].map((deadline) => session.solve(problem, { ...endless, deadline }));
			return (await Promise.all(solves)).map(({ report }) => report.status);
		});
	},

	/** Closes a session under way: its solve ends, and the next is refused. */
	close: async (spec: ProblemSpec, ranks: number): Promise<{ status: string; next: Told | undefined }> => {
		const session = await openSession({ ranks });
		const solving = session.solve(problemOf(spec), endless);
		await session.close();
		return { status: (await solving).report.status, next: await refused(() => session.solve(problemOf(spec))) };
	},

	/** What wrong input is told. */
	refusals: async (): Promise<Record<string, Told | undefined>> => {
		const problem = problemOf({ kind: "spheres", contacts: 20, seed: 1, form: "W" });
		const notFinite = { ...problem, q: problem.q.map((each, at) => (at === 4 ? Number.NaN : each)) };
		return await withSession({ ranks: 1 }, async (session) => {
			const pattern = await session.prepare(problem);
			return {
				ranks: await refused(() => openSession({ ranks: 0 })),
				option: await refused(() => openSession({ threads: 2 } as SessionOptions)),
				notFinite: await refused(() => session.solve(notFinite)),
				method: await refused(() => session.solve(problem, { method: "none" })),
				nothing: await refused(() => session.solve(undefined as unknown as Problem)),
				functions: await refused(() => session.solve({ ...problem, extra: () => 1 } as Problem)),
				size: await refused(() => pattern.solve({ q: new Float64Array(3) })),
				keys: await refused(() => session.solve(problem, { keys: Float64Array.of(1) })),
				after: await refused(() => session.solve(problem)),
			};
		});
	},

	/** Two ranks in a page that is not isolated; a script that is not there; one that fails in the middle. */
	failures: async (): Promise<Record<string, Told | undefined>> => {
		return {
			threads: await refused(() => openSession({ ranks: 2 })),
			script: await refused(() => openSession({ ranks: 1, worker: "nowhere.js" })),
		};
	},

	/** Rank 1 breaks while it solves with another, by itself or as its worker reports: all end, and it is named. */
	lostRank: async (
		spec: ProblemSpec,
		isReported: boolean,
	): Promise<{ solving: Told | undefined; next: Told | undefined; failure: Told }> => {
		const workers: Worker[] = [];
		const address = new URL("bundled/rank.js", location.href).href;
		const broken = `Atomics.wait = () => { throw new Error("broken by a test"); }; importScripts(${JSON.stringify(address)});`;
		const start = () => {
			const isBroken = workers.length === 1 && !isReported;
			const worker = new Worker(isBroken ? URL.createObjectURL(new Blob([broken])) : address);
			workers.push(worker);
			return worker;
		};
		const session = await openSession({ ranks: 2, worker: start, cutFrom: 0 });
		const onProgress = () => {
			if (isReported) workers[1]?.dispatchEvent(new ErrorEvent("error", { message: "broken by a test" }));
		};
		const solving = await refused(() => session.solve(problemOf(spec), { ...endless, onProgress }));
		const next = await refused(() => session.solve(problemOf(spec)));
		const failure = told(session.failure);
		await session.close();
		return { solving, next, failure };
	},
};

export type PageFunctions = typeof inPage;

Object.assign(globalThis, { inPage });
