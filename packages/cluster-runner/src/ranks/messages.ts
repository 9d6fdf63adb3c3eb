/**
 * What the process that starts a run (the hub) and those that it starts (its members) say to each other, over one socket each.
 *
 *     member                          hub
 *     hello {version, process, pid} ->
 *                                  <- parcel 0: the task, with the shares of the member's ranks and of nobody else
 *     taken                        ->                 whole; then the next member's is cut
 *     bound {digest, endpoints}    ->                 the ranks' threads run, and this is where they are
 *                                  <- go {endpoints}  of all ranks
 *     progress ...                 ->                 rank 0's, while it works
 *                                  <- stop {code}     an orderly stop, which all ranks agree on
 *     parcel r: outcome of rank r  ->                 for each of its ranks
 *                                  <- bye             all have come
 *
 * At any time: beat in both directions, failed from a member (one of its ranks is the cause), abort from the hub (some rank is).
 */
import { anyNumber, type Checked, either, exactly, flag, integer, list, record, text } from "./schema.js";

export const RANKS_MAX = 1024;
/** The rest of a longer reason is cut off by the sender. */
export const REASON_MAX = 4000;
/** Signs of life go out this often, and a side that is silent for so long is lost. */
export const BEAT_MS = 500;
export const SILENCE_MS = 3000;

const PID_MAX = 2 ** 31 - 1;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** Arrays of one parcel. */
const ARRAYS_MAX = 100_000;

/** -1 where it cannot be told which. */
const rank = integer(-1, RANKS_MAX - 1);
const reason = text(REASON_MAX);
const endpoints = list(text(300), RANKS_MAX);

const parcel = record({
	kind: exactly("parcel"),
	id: integer(0, RANKS_MAX),
	lengths: list(integer(0, COUNT_MAX), ARRAYS_MAX),
});
/** The next bytes of a parcel, which are beside the message. */
const piece = record({ kind: exactly("piece"), id: integer(0, RANKS_MAX) });
const beat = record({ kind: exactly("beat") });

const progress = record({
	kind: exactly("progress"),
	iterations: integer(0, COUNT_MAX),
	products: integer(0, COUNT_MAX),
	error: anyNumber,
	exact: flag,
	seconds: anyNumber,
	method: text(100),
});

export const isToHub = either(
	record({ kind: exactly("hello"), version: text(100), process: integer(0, RANKS_MAX - 1), pid: integer(1, PID_MAX) }),
	record({ kind: exactly("taken") }),
	record({ kind: exactly("bound"), digest: text(100), endpoints }),
	record({ kind: exactly("failed"), rank, reason }),
	progress,
	parcel,
	piece,
	beat,
);

export const isToMember = either(
	record({ kind: exactly("go"), endpoints }),
	record({ kind: exactly("stop"), code: integer(1, 1000) }),
	record({ kind: exactly("abort"), rank, reason }),
	record({ kind: exactly("bye") }),
	parcel,
	piece,
	beat,
);

export type ToHub = Checked<typeof isToHub>;
export type ToMember = Checked<typeof isToMember>;
export type ParcelHead = Checked<typeof parcel>;
export type Piece = Checked<typeof piece>;

/** Sends a message, with bytes beside it where it is a piece. */
export type Send<Message> = (message: Message, bytes?: Uint8Array) => void;
