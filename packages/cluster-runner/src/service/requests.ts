/** The requests of all clients: from their message over the queue and the ranks to their answer, which is sent, and kept for a while. */
import { arraysOf, type Limits, type PrepareMessage, type SolveMessage, toFrames } from "@stickslip/client/protocol";
import type { Progress } from "@stickslip/core";
import type { Client } from "./client.js";
import type { Connection, Frames } from "./connection.js";
import { bytesOf } from "./kept-answers.js";
import { Pattern } from "./patterns.js";
import { Request, type RequestOptions } from "./request.js";
import { RequestError, requestError } from "./request-error.js";
import { Scheduler } from "./scheduler.js";
import type { SessionKeeper } from "./session-keeper.js";
import { patternWork, prepareWork, solveWork, type Work } from "./work.js";

/** The longest that timers wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const NO_OPTIONS: RequestOptions = { keep: false, progress: false, deadline: undefined };

export class Requests {
	readonly #scheduler: Scheduler;
	readonly #limits: Limits;
	#isDraining = false;
	#onIdle: () => void = () => {};

	constructor(keeper: SessionKeeper, limits: Limits, log: (line: string) => void) {
		this.#limits = limits;
		const onBug = (bug: unknown) => log(`a bug: ${bug instanceof Error ? bug.stack : String(bug)}`);
		this.#scheduler = new Scheduler(keeper, {
			progress: sendProgress,
			answered: (request, { frames }) => this.#end(request, frames),
			failed: (request, error) => this.#end(request, requestError(error, onBug).toFrames(request.id)),
			idle: () => this.#onIdle(),
		});
	}

	get isDraining(): boolean {
		return this.#isDraining;
	}

	/** A request that was sent before is not solved again. Throws a RequestError, InputError or FrameError for what cannot be one. */
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
			const pattern = new Pattern(message.pattern, message.contacts, arrays);
			client.prepare(pattern);
			this.#queue(connection, new Request(client, id, bytes, prepareWork(id, pattern), NO_OPTIONS));
			return;
		}
		const rules = { client: client.name, secondsMax: this.#limits.seconds };
		const { pattern, keep = false, progress = false, deadline } = message;
		const work: Work =
			pattern === undefined
				? solveWork(message, arrays, rules)
				: patternWork(message, arrays, client.pattern(pattern), rules);
		this.#queue(connection, new Request(client, id, bytes, work, { keep, progress, deadline }));
	}

	/** Sends the answer as soon as there is one. Throws a RequestError for a request that is not known. */
	fetch(connection: Connection, client: Client, id: string): void {
		if (this.#isKnown(connection, client, id)) return;
		throw new RequestError("unknown-request", "id", "there is no request of this id", "send it again");
	}

	cancel(connection: Connection, client: Client, id: string): void {
		this.fetch(connection, client, id);
		const request = client.requests.get(id);
		if (request === undefined) return;
		request.cancel();
		if (!this.#scheduler.remove(request)) return;
		const error = new RequestError("cancelled", "id", "was cancelled before it had begun", "send it under another id");
		this.#end(request, error.toFrames(id));
	}

	/** A connection is lost: its requests end, or go on without it. */
	lose(connection: Connection, client: Client): void {
		for (const request of [...client.requests.values()]) {
			if (request.connection !== connection || request.state === "ended") continue;
			request.connection = undefined;
			if (request.options.keep) continue;
			request.end();
			request.cancel();
			client.settle(request);
			this.#scheduler.remove(request);
		}
	}

	/** Takes no more of them; resolves when all that came before are answered. What has not begun after so many seconds is refused, the rest cancelled. */
	async drain(clients: Iterable<Client>, seconds: number): Promise<void> {
		this.#isDraining = true;
		const idle = new Promise<void>((resolve) => {
			this.#onIdle = resolve;
			if (this.#scheduler.waiting === 0 && this.#scheduler.running === 0) resolve();
		});
		const late = new RequestError("draining", "id", "the service has ended", "send it to another, or later");
		const end = () => {
			for (const request of [...clients].flatMap(({ requests }) => [...requests.values()])) {
				request.cancel();
				if (this.#scheduler.remove(request)) this.#end(request, late.toFrames(request.id));
			}
		};
		const timer = setTimeout(end, 1000 * seconds);
		await idle;
		clearTimeout(timer);
	}

	#queue(connection: Connection, request: Request): void {
		const { client, id, options } = request;
		request.connection = connection;
		client.requests.set(id, request);
		this.#scheduler.add(request);
		if (options.deadline === undefined || request.state !== "waiting") return;
		const late = new RequestError("deadline", "deadline", "is over, and it has not begun", "allow more time");
		const end = () => {
			if (this.#scheduler.remove(request)) this.#end(request, late.toFrames(id));
		};
		request.timer = setTimeout(end, Math.min(1000 * options.deadline, TIMER_MS_MAX));
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

	/** Its place is free when the answer is with the system: who does not read answers cannot send more requests. */
	#end(request: Request, answer: Frames): void {
		if (request.state === "ended") return;
		request.end();
		const { client, connection, id } = request;
		client.kept.put(id, answer);
		if (connection === undefined) client.settle(request);
		else void connection.send(answer).then(() => client.settle(request));
	}
}

function sendProgress({ connection, id }: Request, progress: Progress): void {
	// What the connection does not take yet would be old when it arrives.
	if (connection === undefined || connection.waiting > 0) return;
	const { iterations, products, error, exact, seconds, method } = progress;
	void connection.send(toFrames({ type: "progress", id, iterations, products, error, exact, seconds, method }));
}
