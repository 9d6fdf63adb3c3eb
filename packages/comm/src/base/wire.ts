import type { Control } from "./control.js";

/**
 * Messages from one rank to another: the interface of a network on which a communicator can be built. Messages of one sender with one tag arrive once each
 * and in the order they were sent; those of different senders or tags in any order.
 */
export interface Wire {
	readonly rank: number;
	readonly size: number;
	/** The number of foreign messages, if others can send to this rank. */
	readonly dropped?: number;
	/** Returns as soon as the bytes may be changed again, and never waits for the other rank to receive them. */
	send(to: number, tag: number, bytes: Uint8Array): void;
	/** Blocks for a limited time; throws a RankError that names the late rank. The bytes are in the wire's own memory, valid until its next call. */
	receive(from: number, tag: number): Uint8Array;
	/** Memory, at a multiple of 8 bytes, from which `send` does not copy; it belongs to the caller from now on. */
	reserve?(bytes: number): Uint8Array;
	/** Notifies all other ranks that can still be reached, once, that a rank (mostly this one) has failed. */
	abort?(rank: number, reason: string): void;
	/**
	 * To be called now and then while this rank waits for another by other means than this wire, or (-1) is idle: notices failures, and replies for a
	 * waiting rank to ranks that search for the late one. Never blocks.
	 */
	serve?(waitingFor: number): void;
	/** Sent messages are delivered first, within a limited time. */
	close(): void;
}

/** Tags are below this, so that a wire may keep a table of them. */
export const TAGS = 32;

/** One tag per kind of message, so that a rank that is ahead with one kind does not disturb another. */
export const tags = { halo: 0, reduce: 1, broadcast: 2, gather: 3, barrier: 4, open: 5 } as const;

/** Throws if a rank has failed, after notifying the other processes, which may not know it yet. */
export function checkAndNotify(control: Control, wire: Wire): void {
	try {
		control.check();
	} catch (error) {
		const failure = control.failure();
		if (failure !== undefined) wire.abort?.(failure.rank, failure.reason);
		throw error;
	}
}
