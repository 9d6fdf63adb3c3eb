/** One rank, as the task of a worker thread: it gets its communicator, and then runs its parts of tasks with the others until there are no more. */
import { Control } from "@stickslip/comm";
import {
	buffersOf,
	type Communicator,
	type RankContext,
	REQUEST,
	type RunState,
	SelfCommunicator,
	toTheEnd,
} from "@stickslip/core/parallel";
import { prepareRankMemory } from "../base/solver-memory.js";
import { loadProgram } from "../programs/programs.js";
import { writeProgress } from "../protocol/progress.js";
import { reasonOf } from "../protocol/refusal.js";
import type { LogFields, LogLevel } from "../records/log.js";
import { Inbox } from "./inbox.js";
import { type Connected, type ConnectionReply, connect, type Link, type RankEnvironment } from "./link.js";
import { Outbox, type Send } from "./outbox.js";

/** Interval between polls of the communicator while the rank is idle. */
const POLL_MS = 20;
/** Interval between messages of progress. */
const PROGRESS_MS = 50;
/** How long a result may wait for further ones while there is more to do: waking the process takes longer than a tiny task. */
const HOLD_MS = 3;

export interface RankSetup {
	/** See programs.ts. */
	readonly program: string;
	readonly control: SharedArrayBuffer;
	readonly link: Link;
	readonly place: RankEnvironment;
	/** The most addresses for its memory, where they are limited. */
	readonly reserveBytes: number | undefined;
}

/** A message to a rank. */
export type ToRank = ConnectionReply | Next;
type Next = TaskMessage | { readonly close: true };

interface TaskMessage {
	/** Of the task in this process. */
	readonly number: number;
	/** Whether no other rank works on it. */
	readonly isAlone: boolean;
	readonly part: unknown;
	readonly from: RunState | undefined;
}

/** A line of the log. */
export interface LogLine {
	readonly level: LogLevel;
	readonly event: string;
	readonly facts: LogFields;
}

/**
 * What a rank reports to its process while it works, some of it in one message; all `states` that it has sent during a task are written before the task
 * ends.
 */
export type FromRank =
	| { readonly ready: true }
	| { readonly state: RunState }
	| { readonly progress: readonly number[] }
	| LogLine
	| { readonly result: unknown; readonly states: number };

export default async function run(setup: RankSetup): Promise<void> {
	const { program: name, link, place, reserveBytes } = setup;
	prepareRankMemory(reserveBytes);
	const control = new Control(setup.control);
	const inbox = new Inbox<ToRank>(place.port);
	try {
		const loading = loadProgram(name);
		// It may fail before it is awaited.
		loading.catch(() => {});
		const connected = await connect(link, place, inbox, control);
		try {
			await work(await loading, connected, inbox, control, place);
		} catch (error) {
			// All ranks are notified of the failure before this one closes its connections, which may have to wait for them.
			if (control.failure() === undefined) connected.communicator.abort(reasonOf(error));
			quietly(connected.end);
			throw error;
		}
	} catch (error) {
		control.abort(place.rank, reasonOf(error));
		throw error;
	} finally {
		place.port.close();
	}
}

/** Task after task. */
async function work(
	program: Awaited<ReturnType<typeof loadProgram>>,
	{ communicator, dropped, end }: Connected,
	inbox: Inbox<ToRank>,
	control: Control,
	{ port, thread }: RankEnvironment,
): Promise<void> {
	const self = new SelfCommunicator();
	const outbox = new Outbox(port);
	const send: Send = (message, moved) => outbox.send(message, moved);
	let told = 0;
	let polled = performance.now();
	for (;;) {
		let message = inbox.take(isNext);
		if (message === undefined) {
			outbox.flush();
			message = await nextTask(communicator, inbox, control);
		}
		if ("close" in message) break;
		if (!program.isPart(message.part)) throw new Error("received an invalid part of a task");
		const context = message.isAlone
			? new OwnTask(self, control, message, send, thread)
			: new SharedTask(communicator, control, message, send);
		await program.prepare?.(message.part);
		const result = toTheEnd(program.run(message.part, context));
		const strangers = dropped?.() ?? 0;
		// They are harmless, but are logged.
		if (strangers > told) context.log("warn", "foreign frames dropped", { frames: strangers - told });
		told = strangers;
		outbox.hold({ result, states: context.states }, buffersOf(result));
		const now = performance.now();
		if (!message.isAlone || now - outbox.since > HOLD_MS) outbox.flush();
		if (now - polled < POLL_MS) continue;
		polled = now;
		communicator.poll();
	}
	outbox.flush();
	communicator.close();
	end();
}

