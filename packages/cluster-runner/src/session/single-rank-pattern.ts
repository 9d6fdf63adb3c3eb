/** A pattern kept by one rank, which does all solves with it. */
import {
	InputError,
	type NewValues,
	type PreparedPattern,
	type Problem,
	type SessionSolveOptions,
	type Solution,
	type SolutionView,
	type SolveOptions,
} from "@stickslip/core";
import type { KeepSolver } from "../programs/session.js";
import { plainProblem, plainValues, requirePlain } from "./plain-problem.js";
import type { RankPool } from "./rank-pool.js";
import type { Answer } from "./rank-session.js";
import { SharedRoom } from "./shared-room.js";
import { keepTask, requireDone, singleRankTask, solutionOf } from "./single-rank-task.js";

export interface SingleRankPatternOptions {
	readonly number: number;
	readonly rank: number;
	readonly pool: RankPool;
	readonly answer: Answer;
	/** Whether ranks are threads of this process. */
	readonly sharesMemory: boolean;
}

export class SingleRankPattern implements PreparedPattern {
	readonly contacts: number;
	readonly #means: SingleRankPatternOptions;
	/** Where ranks are threads. */
	readonly #room: SharedRoom | undefined;
	/** Solves that a rank has. */
	#underWay = 0;
	#isReleased = false;

	private constructor(means: SingleRankPatternOptions, contacts: number) {
		this.#means = means;
		this.contacts = contacts;
		this.#room = means.sharesMemory ? new SharedRoom() : undefined;
	}

	static async prepare(
		means: SingleRankPatternOptions,
		problem: Problem,
		options: SolveOptions,
	): Promise<SingleRankPattern> {
		const { number, pool, rank } = means;
		const kept: KeepSolver = {
			keepSolver: number,
			problem: plainProblem(problem),
			options: requirePlain("options", options),
		};
		const task = () => keepTask(() => kept, 0);
		requireDone(await pool.one(problem.contacts, task, rank).result);
		return new SingleRankPattern(means, problem.contacts);
	}

	solve(values: NewValues, options?: SessionSolveOptions & { readonly results?: "owned" }): Promise<Solution>;
	solve(values: NewValues, options: SessionSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	async solve(given: NewValues, options: SessionSolveOptions = {}): Promise<Solution> {
		if (this.#isReleased) throw new InputError("pattern", "solve", "it was released", "prepare it again");
		const { number, pool, rank, answer } = this.#means;
		if (typeof given !== "object" || given === null) {
			throw new InputError("values", "values", "is not an object", "give at least { q }");
		}
		const { start = options.start, ...values } = given;
		return await answer(
			this.contacts,
			start === undefined ? options : { ...options, start },
			async (request, begin) => {
				let hasBegun = false;
				const task = () => {
					// The rank may still read the values of the previous solve.
					const room = this.#underWay === 0 ? this.#room : undefined;
					const plain = plainValues(values);
					this.#underWay += 1;
					hasBegun = true;
					const part = { solver: number, values: room?.put(plain) ?? plain, options: begin() };
					return singleRankTask(part, this.contacts, request);
				};
				const place = pool.one(this.contacts, task, rank);
				request.whenOver(() => place.stop(request.signal.reason));
				try {
					return solutionOf(await place.result, this.contacts);
				} finally {
					if (hasBegun) this.#underWay -= 1;
				}
			},
		);
	}

	release(): void {
		if (this.#isReleased) return;
		this.#isReleased = true;
		const { number, pool, rank } = this.#means;
		// If the rank has failed there is nothing to forget.
		pool.one(0, () => keepTask(() => ({ release: number }), 0), rank).result.catch(() => {});
	}
}
