/** The session of ranks in threads or processes: small problems on single ranks, side by side; large ones on all of them. */
import {
	InputError,
	type PartsCollection,
	type PartsOptions,
	type PartsSolution,
	type PreparedPattern,
	type Problem,
	type ProblemPart,
	type Session,
	type SessionSolveOptions,
	type Solution,
	type SolveOptions,
	solve,
} from "@stickslip/core";
import {
	checkPrepareOptions,
	PatternSolver,
	type Prepared,
	prepare,
	splitOptions,
	type WarmStart,
	WarmStarts,
} from "@stickslip/core/parallel";
import { isShareable, type PartitionMethod, type PointOwners } from "@stickslip/partition";
import { refusalIn } from "../protocol/refusal.js";
import type { Ranks } from "../ranks/ranks.js";
import { RunEvents } from "../ranks/run-events.js";
import type { Log } from "../records/log.js";
import { PartsGroup, type PartsSolveOptions } from "../solve/solve-parts.js";
import { solveCut } from "../solve/solve-ranks.js";
import { CutPattern } from "./cut-pattern.js";
import { findOwners } from "./early-owners.js";
import { requirePlain } from "./plain-problem.js";
import { RankPool } from "./rank-pool.js";
import { SessionRequest } from "./request.js";
import { SingleRankPattern } from "./single-rank-pattern.js";
import { problemPart, singleRankTask, solutionOf } from "./single-rank-task.js";

export interface RankSessionOptions {
	/** Contacts from which on a problem is cut for all ranks. */
	readonly cutFrom: number;
	/** Whether ranks are threads of this process. */
	readonly sharesMemory: boolean;
	readonly partition?: PartitionMethod | undefined;
	readonly log?: Log | undefined;
}

/** Solves for a request with these options, which begin now. */
export type SolveNow = (request: SessionRequest, begin: () => SolveOptions) => Promise<Solution>;

/** What a pattern solves with. */
export type Answer = (contacts: number, options: SessionSolveOptions, solveNow: SolveNow) => Promise<Solution>;

export class RankSession implements Session {
	readonly #ranks: Ranks;
	readonly #pool: RankPool;
	readonly #options: RankSessionOptions;
	readonly #warmStarts = new WarmStarts();
	/** What has begun and not ended. */
	readonly #underWay = new Set<{ cancel?(): void }>();
	#whenIdle: () => void = () => {};
	/** The number of the latest pattern. */
	#number = 0;
	#closed: Promise<void> | undefined;

	constructor(ranks: Ranks, options: RankSessionOptions) {
		this.#ranks = ranks;
		this.#pool = new RankPool(ranks);
		this.#options = options;
	}

	get ranks(): number {
		return this.#ranks.ranks;
	}

	get failure(): Error | undefined {
		return this.#ranks.failure;
	}