function isNext(message: ToRank): message is Next {
	return "part" in message || "close" in message;
}

/** Waits for the next task in the event loop; polls the communicator meanwhile, to notice failures of other ranks. */
async function nextTask(communicator: Communicator, inbox: Inbox<ToRank>, control: Control): Promise<Next> {
	const timer = setInterval(() => {
		try {
			communicator.poll();
		} catch (error) {
			inbox.fail(error);
		}
	}, POLL_MS);
	try {
		return await inbox.next(control, isNext);
	} finally {
		clearInterval(timer);
	}
}

/** A rank never returns to its event loop while it works: requests are read from shared memory, and messages are sent through its port. */
abstract class Context implements RankContext {
	/** Sent so far. */
	states = 0;
	readonly communicator: RankContext["communicator"];
	readonly from: RunState | undefined;
	protected readonly control: Control;
	protected readonly send: Send;

	constructor(communicator: RankContext["communicator"], control: Control, { from }: TaskMessage, send: Send) {
		this.communicator = communicator;
		this.from = from;
		this.control = control;
		this.send = send;
	}

	abstract get request(): number;

	abstract progress(numbers: readonly number[]): void;

	ready(): void {
		this.send({ ready: true });
	}

	log(level: LogLevel, event: string, facts: LogFields = {}): void {
		this.send({ level, event, facts });
	}

	/** Data that all ranks share are sent once. */
	save(state: RunState): void {
		this.states += 1;
		const { iteration, scalars, spaces } = state;
		const message: RunState = {
			iteration,
			scalars: this.communicator.rank === 0 ? scalars : {},
			spaces: mapped(spaces, ({ count, ids, vectors }) => ({
				count,
				ids: ids.slice(),
				vectors: mapped(vectors, ({ width, values }) => ({ width, values: ownCopy(values) })),
			})),
		};
		this.send({ state: message }, buffersOf(message));
	}
}

/** A task of all ranks. */
class SharedTask extends Context {
	/** The number of answered requests to save. */
	#saved = this.control.saves;

	get request(): number {
		const { stop, saves } = this.control;
		return saves === this.#saved ? stop : Math.max(stop, REQUEST.save);
	}

	progress(numbers: readonly number[]): void {
		writeProgress(this.control, numbers);
	}

	override save(state: RunState): void {
		this.#saved = this.control.saves;
		super.save(state);
	}
}

/** A task for this rank only, while others have theirs. Its start need not be reported. */
class OwnTask extends Context {
	readonly #thread: number;
	readonly #number: number;
	/** When progress was last sent. */
	#sent = performance.now();

	constructor(
		communicator: RankContext["communicator"],
		control: Control,
		message: TaskMessage,
		send: Send,
		thread: number,
	) {
		super(communicator, control, message, send);
		this.#thread = thread;
		this.#number = message.number;
	}

	override ready(): void {}

	get request(): number {
		return this.control.stopOf(this.#thread, this.#number);
	}

	progress(numbers: readonly number[]): void {
		const now = performance.now();
		if (now - this.#sent < PROGRESS_MS) return;
		this.#sent = now;
		this.send({ progress: numbers });
	}
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}

/** Memory of its own, that can move to another thread. */
function ownCopy(values: Float64Array): Float64Array {
	const isOwn = values.buffer instanceof ArrayBuffer && values.byteLength === values.buffer.byteLength;
	return isOwn ? values : values.slice();
}

/** After a failure, errors during cleanup are consequences of it. */
function quietly(end: () => void): void {
	try {
		end();
	} catch {
		// The first error is the one to report.
	}
}
