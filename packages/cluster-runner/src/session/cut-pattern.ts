/** A pattern whose shares all ranks keep: each solve sends them their values. */
import {
	InputError,
	type NewValues,
	type PreparedPattern,
	type Problem,
	type SessionSolveOptions,
	type Solution,
	type SolutionView,
} from "@stickslip/core";
import { buffersOf, type PatternSolver, type Prepared, type RankResult, withValues } from "@stickslip/core/parallel";
import { type PartitionMethod, PatternShares } from "@stickslip/partition";
import type { SolveShare } from "../programs/session.js";
import type { Ranks } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import type { Log } from "../records/log.js";
import { cutTask, joined } from "../solve/solve-tasks.js";
import type { RankPool } from "./rank-pool.js";
import type { Answer } from "./rank-session.js";
import type { SessionRequest } from "./request.js";
import { keepTask } from "./single-rank-task.js";

export interface CutPatternOptions {
	readonly number: number;
	readonly pool: RankPool;
	readonly answer: Answer;
	readonly partition: PartitionMethod | undefined;
	readonly log: Log | undefined;
}

export class CutPattern implements PreparedPattern {
	readonly contacts: number;
	readonly #means: CutPatternOptions;
	readonly #shares: PatternShares;
	#solver: PatternSolver | undefined;
	/** With the values that were given last. */
	#problem: Problem;

	private constructor(means: CutPatternOptions, solver: PatternSolver, problem: Problem, shares: PatternShares) {
		this.contacts = problem.contacts;
		this.#means = means;
		this.#solver = solver;
		this.#problem = solver.withOwnPattern(problem);
		this.#shares = shares;
	}

	static async prepare(
		means: CutPatternOptions,
		solver: PatternSolver,
		problem: Problem,
		prepared: Prepared,
	): Promise<CutPattern> {
		const { number, partition, pool } = means;
		return await pool.all(async (ranks) => {
			const shares = new PatternShares(prepared, ranks.ranks, { ...(partition && { method: partition }) });
			await ranks.run(keepTask((rank) => ({ keepShare: number, share: shares.of(rank) }), 0));
			return new CutPattern(means, solver, problem, shares);
		});
	}

	solve(values: NewValues, options?: SessionSolveOptions & { readonly results?: "owned" }): Promise<Solution>;
	solve(values: NewValues, options: SessionSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	async solve(values: NewValues, options: SessionSolveOptions = {}): Promise<Solution> {
		const solver = this.#solver;
		if (solver === undefined) throw new InputError("pattern", "solve", "it was released", "prepare it again");
		const problem = withValues(this.#problem, values);
		this.#problem = problem;
		const { start = options.start } = values;
		const all = start === undefined ? options : { ...options, start };
		return await this.#means.answer(this.contacts, all, (request, begin) =>
			this.#means.pool.all(async (ranks) => {
				const started = performance.now();
				return await this.#solveNow(ranks, solver.prepare(problem, begin()), request, started);
			}),
		);
	}

	async #solveNow(ranks: Ranks, prepared: Prepared, request: SessionRequest, started: number): Promise<Solution> {
		const { signal, onProgress } = request;
		const { number, log } = this.#means;
		const { blocks } = prepared.plan;
		const events = new RunEvents({ ranks: ranks.ranks, log });
		const setUp = (performance.now() - started) / 1000;
		const outcomes = await ranks.run<RankResult>({
			...cutTask(blocks, { signal, onProgress }, events),
			part: (rank) => {
				const values = this.#shares.values(rank, prepared);
				const part: SolveShare = { share: number, values, options: prepared.options };
				return { part, buffers: buffersOf(values) };
			},
		});
		await events.ended(outcomes[0]!);
		return joined(outcomes, blocks, setUp);
	}

	release(): void {
		if (this.#solver === undefined) return;
		this.#solver = undefined;
		const { number, pool } = this.#means;
		// If a rank has failed there is nothing to forget.
		pool.all((ranks) => ranks.run(keepTask(() => ({ release: number }), 0))).catch(() => {});
	}
}
