/**
 * What solver code may ask of other ranks: everything blocks, nothing waits for ever, and no result depends on the order in
 * which messages arrive. Implementations live in the comm package; `self` below the other interfaces is the reference for one rank.
 * "Collective" calls are made by all ranks in the same order.
 */

/**
 * Who sends which blocks to whom: blocks are `width` numbers in a vector, named by their place. Ranks and lists are sorted, built
 * once, and hold no buffers; what one rank sends another is listed by both in the same order.
 */
export interface HaloPlan {
	/** Numbers per block: 3 for reactions and velocities, 6 for bodies. */
	readonly width: number;
	/** Ranks that are sent to, ascending, without this one. */
	readonly targets: Int32Array;
	/** Where each target's places start in `send`; targets.length + 1 entries. */
	readonly sendStart: Int32Array;
	readonly send: Int32Array;
	/** Ranks that are received from, ascending. */
	readonly sources: Int32Array;
	readonly receiveStart: Int32Array;
	readonly receive: Int32Array;
}

/** One plan made ready on one communicator. At most one exchange of a communicator is under way at a time, so that plans may share buffers. */
export interface Exchange {
	/** Collective. Packs and sends; afterwards the vector's own blocks may change, and its arriving ones may not be read. */
	begin(values: Float64Array): void;
	/** Collective. Waits for what is to arrive and unpacks it into the vector that `begin` was given. */
	finish(values: Float64Array): void;
	/** Collective. So many exchanges at once of a plan without neighbours, on a communicator where that is no more than to count them. */
	count?(times: number): void;
	/**
	 * Gives back what `open` took; once is enough. Not collective: each rank closes when it is done, also while others have not read its last
	 * message. Messages of one rank to another are read in the order in which they were sent, whichever exchange they belong to, so the
	 * next plan never takes those of a closed one. An exchange that is under way is not closed: that is an error.
	 */
	close(): void;
}

/**
 * Takes the numbers of another rank into those of this one. It has to be exact (commutative and associative to the last
 * bit), since ranks are merged in any order and in any tree.
 */
export type Merge = (into: Float64Array, from: Float64Array) => void;

/** The most numbers in one reduction. */
export const REDUCE_MAX = 8192;

/** What has been done so far, and how long it took. Bytes count what was sent. */
export interface Traffic {
	readonly exchanges: number;
	readonly reductions: number;
	/** Messages and bytes sent to other ranks, by exchanges and reductions. */
	readonly messages: number;
	readonly bytes: number;
	/** Seconds: packing and unpacking (on threads an estimate, by some of the exchanges), waiting for neighbours' blocks, reducing. */
	readonly pack: number;
	readonly wait: number;
	readonly reduce: number;
}

export interface Communicator {
	readonly rank: number;
	readonly size: number;
	/** self, threads, zeromq, mpi, or a pair such as threads+zeromq. */
	readonly transport: string;
	/** A copy of the counters. */
	readonly traffic: Traffic;
	/** Collective. Makes a plan ready; counts as no exchange. */
	open(plan: HaloPlan): Exchange;
	/** Collective. Afterwards `values` (at most REDUCE_MAX numbers, as many on every rank) holds all ranks' numbers merged, the same bits everywhere. */
	reduce(values: Float64Array, merge: Merge): void;
	/** Collective. Every rank gets root's bytes; others pass nothing. */
	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array;
	/** Collective. Root gets everyone's bytes by rank, others nothing. */
	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined;
	/** Collective. Returns when all ranks have called it. */
	barrier(): void;
	/**
	 * For a rank that is between two tasks and has returned to its event loop: call it now and then. Not collective, and never waits. Throws a
	 * RankError once a rank has failed, and moves on what this rank sent and the network has not taken yet. It does not answer for
	 * this rank: one that is idle while others wait for it is late.
	 */
	poll(): void;
	/** Ends all ranks with this rank's error: their next or present call throws a RankError that names this rank. */
	abort(reason: string): void;
	/** Collective where all goes well. Closes all exchanges, and lets go of sockets, memory and libraries; an exchange that was begun and not finished is an error. */
	close(): void;
}
