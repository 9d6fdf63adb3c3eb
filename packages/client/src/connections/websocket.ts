/** A connection over WebSocket: that of the browser, or of the package `ws`, which has the same interface. */
import { fromPacket, toFrames, toPacket } from "../protocol/index.js";
import { CONNECT_TIMEOUT_MS, type Connection, type ConnectionEvents, type ConnectionLoss } from "./connection.js";

/** What is used of a WebSocket. */
export interface WebSocketLike {
	binaryType: string;
	readonly bufferedAmount: number;
	onopen: ((event: never) => void) | null;
	onmessage: ((event: never) => void) | null;
	onerror: ((event: never) => void) | null;
	onclose: ((event: never) => void) | null;
	send(data: Uint8Array<ArrayBuffer>): void;
	close(): void;
}

/** A service that is silent for this long is sent a ping. */
const QUIET_MS = 5000;
/** A service that is silent for this long is lost. */
const SILENT_MS = 15_000;
/** How long closing waits for what was sent last. */
const CLOSE_MS = 1000;

export class WebSocketConnection implements Connection {
	readonly pieceBytes = Number.POSITIVE_INFINITY;
	readonly #socket: WebSocketLike;
	readonly #events: ConnectionEvents;
	readonly #opening: ReturnType<typeof setTimeout>;
	#watch: ReturnType<typeof setInterval> | undefined;
	#heardAt = performance.now();
	#buffered = 0;
	#isOver = false;
	#closed: (() => void) | undefined;
	#reason = "could not be reached";

	constructor(socket: WebSocketLike, events: ConnectionEvents) {
		this.#socket = socket;
		this.#events = events;
		this.#opening = setTimeout(() => this.#lose({ reason: "did not answer in time" }), CONNECT_TIMEOUT_MS);
		socket.binaryType = "arraybuffer";
		socket.onopen = () => this.#open();
		socket.onmessage = ({ data }: { data: unknown }) => this.#receive(data);
		socket.onerror = ({ message }: { message?: unknown }) => {
			if (typeof message === "string" && message !== "") this.#reason = `could not be reached (${message})`;
		};
		socket.onclose = ({ reason }: { reason?: unknown }) => {
			const said = typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
			this.#lose({ reason: this.#watch === undefined ? this.#reason : `closed the connection${said}` });
		};
	}

	send(frames: readonly Uint8Array[]): void {
		if (!this.#isOver) this.#socket.send(toPacket(frames));
	}

	close(): Promise<void> {
		if (this.#isOver) return Promise.resolve();
		this.#end();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, CLOSE_MS);
			this.#closed = () => {
				clearTimeout(timer);
				resolve();
			};
			this.#socket.close();
		});
	}

	#open(): void {
		clearTimeout(this.#opening);
		if (this.#isOver) return;
		this.#watch = setInterval(() => this.#look(), QUIET_MS / 2);
		this.#heardAt = performance.now();
		this.#events.opened();
	}

	#receive(data: unknown): void {
		this.#heardAt = performance.now();
		if (this.#isOver) return;
		let frames: Uint8Array[];
		try {
			if (!(data instanceof ArrayBuffer)) throw new Error("text");
			frames = fromPacket(new Uint8Array(data));
		} catch {
			this.#lose({ reason: "sent what is not a message of the protocol" });
			return;
		}
		this.#events.received(frames);
	}

	/** A long message that is under way shows that the other side is there, and a question would have to wait behind it. */
	#look(): void {
		const { bufferedAmount } = this.#socket;
		if (bufferedAmount !== this.#buffered) this.#heardAt = performance.now();
		this.#buffered = bufferedAmount;
		const silent = performance.now() - this.#heardAt;
		if (silent > SILENT_MS) this.#lose({ reason: `said nothing for ${SILENT_MS / 1000} s` });
		else if (silent > QUIET_MS && bufferedAmount === 0) this.send(toFrames({ type: "ping" }));
	}

	#lose(loss: ConnectionLoss): void {
		this.#closed?.();
		if (this.#isOver) return;
		this.#end();
		this.#socket.close();
		this.#events.lost(loss);
	}

	#end(): void {
		this.#isOver = true;
		clearTimeout(this.#opening);
		clearInterval(this.#watch);
	}
}
