/** The requests of all clients: from their message through the queue and the ranks to their answer, which is sent, and kept for a while. */
import { arraysOf, type Limits, type PrepareMessage, type SolveMessage, toFrames } from "@stickslip/client/protocol";
import type { Progress } from "@stickslip/core";
import type { Client } from "./client.js";
import type { Connection, Frames } from "./connection.js";
import { bytesOf } from "./kept-answers.js";
import { PartGroups } from "./part-groups.js";
import { Pattern } from "./patterns.js";
import { Request, type RequestOptions } from "./request.js";
import { RequestError, requestError } from "./request-error.js";
import { Scheduler } from "./scheduler.js";
import type { SessionKeeper } from "./session-keeper.js";
import type { Statistics } from "./statistics.js";
import { type Answer, patternWork, preparedMessage, prepareWork, type SolveRules, solveWork } from "./work.js";

/** The longest that timers wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Memory of a warm start: for itself, and for each of its contacts a key and a reaction. */
const SERIES_BYTES = 1024;
const CONTACT_BYTES = 32;

const LATE = new RequestError("deadline", "deadline", "is over, and it has not begun", "allow more time");
const CANCELLED = new RequestError("cancelled", "id", "was cancelled before it had begun", "send it under another id");

export interface RequestsOptions {
	readonly keeper: SessionKeeper;
	readonly limits: Limits;
	readonly statistics: Statistics;
	readonly onBug: (bug: unknown) => void;
	/** How long the parts of a problem wait for one another. */
	readonly partSeconds?: number | undefined;
}

const NO_OPTIONS: RequestOptions = { keep: false, progress: false, deadline: undefined };

export class Requests {
	readonly #scheduler: Scheduler;
	readonly #limits: Limits;
	readonly #statistics: Statistics;
	readonly #onBug: (bug: unknown) => void;
	readonly #groups: PartGroups;
	#isDraining = false;
	#onIdle: () => void = () => {};

