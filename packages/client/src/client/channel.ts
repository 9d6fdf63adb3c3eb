/** A conversation with the service over any number of connections: each begins with hello, and a lost one is followed by another. */
import { errorOf, ServiceError } from "../base/service-error.js";
import type { Connection, ConnectionLoss, OpenConnection } from "../connections/connection.js";
import {
	checkHead,
	FrameError,
	headOf,
	type NamedArrays,
	type ServiceMessage,
	serviceMessages,
	toFrames,
	VERSION,
	type WelcomeMessage,
} from "../protocol/index.js";

export interface ChannelEvents {
	/** A connection is there and hello was answered. Nothing that was sent before is under way any more. */
	ready(welcome: WelcomeMessage): void;
	received(message: ServiceMessage, frames: readonly Uint8Array[]): void;
	/** The connection is lost, and another one is being tried. */
	lost(): void;
	/** There is no connection, and none will be tried until `start` is called. */
	failed(error: ServiceError): void;
}

export interface ChannelSettings {
	readonly open: OpenConnection;
	/** For messages. */
	readonly address: string;
	/** The remedy if the service cannot be reached. */
	readonly remedy: string;
	readonly token: string;
	/** Name and version of this client, for the service's log. */
	readonly client: string;
	/** How long to try to connect. */
	readonly retrySeconds: number;
}

const WELCOME_MS = 10_000;
/** Between two attempts, twice as long each time. */
const PAUSE_MS = 50;
const PAUSE_MS_MAX = 2000;

type State = "idle" | "opening" | "ready" | "pausing";

export class Channel {
	readonly #settings: ChannelSettings;
	readonly #events: ChannelEvents;
	#connection: Connection | undefined;
	#state: State = "idle";
	/** Of the attempts that are made now. */
	#until = 0;
	#pause = PAUSE_MS;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#isClosed = false;

	constructor(settings: ChannelSettings, events: ChannelEvents) {
		this.#settings = settings;
		this.#events = events;
	}

	get isReady(): boolean {
		return this.#state === "ready";
	}

	/** Tries to connect for this many seconds; does nothing if it is connected or trying. */
	start(seconds = this.#settings.retrySeconds): void {
		if (this.#state !== "idle" || this.#isClosed) return;
		this.#until = performance.now() + 1000 * seconds;
		this.#pause = PAUSE_MS;
		this.#open();
	}

	/** Only while it is ready. */
	send(head: Readonly<Record<string, unknown>>, arrays?: NamedArrays): void {
		const connection = this.#connection;
		connection?.send(toFrames(head, arrays, connection.pieceBytes));
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		clearTimeout(this.#timer);
		this.#state = "idle";
		await this.#connection?.close();
	}

	#open(): void {
		this.#state = "opening";
		let isOver = false;
		const { open, client, token } = this.#settings;
		const lost = (loss: ConnectionLoss) => {
			if (isOver) return;
			isOver = true;
			this.#lost(loss);
		};
		const connection = open({
			opened: () => {
				this.#timer = setTimeout(() => drop("did not answer hello"), WELCOME_MS);
				connection.send(toFrames({ type: "hello", version: VERSION, client, token }));
			},
			received: (frames) => {
				if (isOver) return;
				const message = read(frames);
				if (typeof message === "string") drop(message);
				else if (!this.#heard(message, drop)) this.#events.received(message, frames);
			},
			lost,
		});
		this.#connection = connection;
		const drop = (reason: string) => {
			void connection.close();
			lost({ reason });
		};
	}

	/** Takes what concerns the connection itself. */
	#heard(message: ServiceMessage, drop: (reason: string) => void): boolean {
		if (message.type === "welcome") {
			clearTimeout(this.#timer);
			this.#state = "ready";
			this.#events.ready(message);
			return true;
		}
		if (message.type === "error" && message.id === undefined) {
			// A service that was started again does not know this connection.
			if (this.isReady && message.code === "unauthorized") drop("was started again");
			else this.#fail(errorOf(message));
			return true;
		}
		if (message.type === "ping") this.send({ type: "pong" });
		return message.type === "ping" || message.type === "pong";
	}

	#lost({ reason, isRefusal }: ConnectionLoss): void {
		clearTimeout(this.#timer);
		this.#connection = undefined;
		if (this.#isClosed || this.#state === "idle") return;
		if (this.isReady) {
			this.#until = performance.now() + 1000 * this.#settings.retrySeconds;
			this.#pause = PAUSE_MS;
			this.#state = "pausing";
			this.#events.lost();
		}
		const { address, remedy } = this.#settings;
		if (isRefusal) {
			this.#fail(new ServiceError("unauthorized", address, reason, "use the connection file that the service wrote"));
		} else if (performance.now() + this.#pause > this.#until) {
			this.#fail(new ServiceError("unreachable", address, reason, remedy));
		} else {
			this.#state = "pausing";
			// So that the clients of a lost service do not all reconnect at once.
			this.#timer = setTimeout(() => this.#open(), this.#pause * (0.5 + randomByte() / 512));
			this.#pause = Math.min(2 * this.#pause, PAUSE_MS_MAX);
		}
	}

	#fail(error: ServiceError): void {
		clearTimeout(this.#timer);
		this.#state = "idle";
		void this.#connection?.close();
		this.#connection = undefined;
		this.#events.failed(error);
	}
}

/** The message, or what is wrong with it. */
function read(frames: readonly Uint8Array[]): ServiceMessage | string {
	try {
		const message = checkHead(serviceMessages, headOf(frames));
		return "fault" in message ? `sent a message whose ${message.fault.field} ${message.fault.message}` : message;
	} catch (error) {
		if (error instanceof FrameError) return `sent a message whose ${error.message}`;
		throw error;
	}
}

function randomByte(): number {
	return crypto.getRandomValues(new Uint8Array(1))[0]!;
}
