/** The session of one thread, in Node.js, browsers and workers alike: it solves one problem after another, and gives way to others while it does. */
import { InputError } from "../base/errors.js";
import { inSlices, TimeSlice } from "../parallel/program.js";
import type { Problem } from "../problem/problem.js";
import type { ProblemPart } from "../problem/problem-part.js";
import { requireOptions } from "../solve/check-options.js";
import type { SolveOptions } from "../solve/options.js";
import { PatternSolver } from "../solve/prepared.js";
import type { Solution } from "../solve/report.js";
import type { Watch } from "../solve/requests.js";
import { solveSteps } from "../solve/solve.js";
import { withValues } from "./new-values.js";
import { checkPartsOptions, JoinedParts, type PartsSolution, solveJoined } from "./parts.js";
import {
	checkPrepareOptions,
	PARTS_OPTIONS,
	PATTERN_OPTIONS,
	SESSION_OPTIONS,
	SolveRequest,
	splitOptions,
} from "./request.js";
import type {
	NewValues,
	PartsCollection,
	PartsOptions,
	PreparedPattern,
	Results,
	Session,
	SessionSolveOptions,
	SolutionView,
} from "./session.js";
import { Turns } from "./turns.js";
import { WarmStarts } from "./warm-starts.js";

export interface SessionOptions {
	/** One, which is the calling thread. */
	readonly ranks?: 1;
}

/** Opens a session on the calling thread. For ranks in threads or processes there is `openSession` of @stickslip/cluster-runner. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
	requireOptions(options);
	for (const name of Object.keys(options)) {
		if (name !== "ranks") throw new InputError("options", name, "unknown option", "use ranks");
	}
	const { ranks = 1 } = options;
	if (ranks !== 1) {
		const remedy = "open the session of @stickslip/cluster-runner or @stickslip/browser";
		throw new InputError("options", "ranks", `${String(ranks)} are more than one thread has`, remedy);
	}
	return new ThreadSession();
}

/** A solve, to be begun when it is its turn. */
type SolveSteps = (options: SolveOptions, watch: Watch) => Generator<void, Solution, void>;

type Solve = (
	contacts: number,
	options: SessionSolveOptions & { readonly results?: Results },
	usable: readonly string[],
	solve: SolveSteps,
) => Promise<Solution>;

class ThreadSession implements Session {
	readonly ranks = 1;
	readonly failure = undefined;
	readonly #turns = new Turns();
	readonly #slice = new TimeSlice();
	readonly #warmStarts = new WarmStarts();
	readonly #closing = new AbortController();
	/** What was asked for and is not answered. */
	#unanswered = 0;
	#whenAnswered: (() => void) | undefined;

	async prepare(
		problem: Problem,
		options: Omit<SolveOptions, "keep" | "signal" | "onProgress" | "start"> = {},
	): Promise<PreparedPattern> {
		checkPrepareOptions(options);
		return await this.#answer(async () => {
			const place = this.#turns.enter();
			await place?.turn;
			try {
				return new ThreadPattern(new PatternSolver(problem, options), problem, this.#solve);
			} finally {
				this.#turns.end();
			}
		});
	}

	async solve(problem: Problem, options: SessionSolveOptions = {}): Promise<Solution> {
		return await this.#solve(problem?.contacts ?? 0, options, SESSION_OPTIONS, (now, watch) =>
			solveSteps(problem, now, watch),
		);
	}

	async solveParts(parts: readonly ProblemPart[], options: PartsOptions = {}): Promise<PartsSolution> {
		return await solveJoined(parts, this.#solveStarted(options));
	}

	forgetSeries(series: string): void {
		this.#warmStarts.forget(series);
	}

	collectParts(of: number): PartsCollection {
		return new JoinedParts(of, (options) => this.#solveStarted(options));
	}

	#solveStarted(options: PartsOptions) {
		checkPartsOptions(options);
		splitOptions(options, PARTS_OPTIONS);
		return (problem: Problem, start: SolveOptions["start"]) =>
			this.solve(problem, start ? { ...options, start } : options);
	}

	readonly #solve: Solve = (contacts, given, usable, solve) =>
		this.#answer(async () => {
			const split = splitOptions(given, usable);
			const request = new SolveRequest(split, this.#closing.signal);
			const isTurn = await this.#waitForTurn(request);
			try {
				if (this.#slice.isOver) await this.#slice.giveWay();
				const { keys, series, options } = split;
				const warm = keys && this.#warmStarts.begin(series, keys, contacts);
				const begun = request.optionsNow(options);
				const start = options.start ?? warm?.start;
				const solution = await inSlices(solve(start ? { ...begun, start } : begun, request), this.#slice);
				warm?.remember(solution.reaction);
				return solution;
			} finally {
				if (isTurn) this.#turns.end();
			}
		});

	/** False where it is over before its turn: then its start is the answer, for which it need not wait. */
	async #waitForTurn(request: SolveRequest): Promise<boolean> {
		const place = this.#turns.enter();
		if (place === undefined) return true;
		const forget = request.whenOver(place.leave);
		try {
			return await place.turn;
		} finally {
			forget();
		}
	}

	async #answer<Answer>(work: () => Promise<Answer>): Promise<Answer> {
		if (this.#closing.signal.aborted) throw new InputError("session", "solve", "it is closed", "open another one");
		this.#unanswered += 1;
		try {
			return await work();
		} finally {
			this.#unanswered -= 1;
			if (this.#unanswered === 0) this.#whenAnswered?.();
		}
	}

	async close(): Promise<void> {
		this.#closing.abort();
		if (this.#unanswered === 0) return;
		await new Promise<void>((resolve) => {
			const before = this.#whenAnswered;
			this.#whenAnswered = () => {
				before?.();
				resolve();
			};
		});
	}
}

class ThreadPattern implements PreparedPattern {
	readonly contacts: number;
	#solver: PatternSolver | undefined;
	/** With the values that were given last. */
	#problem: Problem;
	readonly #solve: Solve;

	constructor(solver: PatternSolver, problem: Problem, solve: Solve) {
		this.contacts = problem.contacts;
		this.#solver = solver;
		this.#problem = solver.withOwnPattern(problem);
		this.#solve = solve;
	}

	solve(values: NewValues, options?: SessionSolveOptions & { readonly results?: "owned" }): Promise<Solution>;
	solve(values: NewValues, options: SessionSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	async solve(
		values: NewValues,
		options: SessionSolveOptions & { readonly results?: Results } = {},
	): Promise<Solution> {
		const solver = this.#solver;
		if (solver === undefined) throw new InputError("pattern", "solve", "it was released", "prepare it again");
		const problem = withValues(this.#problem, values);
		requireOptions(options);
		this.#problem = problem;
		const { start = options.start } = values;
		const given = start === undefined ? options : { ...options, start };
		return await this.#solve(this.contacts, given, PATTERN_OPTIONS, (now, watch) =>
			solver.steps(problem, now, watch, options.results === "view"),
		);
	}

	release(): void {
		this.#solver = undefined;
	}
}
