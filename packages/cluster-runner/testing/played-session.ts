/** A fake session whose solves end on request of a test, and whose ranks can be lost. */
import {
	type PreparedPattern,
	type Problem,
	type Session,
	type SessionSolveOptions,
	type Solution,
	solve,
} from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";

interface Play {
	readonly problem: Problem;
	readonly options: SessionSolveOptions;
	/** Answers as core does. */
	finish(): void;
	fail(error: Error): void;
}

export class PlayedSession implements Session {
	failure: Error | undefined;
	isClosed = false;
	/** How many patterns were. */
	released = 0;
	/** Under way, in the order in which they came. */
	readonly plays: Play[] = [];

	constructor(readonly ranks: number) {}

	solve(
		problem: Problem,
		{ signal, onProgress, deadline, keys: _keys, series: _series, ...options }: SessionSolveOptions = {},
	): Promise<Solution> {
		return new Promise((resolve, reject) => {
			const end = () => this.plays.splice(this.plays.indexOf(play), 1);
			const answer = (status?: "cancelled") => {
				end();
				try {
					const solution = solve(problem, options);
					const report = { ...solution.report, ...(status && { status }) };
					resolve({ ...solution, report });
				} catch (error) {
					reject(error);
				}
			};
			const play: Play = {
				problem,
				options: { ...options, ...(onProgress && { onProgress }), ...(deadline !== undefined && { deadline }) },
				finish: () => answer(),
				fail: (error) => {
					end();
					reject(error);
				},
			};
			this.plays.push(play);
			signal?.addEventListener("abort", () => answer("cancelled"));
			if (signal?.aborted) answer("cancelled");
		});
	}

	async prepare(problem: Problem): Promise<PreparedPattern> {
		let last = problem;
		const solveNext = (next: Parameters<PreparedPattern["solve"]>[0], options?: object) => {
			const { q, mu = last.mu, values, rigid } = next;
			last = {
				...last,
				q,
				mu,
				...(last.W && { W: { ...last.W, values: values ?? last.W.values } }),
				...(last.rigid && { rigid: { ...last.rigid, ...rigid } }),
			};
			const { results: _results, ...rest } = options as { readonly results?: string };
			return this.solve(last, rest);
		};
		return {
			contacts: problem.contacts,
			solve: solveNext as PreparedPattern["solve"],
			release: () => {
				this.released += 1;
			},
		};
	}

	/** A rank is lost: all that is under way fails. */
	lose(): void {
		this.failure = new RankError(1, "was killed");
		for (const play of [...this.plays]) play.fail(this.failure);
	}

	async close(): Promise<void> {
		this.isClosed = true;
	}
}