	async prepare(problem: Problem, options: SolveOptions = {}): Promise<PreparedPattern> {
		checkPrepareOptions(options);
		return await this.#follow(async () => {
			this.#number += 1;
			const number = this.#number;
			const cut = this.#isLarge(problem) ? this.#cutPattern(number, problem, options) : undefined;
			if (cut !== undefined) return await cut;
			const rank = number % this.ranks;
			const { sharesMemory } = this.#options;
			const means = { number, rank, sharesMemory, pool: this.#pool, answer: this.#answer };
			return await SingleRankPattern.prepare(means, problem, options);
		});
	}

	/** Undefined if the pattern cannot be kept in parts. */
	#cutPattern(number: number, problem: Problem, options: SolveOptions): Promise<PreparedPattern> | undefined {
		const solver = new PatternSolver(problem, options);
		const prepared = solver.prepare(problem);
		if (!solver.isKept || !isShareable(prepared)) return undefined;
		const { log, partition } = this.#options;
		const means = { number, log, partition, pool: this.#pool, answer: this.#answer };
		return CutPattern.prepare(means, solver, problem, prepared);
	}

	async solve(problem: Problem, options: SessionSolveOptions = {}): Promise<Solution> {
		const contacts = problem?.contacts;
		// The rank reports what it is instead.
		if (!(contacts > 0)) prepare(problem);
		const isLarge = this.#isLarge(problem);
		return await this.#answer(contacts, options, (request, begin) =>
			isLarge ? this.#solveLarge(problem, request, begin) : this.#solveSmall(problem, request, begin),
		);
	}

	async solveParts(parts: readonly ProblemPart[], options: PartsOptions = {}): Promise<PartsSolution> {
		for (const [index, part] of parts.entries()) requirePlain(`part ${index}`, part);
		return await this.#solveParts(options, (given) => new PartsGroup(this.#pool, parts.length).solveAll(parts, given));
	}

	forgetSeries(series: string): void {
		this.#warmStarts.forget(series);
	}

	collectParts(of: number): PartsCollection {
		const group = new PartsGroup(this.#pool, of);
		return {
			of,
			add: (index, part) => this.#follow(async () => await group.add(index, requirePlain("part", part))),
			solve: (options = {}) => this.#solveParts(options, (given) => group.solve(given)),
			drop: () => this.#follow(() => group.drop()),
		};
	}

	async #solveParts(
		options: PartsOptions,
		solveNow: (options: PartsSolveOptions) => Promise<PartsSolution>,
	): Promise<PartsSolution> {
		const request = this.#begin(new SessionRequest(splitOptions(options)));
		const { partition } = this.#options;
		const { signal, onProgress } = request;
		try {
			const all = { ...request.options, signal, ...(onProgress && { onProgress }), ...(partition && { partition }) };
			const solution = await solveNow(all as PartsSolveOptions);
			if (request.thrown) throw request.thrown.error;
			return solution;
		} catch (error) {
			throw refusalIn(error);
		} finally {
			request.end();
			this.#end(request);
		}
	}

	#isLarge(problem: Problem): boolean {
		return problem?.contacts >= this.#options.cutFrom;
	}

	/** On any rank. */
	async #solveSmall(problem: Problem, request: SessionRequest, begin: () => SolveOptions): Promise<Solution> {
		const task = () => singleRankTask(problemPart(problem, begin()), problem.contacts, request);
		const place = this.#pool.one(problem.contacts, task);
		return await new Promise<Solution>((resolve, reject) => {
			place.result.then((result) => solutionOf(result, problem.contacts)).then(resolve, reject);
			request.whenOver(() => {
				// An answer without iterations need not wait for a rank.
				const now = async () => solve(problem, { ...begin(), ...request.optionsOver });
				if (place.leave()) now().then(resolve, reject);
				else place.stop(request.signal.reason);
			});
		});
	}

	/** On all ranks, unless it cannot be cut. */
	async #solveLarge(problem: Problem, request: SessionRequest, begin: () => SolveOptions): Promise<Solution> {
		const { partition, log } = this.#options;
		return await this.#pool.all(async (ranks) => {
			const started = performance.now();
			const options = begin();
			const finding = findOwners(ranks, problem, partition);
			let prepared: Prepared;
			let known: PointOwners | undefined;
			try {
				prepared = prepare(problem, options);
			} finally {
				known = await finding;
			}
			if (!isShareable(prepared)) {
				const task = singleRankTask(problemPart(problem, options), problem.contacts, request);
				const [result] = await ranks.run({ ...task, alone: 0, signal: request.signal });
				return solutionOf(result!, problem.contacts);
			}
			const { signal, onProgress } = request;
			const all = { signal, known, ...(onProgress && { onProgress }), ...(partition && { partition }) };
			const events = new RunEvents({ ranks: ranks.ranks, log });
			return await solveCut(ranks, prepared, all, events, { why: undefined, started });
		});
	}

	readonly #answer: Answer = async (contacts, given, solveNow) => {
		const split = splitOptions(given);
		const request = this.#begin(new SessionRequest(split));
		const { keys, series } = split;
		let warm: WarmStart | undefined;
		try {
			const solution = await solveNow(request, () => {
				warm = keys && this.#warmStarts.begin(series, keys, contacts);
				const { options } = request;
				const start = options.start ?? warm?.start;
				return requirePlain("options", start === undefined ? options : { ...options, start });
			});
			if (request.thrown) throw request.thrown.error;
			warm?.remember(solution.reaction);
			return solution;
		} catch (error) {
			throw refusalIn(error);
		} finally {
			request.end();
			this.#end(request);
		}
	};

	/** Registers pending work until it ends. */
	#begin<Work extends { cancel?(): void }>(work: Work): Work {
		if (this.#closed) throw new InputError("session", "solve", "it is closed", "open another one");
		this.#underWay.add(work);
		return work;
	}

	#end(work: object): void {
		this.#underWay.delete(work);
		if (this.#underWay.size === 0) this.#whenIdle();
	}

	async #follow<Result>(work: () => Promise<Result>): Promise<Result> {
		const token = this.#begin({});
		try {
			return await work();
		} finally {
			this.#end(token);
		}
	}

	close(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	async #close(): Promise<void> {
		const idle = new Promise<void>((resolve) => {
			this.#whenIdle = resolve;
		});
		for (const work of [...this.#underWay]) work.cancel?.();
		if (this.#underWay.size > 0) await idle;
		await this.#ranks.close();
	}
}
