/** The seam between the service and what carries its messages: a listener reports connections, and messages as lists of frames. */
import type { FrameError } from "@stickslip/client/protocol";

export type Frames = readonly Uint8Array[];

export interface Connection {
	/** For logs and errors. */
	readonly peer: string;
	/** Messages that have not been handed to the system yet. */
	readonly waiting: number;
	/** Resolves to true when the message has been handed to the system, to false when the connection was closed before. */
	send(frames: Frames): Promise<boolean>;
	/** Its client has said hello: limits for strangers end. */
	admit(): void;
	/** Sends what is waiting and closes; nothing is reported afterwards. */
	close(): void;
}

export interface ConnectionEvents {
	received(connection: Connection, frames: Frames): void;
	/** Bytes that are no list of frames. */
	garbled(connection: Connection, error: FrameError): void;
	closed(connection: Connection): void;
}

/** What a client knows before it is one: ZeroMQ's clients prove that they have a key that the service knows. */
export interface Listener {
	/** What clients connect to. */
	readonly address: string;
	/** Handshakes that failed, by the reason. */
	readonly refused: ReadonlyMap<string, number>;
	/** Resolves when nothing listens any more and all connections are closed. */
	close(): Promise<void>;
}
