/** A session whose ranks are those of a service: what it solves, and how, is as in any other session. */
import type {
	NewValues,
	PreparedPattern,
	Problem,
	ProblemPart,
	Session,
	Solution,
	SolutionView,
	SolveOptions,
} from "@stickslip/core";
import type { ServiceError } from "../base/service-error.js";
import { type NamedArrays, toArrays, toPartArrays } from "../protocol/index.js";
import { solutionOf } from "./answer.js";
import type { ChannelSettings } from "./channel.js";
import {
	checkName,
	checkPart,
	checkProblem,
	checkSolveOptions,
	reactionOf,
	type ServicePartOptions,
	type ServiceSolveOptions,
	sentOptions,
} from "./options.js";
import { Pattern, type SolveRequest } from "./pattern.js";
import { type Answer, type PatternState, type RequestOptions, Requests } from "./requests.js";

type View = { readonly results: "view" };
type Owned = { readonly results?: "owned" };

export class Client implements Session {
	readonly #requests: Requests;
	readonly #patterns = new Set<Pattern>();
	readonly #prefix: string;
	#count = 0;

	private constructor(settings: ChannelSettings) {
		this.#prefix = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join("");
		this.#requests = new Requests(settings, {
			connected: () => {
				for (const pattern of this.#patterns) pattern.connected();
			},
			lost: () => {
				for (const pattern of this.#patterns) pattern.lost();
			},
		});
	}

	/** Resolves when the service has said welcome, and rejects where that takes longer than so many seconds. */
	static async open(settings: ChannelSettings, seconds: number): Promise<Client> {
		const client = new Client(settings);
		await client.#requests.open(seconds);
		return client;
	}

	/** Of the service. */
	get ranks(): number {
		return this.#requests.welcome!.ranks;
	}

	/** What the service calls this client. */
	get name(): string {
		return this.#requests.welcome!.name;
	}

	/** Why there is no connection, after trying for long enough. The next request tries again. */
	get failure(): ServiceError | undefined {
		return this.#requests.failure;
	}

	/** The problem's arrays have to stay as they are until the answer is there: they may be sent again. */
	async solve(problem: Problem, options: ServiceSolveOptions = {}): Promise<Solution> {
		checkProblem(problem);
		return this.#solve({ problem, arrays: () => toArrays(problem), options });
	}

	/** The problem's arrays have to stay as they are until the pattern is released: a service that was started again has it prepared again. */
	async prepare(
		problem: Problem,
		options: Omit<SolveOptions, "keep" | "signal" | "onProgress" | "start"> = {},
	): Promise<PreparedPattern & ServicePattern> {
		checkProblem(problem);
		checkSolveOptions(options, problem.contacts);
		const pattern = new Pattern(problem, {
			newId: () => this.#newId(),
			send: (request: RequestOptions) => this.#requests.send(request),
			pump: () => this.#requests.pump(),
			solve: (request) => this.#solve({ ...request, options: { ...options, ...request.options } }),
			released: () => this.#patterns.delete(pattern),
		});
		await pattern.prepare();
		this.#patterns.add(pattern);
		return pattern;
	}

	/**
	 * Solves a problem of which this client brings one part, and others the other parts, under the same group. The arrays of the answer are of the
	 * part's own contacts, the report is of the whole. An error of one part is the error of all.
	 */
	async solvePart(part: ProblemPart, options: ServicePartOptions): Promise<Solution> {
		checkPart(part, options);
		const { group, index, of, ...rest } = options;
		const answer = await this.#send(part, { part: { group, index, of } }, () => toPartArrays(part), rest);
		return solutionOf(answer, part.ids.length);
	}

	/** The answer of a request of this client or of an earlier one of the same name, as soon as there is one. */
	async fetch(id: string, options: { readonly signal?: AbortSignal } = {}): Promise<Solution> {
		checkName("id", id);
		return solutionOf(await this.#requests.send({ head: { type: "fetch", id }, signal: options.signal }));
	}

	/** Answers that the service need not keep any longer: those of requests with `keep`, others are forgotten when they are here. */
	forget(...ids: readonly string[]): void {
		for (const id of ids) checkName("id", id);
		this.#requests.forget(ids);
	}

	/** Ends the connection. Pending requests are rejected with the code `closed`, and continue in the service only with `keep`. */
	async close(): Promise<void> {
		await this.#requests.close();
	}

	async #solve({ problem, arrays, options, pattern }: SolveRequest): Promise<Solution> {
		const { contacts } = problem;
		checkSolveOptions(options, contacts);
		const start = reactionOf(problem, options.start);
		const { keys } = options;
		const series = options.series ?? (keys === undefined ? undefined : "default");
		const withStart = () => {
			const all = arrays();
			if (start !== undefined) all.set("start", start);
			if (keys !== undefined) all.set("keys", keys);
			return all;
		};
		const answer = await this.#send(problem, { series }, withStart, options, pattern);
		return solutionOf(answer, contacts);
	}

	#send(
		{ contacts, name }: { readonly contacts: number; readonly name?: string | undefined },
		more: Readonly<Record<string, unknown>>,
		arrays: () => NamedArrays,
		options: Omit<ServiceSolveOptions, "start">,
		pattern?: PatternState,
	): Promise<Answer> {
		const { id = this.#newId(), onProgress, signal, deadline, keep } = options;
		const own = typeof name === "string" && name !== "" ? name : undefined;
		const progress = onProgress === undefined ? undefined : true;
		return this.#requests.send({
			head: { type: "solve", id, contacts, name: own, options: sentOptions(options), progress, keep, ...more },
			arrays,
			signal,
			deadline,
			onProgress: onProgress && (({ type: _type, id: _id, ...shown }) => onProgress(shown)),
			isForgotten: keep !== true,
			...(pattern && { pattern }),
		});
	}

	#newId(): string {
		this.#count += 1;
		return `${this.#prefix}.${this.#count}`;
	}
}

/** A pattern of a service: its solves take the service's options. */
export interface ServicePattern extends PreparedPattern {
	solve(values: NewValues, options?: ServiceSolveOptions & Owned): Promise<Solution>;
	solve(values: NewValues, options: ServiceSolveOptions & View): Promise<SolutionView>;
}
