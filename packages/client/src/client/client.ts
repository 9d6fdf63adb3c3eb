/** A session whose ranks are those of a service: what it solves, and how, is as in any other session. */
import type {
	NewValues,
	PreparedPattern,
	Problem,
	Report,
	Session,
	Solution,
	SolutionView,
	SolveOptions,
} from "@stickslip/core";
import { ServiceError } from "../base/service-error.js";
import { arraysOf, FrameError, type NamedArrays, toArrays } from "../protocol/index.js";
import type { ChannelSettings } from "./channel.js";
import {
	checkName,
	checkProblem,
	checkSolveOptions,
	reactionOf,
	type ServiceSolveOptions,
	sentOptions,
} from "./options.js";
import { Pattern, type SolveRequest } from "./pattern.js";
import { type Answer, type RequestOptions, Requests } from "./requests.js";

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

	/** Why there is no connection, after it was tried for long enough. The next request tries again. */
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

	/** Ends the connection. What is under way is rejected with the code `closed`, and goes on in the service only where it has `keep`. */
	async close(): Promise<void> {
		await this.#requests.close();
	}

	async #solve({ problem, arrays, options, pattern }: SolveRequest): Promise<Solution> {
		const { contacts, name } = problem;
		checkSolveOptions(options, contacts);
		const start = reactionOf(problem, options.start);
		const { keys, onProgress, signal, deadline, keep } = options;
		const series = options.series ?? (keys === undefined ? undefined : "default");
		const withStart = () => {
			const all = arrays();
			if (start !== undefined) all.set("start", start);
			if (keys !== undefined) all.set("keys", keys);
			return all;
		};
		const id = options.id ?? this.#newId();
		const head = {
			type: "solve",
			id,
			contacts,
			name: typeof name === "string" && name !== "" ? name : undefined,
			options: sentOptions(options),
			progress: onProgress === undefined ? undefined : true,
			keep,
			series,
		};
		const answer = await this.#requests.send({
			head,
			arrays: withStart,
			signal,
			deadline,
			onProgress: onProgress && (({ type: _type, id: _id, ...progress }) => onProgress(progress)),
			isForgotten: keep !== true,
			...(pattern && { pattern }),
		});
		return solutionOf(answer, contacts);
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

/** Of a request that was fetched nobody here knows the number of contacts, but the report does. */
function solutionOf({ message, frames }: Answer, contacts?: number): Solution {
	const refuse = (problem: string) =>
		new ServiceError("internal", "result", problem, "look whether client and service are of the same version");
	if (message.type !== "result") throw refuse(`is ${message.type}`);
	const report = message.report as Report;
	let arrays: NamedArrays;
	try {
		arrays = arraysOf(message.arrays, frames);
	} catch (error) {
		throw error instanceof FrameError ? refuse(error.message) : error;
	}
	const numbers = 3 * (contacts ?? report.contacts);
	const take = (name: string, length?: number): Float64Array => {
		const array = arrays.get(name);
		if (!(array instanceof Float64Array) || (length !== undefined && array.length !== length)) {
			throw refuse(`has no ${name} of ${length ?? "f64"} numbers`);
		}
		return owned(array);
	};
	return {
		reaction: take("reaction", numbers),
		velocity: take("velocity", numbers),
		multiplier: arrays.has("multiplier") ? take("multiplier") : new Float64Array(0),
		report,
	};
}

/** Small arrays may stand in memory that Node.js uses for others too. */
const SMALL_BYTES = 16_384;

function owned(array: Float64Array): Float64Array {
	return array.byteLength < SMALL_BYTES && array.byteLength < array.buffer.byteLength ? array.slice() : array;
}
