/**
 * Requests and their answers. Each is sent when the service has room for it, and once more over the next connection where it was not answered: under the
 * same id, by which the service knows it.
 */
import { errorOf, ServiceError } from "../base/service-error.js";
import type { NamedArrays, ServiceMessage, WelcomeMessage } from "../protocol/index.js";
import { Channel, type ChannelEvents, type ChannelSettings } from "./channel.js";
import { ForgetQueue } from "./forget-queue.js";
import { arraysToSend, bytesOf, HEAD_BYTES, inWords } from "./sent-arrays.js";

export type ProgressMessage = Extract<ServiceMessage, { type: "progress" }>;
export type AnswerMessage = Extract<ServiceMessage, { type: "result" | "prepared" | "released" }>;

export interface Answer {
	readonly message: AnswerMessage;
	readonly frames: readonly Uint8Array[];
}

/** A pattern that the service knows by this name while it is ready. */
export interface PatternState {
	readonly name: string;
	readonly isReady: boolean;
}

export interface RequestOptions {
	readonly head: { readonly type: string; readonly id: string; readonly [field: string]: unknown };
	readonly arrays?: () => NamedArrays;
	/** Has to be ready before this is sent. */
	readonly pattern?: PatternState;
	readonly signal?: AbortSignal | undefined;
	/** Seconds. */
	readonly deadline?: number | undefined;
	readonly onProgress?: ((message: ProgressMessage) => void) | undefined;
	/** Whether the service may drop the answer once it is here. */
	readonly isForgotten?: boolean;
}

interface Request extends RequestOptions {
	readonly expiresAt: number;
	wasSent: boolean;
	/** While it is with the service. */
	bytes: number;
	settle(answer: Answer): void;
	fail(error: unknown): void;
}

/** The longest that a timer can be set for. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface RequestsEvents {
	/** Before anything is sent over a new connection. */
	connected(): void;
	lost(): void;
}

export class Requests implements ChannelEvents {
	failure: ServiceError | undefined;
	welcome: WelcomeMessage | undefined;
	readonly #channel: Channel;
	readonly #events: RequestsEvents;
	/** All that are not answered, by id, in the order in which they came. */
	readonly #waiting = new Map<string, Request>();
	/** Those of them that are not with the service. */
	#unsent = new Set<Request>();
	/** Of solves and patterns to be prepared, which the service has limits for. */
	#underWay = { requests: 0, bytes: 0 };
	#isDraining = false;
	readonly #forgets: ForgetQueue;
	/** Kept requests that were cancelled while there was no connection. */
	#cancels: string[] = [];
	#opened: ((error?: ServiceError) => void)[] = [];
	#isClosed = false;

