/** The interface between the service and its transports: a listener reports connections, and messages as lists of frames. */
import type { FrameError } from "@stickslip/client/protocol";

export type Frames = readonly Uint8Array[];

export interface Connection {
	/** For logs and errors. */
	readonly peer: string;
	/** Messages that have not been handed to the system yet. */
	readonly waiting: number;
	/** Resolves to true when the message has been handed to the system, to false when the connection was closed before. */
	send(frames: Frames): Promise<boolean>;
	/** Its client has sent hello: limits for strangers no longer apply. */
	admit(): void;
	/** Sends pending messages and closes; nothing is reported afterwards. */
	close(): void;
}

export interface ConnectionEvents {
	received(connection: Connection, frames: Frames): void;
	/** Bytes that are not a list of frames. */
	garbled(connection: Connection, error: FrameError): void;
	closed(connection: Connection): void;
}

/** What is known of a client before its hello: ZeroMQ clients have proved that they have a key that the service knows. */
export interface Listener {
	/** What clients connect to. */
	readonly address: string;
	/** Handshakes that failed, by the reason. */
	readonly refused: ReadonlyMap<string, number>;
	/** Resolves when nothing listens any more and all connections are closed. */
	close(): Promise<void>;
}
