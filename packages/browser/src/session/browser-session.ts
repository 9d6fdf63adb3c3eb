/** The session of a page: passes requests on to its ranks, each when it is its turn. */
import {
	InputError,
	type NewValues,
	type PreparedPattern,
	type Problem,
	type Results,
	type Session,
	type SessionSolveOptions,
	type Solution,
	type SolutionView,
	type SolveOptions,
} from "@stickslip/core";
import {
	checkPrepareOptions,
	REQUEST,
	SolveRequest,
	type SplitOptions,
	splitOptions,
	WarmStarts,
} from "@stickslip/core/parallel";
import type { PlainOptions, SolveMode } from "../messages/messages.js";
import { type Place, Queue } from "./queue.js";
import type { RankWorkers } from "./rank-workers.js";

/** How long to wait for pending requests. */
const CLOSE_SECONDS = 5;

/** What is solved: a problem, or new values of a pattern. */
type Subject = { readonly problem: Problem } | { readonly pattern: number; readonly values: NewValues };

type AllOptions = SessionSolveOptions & { readonly results?: Results };
type PrepareOptions = Omit<SolveOptions, "keep" | "signal" | "onProgress" | "start">;

export class BrowserSession implements Session {
	readonly ranks: number;
	readonly #workers: RankWorkers;
	readonly #cutFrom: number;
	readonly #queue: Queue;
	readonly #warmStarts = new WarmStarts();
	readonly #closing = new AbortController();
	readonly #unanswered = new Set<Promise<unknown>>();
	/** Patterns of each rank. */
	readonly #patterns: number[];

	constructor(workers: RankWorkers, cutFrom: number) {
		this.ranks = workers.ranks;
		this.#workers = workers;
		this.#cutFrom = cutFrom;
		this.#queue = new Queue(workers.ranks);
		this.#patterns = Array.from({ length: workers.ranks }, () => 0);
	}

	get failure(): Error | undefined {
		return this.#workers.failure;
	}

	async solve(problem: Problem, options: SessionSolveOptions = {}): Promise<Solution> {
		const contacts = problem?.contacts ?? 0;
		const how = this.#how(contacts);
		return await this.#solve(contacts, options, { problem }, how, how === "cut" ? "all" : "any");
	}

	async prepare(problem: Problem, options: PrepareOptions = {}): Promise<PreparedPattern> {
		checkPrepareOptions(options);
		const how = this.#how(problem?.contacts ?? 0);
		const rank = how === "cut" ? 0 : this.#patterns.indexOf(Math.min(...this.#patterns));
		const place = how === "cut" ? "all" : rank;
		const pattern = this.#workers.nextId();
		await this.#answer(async () => {
			await this.#queue.enter(rank).turn;
			try {
				await this.#workers.ask(rank, { kind: "prepare", id: this.#workers.nextId(), pattern, problem, options, how });
			} finally {
				this.#queue.end(rank, rank);
			}
		});
		this.#patterns[rank]! += 1;
		return new BrowserPattern(
			problem.contacts,
			(values, given) => this.#solve(problem.contacts, given, { pattern, values }, how, place),
			() => {
				this.#patterns[rank]! -= 1;
				this.#workers.tell(rank, { kind: "release", pattern });
			},
		);
	}

	async close(): Promise<void> {
		this.#closing.abort();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const limit = new Promise((resolve) => {
			timer = setTimeout(resolve, 1000 * CLOSE_SECONDS);
		});
		await Promise.race([Promise.allSettled(this.#unanswered), limit]);
		clearTimeout(timer);
		this.#workers.terminate();
	}

	#how(contacts: number): SolveMode {
		return this.ranks > 1 && contacts >= this.#cutFrom ? "cut" : "alone";
	}

	async #solve(contacts: number, given: AllOptions, subject: Subject, how: SolveMode, place: Place): Promise<Solution> {
		return await this.#answer(async () => {
			const asked = performance.now();
			const split = splitOptions(given);
			const request = new SolveRequest(split, this.#closing.signal);
			const waiting = this.#queue.enter(place);
			const forget = request.whenOver(waiting.leave);
			const rank = await waiting.turn;
			forget();
			try {
				const whole = rank === undefined ? "alone" : how;
				const deadline = Math.max(0, split.deadline - (performance.now() - asked) / 1000);
				const to = rank ?? (typeof place === "number" ? place : 0);
				return await this.#run(to, contacts, { ...split, deadline }, request, subject, whole);
			} finally {
				if (rank !== undefined) this.#queue.end(place, rank);
			}
		});
	}

	async #run(
		rank: number,
		contacts: number,
		{ keys, series, options, deadline }: SplitOptions,
		request: SolveRequest,
		subject: Subject,
		how: SolveMode,
	): Promise<Solution> {
		const warm = keys && this.#warmStarts.begin(series, keys, contacts);
		const { signal: _signal, keep: _keep, ...now } = request.optionsNow(options);
		const own = "values" in subject ? subject.values.start : undefined;
		const start = own ?? options.start ?? warm?.start;
		const plain: PlainOptions = start === undefined ? now : { ...now, start };
		const id = this.#workers.nextId();
		const isAborted = request.request === REQUEST.cancelled;
		const hasProgress = request.progress !== undefined;
		const message = { kind: "solve", id, options: plain, deadline, how, isAborted, hasProgress, ...subject } as const;
		const abort = () => {
			// A deadline is the rank's to look after.
			if (request.request !== REQUEST.cancelled) return;
			if (how === "cut") this.#workers.stopCut();
			else if (!isAborted) this.#workers.tell(rank, { kind: "abort", id });
		};
		const forget = request.whenOver(abort);
		if (isAborted) abort();
		try {
			const solution = (await this.#workers.ask(rank, message, request.progress))!;
			warm?.remember(solution.reaction);
			return solution;
		} finally {
			forget();
			if (how === "cut") this.#workers.endCut();
		}
	}

	async #answer<Answer>(work: () => Promise<Answer>): Promise<Answer> {
		if (this.#closing.signal.aborted) throw new InputError("session", "solve", "it is closed", "open another one");
		const answer = work();
		this.#unanswered.add(answer);
		try {
			return await answer;
		} finally {
			this.#unanswered.delete(answer);
		}
	}
}

class BrowserPattern implements PreparedPattern {
	readonly contacts: number;
	readonly #solve: (values: NewValues, options: AllOptions) => Promise<Solution>;
	readonly #release: () => void;
	#isReleased = false;

	constructor(
		contacts: number,
		solve: (values: NewValues, options: AllOptions) => Promise<Solution>,
		release: () => void,
	) {
		this.contacts = contacts;
		this.#solve = solve;
		this.#release = release;
	}

	solve(values: NewValues, options?: SessionSolveOptions & { readonly results?: "owned" }): Promise<Solution>;
	solve(values: NewValues, options: SessionSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	async solve(values: NewValues, options: AllOptions = {}): Promise<Solution> {
		if (this.#isReleased) throw new InputError("pattern", "solve", "it was released", "prepare it again");
		return await this.#solve(values, options);
	}

	release(): void {
		if (this.#isReleased) return;
		this.#isReleased = true;
		this.#release();
	}
}