	constructor(settings: ChannelSettings, events: RequestsEvents) {
		this.#channel = new Channel(settings, this);
		this.#events = events;
		// Answers that cannot be released now expire by themselves.
		this.#forgets = new ForgetQueue((ids) => {
			if (this.#channel.isReady) this.#channel.send({ type: "forget", ids });
		});
	}

	/** Resolves when the service has said welcome. */
	open(seconds: number): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#opened.push((error) => (error === undefined ? resolve() : reject(error)));
			this.#channel.start(seconds);
		});
	}

	send(options: RequestOptions): Promise<Answer> {
		const { head, signal, deadline } = options;
		if (this.#isClosed) return Promise.reject(closed());
		if (signal?.aborted) return Promise.reject(cancelled(head.id));
		if (this.#waiting.has(head.id)) {
			const remedy = "give each request an id of its own";
			return Promise.reject(new ServiceError("bad-input", "id", `${head.id} is under way already`, remedy));
		}
		return new Promise((resolve, reject) => {
			const expiresAt = deadline === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * deadline;
			const abort = () => this.#cancel(request);
			const timer = deadline === undefined ? undefined : setTimeout(() => this.#expire(request), delay(deadline));
			const end = () => {
				signal?.removeEventListener("abort", abort);
				clearTimeout(timer);
				this.#remove(request);
			};
			const settle = (answer: Answer) => {
				end();
				resolve(answer);
			};
			const fail = (error: unknown) => {
				end();
				reject(error);
			};
			const request: Request = { ...options, expiresAt, wasSent: false, bytes: 0, settle, fail };
			signal?.addEventListener("abort", abort, { once: true });
			this.#waiting.set(head.id, request);
			this.#unsent.add(request);
			this.#channel.start();
			if (isLimited(request)) this.pump();
			else if (this.#channel.isReady) this.#sendWhereRoom(request);
		});
	}

	/** Sends what the service has room for. */
	pump(): void {
		if (!this.#channel.isReady || this.#isDraining) return;
		for (const request of this.#unsent) {
			if (request.pattern?.isReady === false) continue;
			if (!this.#sendWhereRoom(request)) break;
		}
	}

	forget(ids: readonly string[]): void {
		this.#forgets.add(ids);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#rejectAll(closed());
		this.#forgets.flush();
		await this.#channel.close();
	}

	ready(welcome: WelcomeMessage): void {
		this.failure = undefined;
		this.welcome = welcome;
		this.#isDraining = false;
		for (const id of this.#cancels.splice(0)) this.#channel.send({ type: "cancel", id });
		for (const resolve of this.#opened.splice(0)) resolve();
		this.#events.connected();
		for (const request of this.#unsent) if (!isLimited(request)) this.#sendWhereRoom(request);
		this.pump();
	}

	received(message: ServiceMessage, frames: readonly Uint8Array[]): void {
		if (message.type === "bye") this.#isDraining = true;
		const request = "id" in message && message.id !== undefined ? this.#waiting.get(message.id) : undefined;
		if (request === undefined) return;
		switch (message.type) {
			case "progress":
				this.#show(request, message);
				return;
			case "error":
				if (message.code === "draining") {
					this.#hold(request);
					return;
				}
				request.fail(errorOf(message));
				break;
			case "result":
			case "prepared":
			case "released":
				request.settle({ message, frames });
		}
		if (request.isForgotten === true) this.forget([request.head.id]);
		this.pump();
	}

	lost(): void {
		this.#unsent = new Set(this.#waiting.values());
		this.#underWay = { requests: 0, bytes: 0 };
		this.#events.lost();
	}

	failed(error: ServiceError): void {
		this.failure = error;
		this.#underWay = { requests: 0, bytes: 0 };
		this.#events.lost();
		for (const reject of this.#opened.splice(0)) reject(error);
		this.#rejectAll(error);
	}

	/** False where there is no room. A request that cannot be sent is rejected, and the others are sent. */
	#sendWhereRoom(request: Request): boolean {
		try {
			const arrays = arraysToSend(request.arrays);
			const bytes = bytesOf(arrays);
			if (isLimited(request) && !this.#hasRoomFor(bytes)) return false;
			inWords(() => this.#send(request, bytes, arrays));
		} catch (error) {
			request.fail(error);
		}
		return true;
	}

	#hasRoomFor(bytes: number): boolean {
		const { limits } = this.welcome!;
		const { requests, bytes: before } = this.#underWay;
		return requests === 0 || (requests < limits.requests && before + bytes <= limits.bytes);
	}

	#send(request: Request, bytes: number, arrays: NamedArrays | undefined): void {
		const { head, pattern, expiresAt } = request;
		const { message } = this.welcome!.limits;
		if (bytes - HEAD_BYTES > message) {
			const remedy = "send it in parts, or start the service with a larger --limit-message";
			request.fail(new ServiceError("too-large", "message", `has ${bytes} bytes, and ${message} are the most`, remedy));
			return;
		}
		const left = (expiresAt - performance.now()) / 1000;
		if (left <= 0) {
			this.#expire(request);
			return;
		}
		this.#unsent.delete(request);
		request.bytes = bytes;
		request.wasSent = true;
		this.#count(request, 1);
		const deadline = left === Number.POSITIVE_INFINITY ? undefined : left;
		this.#channel.send({ ...head, pattern: pattern?.name ?? head.pattern, deadline }, arrays);
	}

	/** A caller that does not want to see it does not want the answer. */
	#show(request: Request, message: ProgressMessage): void {
		try {
			request.onProgress?.(message);
		} catch (error) {
			this.#cancel(request);
			request.fail(error);
		}
	}

	/** The service is about to end: whoever listens there next gets it. */
	#hold(request: Request): void {
		this.#isDraining = true;
		this.#unsent.add(request);
		this.#count(request, -1);
	}

	/** A sent request ends in the service, with the best answer so far. */
	#expire(request: Request): void {
		if (this.#channel.isReady && !this.#unsent.has(request)) return;
		const remedy = "allow more seconds, or look why the service is busy";
		request.fail(new ServiceError("deadline", "deadline", "was over before the request had begun", remedy));
	}

	#cancel(request: Request): void {
		const { id } = request.head;
		const isThere = !this.#unsent.has(request);
		if (isThere && this.#channel.isReady) {
			this.#channel.send({ type: "cancel", id });
			return;
		}
		if (request.wasSent) this.#cancels.push(id);
		request.fail(cancelled(id));
	}

	#remove(request: Request): void {
		if (!this.#waiting.delete(request.head.id)) return;
		if (!this.#unsent.delete(request)) this.#count(request, -1);
	}

	#count(request: Request, sign: 1 | -1): void {
		if (!isLimited(request)) return;
		this.#underWay.requests += sign;
		this.#underWay.bytes += sign * request.bytes;
	}

	#rejectAll(error: ServiceError): void {
		for (const request of [...this.#waiting.values()]) request.fail(error);
		this.#underWay = { requests: 0, bytes: 0 };
	}
}

const delay = (seconds: number) => Math.min(Math.ceil(1000 * seconds), TIMER_MS_MAX);

const closed = () => new ServiceError("closed", "client", "was closed", "open another one");

/** Ended by the caller, before it began. */
const cancelled = (id: string) =>
	new ServiceError("cancelled", id, "was cancelled before it had begun", "send it again if its answer is wanted");

const isLimited = ({ head }: Request) => head.type === "solve" || head.type === "prepare";
