/** The interface between the service and its transports: a listener reports connections, and messages as lists of frames. */
import type { FrameError } from "@stickslip/client/protocol";
import type { Traffic } from "./traffic.js";

export type Frames = readonly Uint8Array[];

export interface Connection {
	/** For logs and errors. */
	readonly peer: string;
	/** Messages that have not been handed to the system yet. */
	readonly waiting: number;
	/** Resolves to true when the message has been handed to the system, to false when the connection was closed before. */
	send(frames: Frames): Promise<boolean>;
	/** Its client has sent hello: limits for strangers no longer apply, and its bytes count with those of the client. */
	admit(traffic: Traffic): void;
	/**
	 * Its client is unknown from now on; pending messages are still sent. WebSocket closes then, and reports nothing afterwards; a client over ZeroMQ has to
	 * say hello again.
	 */
	close(): void;
	/** Closes at once: what is pending is not sent. */
	end(): void;
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
