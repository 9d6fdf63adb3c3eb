/** A client of the service, over all of its connections: its pending requests, its patterns, and its kept answers. */
import type { Limits } from "@stickslip/client/protocol";
import type { Connection } from "./connection.js";
import { type KeepLimits, KeptAnswers } from "./kept-answers.js";
import type { Pattern } from "./patterns.js";
import type { Request } from "./request.js";
import { RequestError } from "./request-error.js";
import { Traffic } from "./traffic.js";

const PATTERNS_MAX = 64;
const CONNECTIONS_MAX = 64;
/** A client that has been without a connection for this long does not come back for its warm starts. */
const GONE_MS = 10_000;

export class Client {
	readonly connections = new Set<Connection>();
	readonly #requests = new Map<string, Request>();
	#requestBytes = 0;
	/** Those whose answers are being sent. */
	readonly #leaving = new Set<Request>();
	#leavingBytes = 0;
	readonly patterns = new Map<string, Pattern>();
	readonly kept: KeptAnswers;
	/** Traffic of all its connections. */
	readonly traffic: Traffic;
	readonly #limits: Limits;
	/** When its last connection ended. */
	#goneAt = performance.now();

	constructor(
		readonly name: string,
		limits: Limits,
		keep: KeepLimits,
	) {
		this.#limits = limits;
		this.kept = new KeptAnswers(keep);
		this.traffic = new Traffic(limits.bytes);
	}

	/** Pending requests by id: their answers have not been passed to the system yet. */
	get requests(): ReadonlyMap<string, Request> {
		return this.#requests;
	}

	/** Bytes of pending requests and patterns. */
	get bytes(): number {
		let bytes = this.#requestBytes;
		for (const pattern of this.patterns.values()) bytes += pattern.bytes;
		return bytes;
	}

	/** Throws a RequestError if the client has too many connections. */
	connect(connection: Connection): void {
		if (this.connections.size >= CONNECTIONS_MAX && !this.connections.has(connection)) {
			throw new RequestError(
				"too-many",
				"hello",
				`${this.name} has ${CONNECTIONS_MAX} connections`,
				"close some of them",
			);
		}
		this.connections.add(connection);
	}

	disconnect(connection: Connection): void {
		this.connections.delete(connection);
		this.#goneAt = performance.now();
	}

	/** Forgets what has expired, and the warm starts of a client that is gone. */
	sweep(): void {
		this.kept.sweep();
		if (this.connections.size === 0 && performance.now() - this.#goneAt > GONE_MS) this.kept.forgetSeries();
	}

	/**
	 * Throws a RequestError if there is no room for a request of this many bytes. A client that has read an answer may send the next request before the
	 * system reports that the answer was sent, so answers being sent do not count, and neither do messages that are still arriving. With them a client is
	 * limited to twice the limit.
	 */
	admit(bytes: number): void {
		const { requests, bytes: bytesMax, message } = this.#limits;
		if (bytes > message) {
			throw new RequestError(
				"too-large",
				"message",
				`has ${bytes} bytes, and ${message} are the most`,
				"send it in parts, or start the service with a larger --limit-message",
			);
		}
		const isOver = (all: number, leaving: number, most: number) => all - leaving > most || all > 2 * most;
		if (isOver(this.requests.size + 1, this.#leaving.size, requests)) {
			throw new RequestError(
				"too-many",
				"id",
				`${requests} requests are under way`,
				"wait for an answer, or start the service with a larger --limit-requests",
			);
		}
		const { arriving, unread } = this.traffic;
		const all = this.bytes + bytes + arriving + unread;
		if (isOver(all, this.#leavingBytes + arriving + unread, bytesMax)) {
			const problem = `with it ${all} bytes were under way, and ${bytesMax} are the most`;
			const remedy = "wait for answers, release patterns, or start the service with a larger --limit-bytes";
			throw new RequestError("too-large", "message", problem, remedy);
		}
	}

	/** Throws a RequestError if there is none of this name. */
	pattern(name: string): Pattern {
		const pattern = this.patterns.get(name);
		if (pattern !== undefined) return pattern;
		const problem = `there is no pattern ${name}: it was released, or not prepared over this connection`;
		throw new RequestError("unknown-pattern", "pattern", problem, "prepare it again");
	}

	prepare(pattern: Pattern): void {
		if (!this.patterns.has(pattern.name) && this.patterns.size >= PATTERNS_MAX) {
			throw new RequestError("too-many", "pattern", `${PATTERNS_MAX} patterns are prepared`, "release one of them");
		}
		this.patterns.get(pattern.name)?.release();
		this.patterns.set(pattern.name, pattern);
	}

	release(name: string): void {
		this.pattern(name).release();
		this.patterns.delete(name);
	}

	begin(request: Request): void {
		this.#requests.set(request.id, request);
		this.#requestBytes += request.bytes;
	}

	/** It is answered, but the answer has not been passed to the system yet. */
	leave(request: Request): void {
		this.#leaving.add(request);
		this.#leavingBytes += request.bytes;
	}

	/** Frees its place: the answer has been passed to the system, or is no longer wanted. */
	settle(request: Request): void {
		if (this.#requests.get(request.id) === request) this.#requests.delete(request.id);
		this.#requestBytes -= request.bytes;
		if (this.#leaving.delete(request)) this.#leavingBytes -= request.bytes;
	}
}