	constructor({ keeper, limits, statistics, onBug, partSeconds }: RequestsOptions) {
		this.#limits = limits;
		this.#statistics = statistics;
		this.#onBug = onBug;
		this.#scheduler = new Scheduler(keeper, {
			progress: sendProgress,
			answered: (request, answer) => this.#answer(request, answer),
			failed: (request, error) => this.#refuse(request, error),
			spent: (request, seconds) => statistics.spend(request.client.name, seconds),
			idle: () => this.#onIdle(),
		});
		const partEvents = {
			complete: (requests: readonly Request[]) => {
				for (const request of requests) if (request.state === "waiting") this.#scheduler.add(request);
			},
			failed: (requests: readonly Request[], error: unknown) => {
				for (const request of requests) this.#refuse(request, error);
			},
		};
		this.#groups = new PartGroups(keeper, partEvents, partSeconds);
	}

	get isDraining(): boolean {
		return this.#isDraining;
	}

	get waiting(): number {
		return this.#scheduler.waiting;
	}

	get running(): number {
		return this.#scheduler.running;
	}

	/** A request that was sent before is not solved again. Throws a RequestError, InputError or FrameError for an invalid one. */
	add(connection: Connection, client: Client, message: SolveMessage | PrepareMessage, frames: Frames): void {
		const { id } = message;
		if (this.#isKnown(connection, client, id)) return;
		if (this.#isDraining) {
			throw new RequestError("draining", "id", "the service takes no more requests", "send it to another, or later");
		}
		const bytes = bytesOf(frames);
		client.admit(bytes);
		const arrays = arraysOf(message.arrays, frames);
		if (message.type === "prepare") {
			const pattern = new Pattern(message.pattern, message.contacts, arrays, connection);
			client.prepare(pattern);
			// Without values there is nothing to do before the first solve.
			if (!pattern.isWhole) void connection.send(preparedMessage(id, pattern));
			else {
				const options = { ...NO_OPTIONS, pattern };
				this.#queue(connection, new Request(client, id, bytes, prepareWork(id, pattern), options));
			}
			return;
		}
		const rules = rulesOf(client, this.#limits);
		const { pattern: name, part, keep = false, progress = false, deadline } = message;
		const options = { keep, progress, deadline };
		if (part !== undefined) {
			const { work, join } = this.#groups.enter(message, arrays, rules);
			const request = new Request(client, id, bytes, work, options);
			this.#register(connection, request);
			join(request);
			return;
		}
		const pattern = name === undefined ? undefined : client.pattern(name);
		const work =
			pattern === undefined ? solveWork(message, arrays, rules) : patternWork(message, arrays, pattern, rules);
		this.#queue(connection, new Request(client, id, bytes, work, { ...options, pattern }));
	}

	/** Sends the answer as soon as there is one. Throws a RequestError for an unknown request. */
	fetch(connection: Connection, client: Client, id: string): void {
		if (this.#isKnown(connection, client, id)) return;
		throw new RequestError("unknown-request", "id", "there is no request of this id", "send it again");
	}

	cancel(connection: Connection, client: Client, id: string): void {
		this.fetch(connection, client, id);
		const request = client.requests.get(id);
		if (request === undefined) return;
		request.cancel();
		if (!this.#withdraw(request)) return;
		this.#refuse(request, CANCELLED);
	}

	/** A connection is lost: its patterns are released; its requests end, or continue without it. */
	lose(connection: Connection, client: Client): void {
		for (const { name, connection: owner } of [...client.patterns.values()]) {
			if (owner === connection) client.release(name);
		}
		for (const request of [...client.requests.values()]) {
			if (request.connection !== connection || request.state === "ended") continue;
			request.connection = undefined;
			if (request.options.keep) continue;
			request.end();
			request.cancel();
			client.settle(request);
			this.#withdraw(request);
		}
	}

	/**
	 * Accepts no more requests; resolves when all earlier ones are answered. After this many seconds those that have not begun are refused, and the others
	 * cancelled.
	 */
	async drain(clients: Iterable<Client>, seconds: number): Promise<void> {
		this.#isDraining = true;
		const remedy = "send all parts to another service, or later";
		this.#groups.end(new RequestError("draining", "part", "the service ends before all parts have come", remedy));
		const idle = new Promise<void>((resolve) => {
			this.#onIdle = resolve;
			if (this.#scheduler.waiting === 0 && this.#scheduler.running === 0) resolve();
		});
		const late = new RequestError("draining", "id", "the service has ended", "send it to another, or later");
		const end = () => {
			for (const request of [...clients].flatMap(({ requests }) => [...requests.values()])) {
				request.cancel();
				if (this.#withdraw(request)) this.#refuse(request, late);
			}
		};
		const timer = setTimeout(end, 1000 * seconds);
		await idle;
		clearTimeout(timer);
	}

	#queue(connection: Connection, request: Request): void {
		this.#register(connection, request);
		this.#scheduler.add(request);
	}

	#register(connection: Connection, request: Request): void {
		const { client, options } = request;
		request.connection = connection;
		client.begin(request);
		if (options.deadline === undefined) return;
		const end = () => {
			if (this.#withdraw(request)) this.#refuse(request, LATE);
		};
		request.timer = setTimeout(end, Math.min(1000 * options.deadline, TIMER_MS_MAX));
	}

	/** False for a request that ranks have begun. */
	#withdraw(request: Request): boolean {
		return this.#scheduler.remove(request) || this.#groups.leave(request);
	}

	/** Whether a request of this id was sent before: its answer then goes to this connection. */
	#isKnown(connection: Connection, { requests, kept }: Client, id: string): boolean {
		const request = requests.get(id);
		if (request !== undefined && request.state !== "ended") {
			request.connection = connection;
			return true;
		}
		const answer = kept.get(id);
		if (answer !== undefined) void connection.send(answer);
		return answer !== undefined;
	}

	/** A request that was cancelled or late while it waited for its rank has not begun either. */
	#answer(request: Request, { frames, outcome, isUnbegun }: Answer): void {
		if (isUnbegun && outcome === "cancelled") this.#refuse(request, CANCELLED);
		else if (isUnbegun && outcome === "time-limit" && request.left === 0) this.#refuse(request, LATE);
		else this.#end(request, frames, outcome);
	}

	#refuse(request: Request, error: unknown): void {
		const refused = requestError(error, this.#onBug);
		this.#end(request, refused.toFrames(request.id), refused.code);
	}

	/** Its place is freed when the answer has been passed to the system: a client that does not read answers cannot send more requests. */
	#end(request: Request, answer: Frames, outcome: string): void {
		if (request.state === "ended") return;
		request.end();
		const { client, connection, id } = request;
		this.#statistics.count(client.name, outcome, (performance.now() - request.arrived) / 1000);
		client.kept.put(id, answer);
		if (connection === undefined) {
			client.settle(request);
			return;
		}
		client.leave(request);
		void connection.send(answer).then(() => client.settle(request));
	}
}

function rulesOf(client: Client, { seconds }: Limits): SolveRules {
	return {
		client: client.name,
		secondsMax: seconds,
		remembered: (series, contacts, session) => {
			const bytes = SERIES_BYTES + CONTACT_BYTES * contacts;
			client.kept.putSeries(series, bytes, () => session.forgetSeries?.(series));
		},
	};
}

function sendProgress({ connection, id }: Request, progress: Progress): void {
	// Progress that the connection cannot send yet would be outdated when it arrives.
	if (connection === undefined || connection.waiting > 0) return;
	const { iterations, products, error, exact, seconds, method } = progress;
	void connection.send(toFrames({ type: "progress", id, iterations, products, error, exact, seconds, method }));
}
