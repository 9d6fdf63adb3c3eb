import type { Control } from "./control.js";

/**
 * Messages from one rank to another, and nothing else: what a network must offer so that a communicator can be built on it.
 * Messages of one sender with one tag arrive once each and in the order they were sent; those of different senders or tags in any.
 */
export interface Wire {
	readonly rank: number;
	readonly size: number;
	/** What arrived and was not from a rank of this run, where anybody can send to this one. */
	readonly dropped?: number;
	/** Returns as soon as the bytes may be changed again, and never waits for the other rank to ask for them. */
	send(to: number, tag: number, bytes: Uint8Array): void;
	/** Blocks, for a bounded time; throws a RankError in the name of the one that is late. The bytes are the wire's own memory: they are good until its next call. */
	receive(from: number, tag: number): Uint8Array;
	/** Memory, at a multiple of 8 bytes, that `send` takes without copying it first; it belongs to the caller for good. */
	reserve?(bytes: number): Uint8Array;
	/** Notifies all other ranks that can still be reached, once, that a rank (mostly this one) has failed. */
	abort?(rank: number, reason: string): void;
	/**
	 * Called now and then while this rank waits for another by other means than this wire, or (-1) is idle: takes notice of failures, and
	 * of a rank that waits replies to ranks that wait for it and look for the late rank. Never blocks.
	 */
	serve?(waitingFor: number): void;
	/** What was sent is delivered first, within a bounded time. */
	close(): void;
}

/** Tags are below this, so that a wire may keep a table of them. */
export const TAGS = 32;

/** One tag per kind of message: a rank that is ahead with one kind does not disturb another. */
export const tags = { halo: 0, reduce: 1, broadcast: 2, gather: 3, barrier: 4, open: 5 } as const;

/** Throws if a rank has failed, after notifying the other processes, since this one may be the only one that knows. */
export function checkAndNotify(control: Control, wire: Wire): void {
	try {
		control.check();
	} catch (error) {
		const failure = control.failure();
		if (failure !== undefined) wire.abort?.(failure.rank, failure.reason);
		throw error;
	}
}
