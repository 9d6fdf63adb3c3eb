/** One connection to the service, whatever it goes over. It never reconnects: a new one has to be opened. */
export interface ConnectionEvents {
	/** Messages can be sent from now on. */
	opened(): void;
	received(frames: readonly Uint8Array[]): void;
	/** The connection is lost, or could not be made. Nothing follows. */
	lost(loss: ConnectionLoss): void;
}

export interface ConnectionLoss {
	/** A clause without a subject: "refused the connection". */
	readonly reason: string;
	/** It would be the same the next time: the service does not accept this client. */
	readonly isRefusal?: boolean;
}

export interface Connection {
	/** Longer arrays are sent in pieces of so many bytes. */
	readonly pieceBytes: number;
	/** The bytes of the frames must stay as they are until they have left, which only the answer tells. */
	send(frames: readonly Uint8Array[]): void;
	/** Of the events none follows. Resolves when what was sent is with the system, or cannot be sent any more. */
	close(): Promise<void>;
}

export type OpenConnection = (events: ConnectionEvents) => Connection;

/** A connection that is not there after so long is given up. */
export const CONNECT_TIMEOUT_MS = 10_000;
