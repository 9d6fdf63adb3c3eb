/**
 * The messages between the process that starts a run (the hub) and the processes that it starts (its members), over one socket each.
 *
 *     member                          hub
 *     hello {version, process, pid} ->
 *     request-stop                 ->                 at any time: a scheduler ends this host, and the run should stop in good order
 *     place {host, machine, cores} ->                 where it runs, if that may be another host than the hub's
 *                                  <- start           its ranks: which, of which program, over which transport
 *     bound {endpoints}            ->                 the threads of its ranks run, and these are their addresses
 *                                  <- go {endpoints}  the addresses of all ranks
 *
 * Then tasks, numbered from 1: one after another where all ranks work on them; tasks that ranks work on alone, side by side:
 *
 *                                  <- large message 0: the parts of the member's ranks only; 1 + t: of its thread t alone
 *     received {task}              ->                 all of it; where parts are large, the hub then makes those of the next member
 *     ready {rank}                 ->                 this rank begins to iterate
 *     progress {numbers}           ->                 of rank 0, while it works; with {rank} of one that works alone
 *                                  <- save {task}     to rank 0's process: all ranks save their state and continue
 *     saved {rank, ...}            ->                 its part of the checkpoint is written; or unsaved, or a large message with the state
 *                                  <- stop {task, code}  an orderly stop, which all ranks agree on
 *     large message r: result of rank r ->            for each of its ranks
 *
 *                                  <- bye             there are no more tasks
 *
 * At any time: beat in both directions; from a member a line of the log, or failed (one of its ranks is the cause); from the hub abort
 * (a rank has failed).
 */

import { PROGRESS_NUMBERS_MAX } from "@stickslip/core/parallel";
import {
	anyNumber,
	type Checked,
	dictionary,
	either,
	exactly,
	flag,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { PROCESS_TRANSPORTS } from "../base/transports.js";
import { areCounts } from "./plain-state.js";

export const RANKS_MAX = 1024;
/** The rest of a longer reason is cut off by the sender. */
export const REASON_MAX = 4000;
/** Heartbeats go out this often, and a side that is silent for so long is lost. */
export const BEAT_MS = 250;
export const SILENCE_MS = 3000;
/**
 * The same between hosts. A link that was cut for 3 s is used again at TCP's next retransmission, whose delay doubles each time: up to 6.4 s after the cut.
 * A loss has to be reported, and all ranks ended, within 10 s.
 */
export const REMOTE_SILENCE_MS = 6750;
/**
 * Members wait longer for the hub than it waits for them. A hub that was stopped for 8 s (a closed laptop, a file system that does not answer) continues,
 * and TCP's next attempt may come 5 s after that. If a loss shows only by silence, all ranks have to end within 20 s.
 */
export const HUB_SILENCE_MS = 15_000;

const PID_MAX = 2 ** 31 - 1;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;
export const CORES_MAX = 1024;
/** Arrays of one large message. */
export const ARRAYS_MAX = 100_000;

/** -1 where it cannot be told which. */
const rank = integer(-1, RANKS_MAX - 1);
const reason = text(REASON_MAX);
/** One that it is. */
const known = integer(0, RANKS_MAX - 1);
const iteration = integer(0, COUNT_MAX);
const endpoints = list(text(300), RANKS_MAX);

/** Of a task. */
const number = integer(1, COUNT_MAX);

const start = record({
	kind: exactly("start"),
	/** See programs.ts. */
	program: text(REASON_MAX),
	transport: oneOf(PROCESS_TRANSPORTS),
	ranks: integer(1, RANKS_MAX),
	firstRank: known,
	perProcess: integer(1, RANKS_MAX),
	/** Of all processes on the member's machine. */
	ranksHere: integer(1, RANKS_MAX),
	/** A core for each of its threads; empty where they are not pinned. */
	cores: list(integer(0, COUNT_MAX), RANKS_MAX),
	library: optional(record({ kind: oneOf(["openmpi", "mpich"]), version: text(REASON_MAX), path: text(REASON_MAX) })),
	/** Seconds that a rank waits for another. */
	patience: anyNumber,
});

/** Large messages of a member are the results of its ranks, by rank, and their states, by this and the rank. */
export const STATES = RANKS_MAX;
const largeMessageId = integer(0, 2 * RANKS_MAX);

const head = record({
	kind: exactly("large-message"),
	id: largeMessageId,
	lengths: list(integer(0, COUNT_MAX), ARRAYS_MAX),
});
/** The next bytes of a large message, which accompany the message; the first accompany its head. */
const chunk = record({ kind: exactly("chunk"), id: largeMessageId });
const beat = record({ kind: exactly("beat") });

const progress = record({
	kind: exactly("progress"),
	rank: optional(known),
	numbers: list(anyNumber, PROGRESS_NUMBERS_MAX),
});

const saved = record({
	kind: exactly("saved"),
	rank: known,
	iteration,
	counts: areCounts,
	bytes: integer(0, COUNT_MAX),
	sha256: text(64),
});

const FACTS_MAX = 50;
const log = record({
	kind: exactly("log"),
	rank: known,
	level: oneOf(["info", "warn", "error"]),
	event: text(100),
	facts: dictionary(either(anyNumber, flag, text(REASON_MAX)), FACTS_MAX),
});

export const isToHub = either(
	record({ kind: exactly("hello"), version: text(100), process: integer(0, RANKS_MAX - 1), pid: integer(1, PID_MAX) }),
	record({
		kind: exactly("place"),
		host: text(300),
		machine: text(100),
		cores: list(integer(0, COUNT_MAX), CORES_MAX),
	}),
	record({ kind: exactly("request-stop") }),
	record({ kind: exactly("received"), task: number }),
	record({ kind: exactly("bound"), endpoints }),
	record({ kind: exactly("failed"), rank, reason }),
	record({ kind: exactly("ready"), rank: known }),
	saved,
	record({ kind: exactly("unsaved"), rank: known, iteration, reason }),
	log,
	progress,
	head,
	chunk,
	beat,
);

export const isToMember = either(
	record({ kind: exactly("go"), endpoints }),
	start,
	record({ kind: exactly("stop"), task: number, code: integer(1, 1000) }),
	record({ kind: exactly("save"), task: number }),
	record({ kind: exactly("abort"), rank, reason }),
	record({ kind: exactly("bye") }),
	head,
	chunk,
	beat,
);

export type ToHub = Checked<typeof isToHub>;
export type ToMember = Checked<typeof isToMember>;
export type StartMessage = Extract<ToMember, { kind: "start" }>;
export type ProcessLocation = Extract<ToHub, { kind: "place" }>;
/** The facts of a rank's part of a checkpoint, once it is written. */
export type Saved = Omit<Checked<typeof saved>, "kind" | "rank">;
export type LargeMessageHead = Checked<typeof head>;
export type Chunk = Checked<typeof chunk>;

/** Sends a message, with its bytes if it is a chunk. */
export type Send<Message> = (message: Message, bytes?: Uint8Array) => void;
