/** A task at the hub: its parts are sent to the members, one after another if they are large, and the results are collected. */
import type { RankError } from "@stickslip/core/parallel";
import type { CheckpointDirectory } from "../checkpoints/folder.js";
import { packLargeMessage } from "../protocol/large-message.js";
import { type Chunk, type LargeMessageHead, type Send, STATES, type ToMember } from "../protocol/messages.js";
import { type Task, type TaskPart, workersOf } from "./ranks.js";
import { type IncomingMessages, incomingFrom, RankResults } from "./results.js";

/** Limit on bytes sent and not yet acknowledged; further parts are created after the acknowledgement. */
const UNTAKEN_BYTES_MAX = 2 ** 22;

/** What a member is sent: the parts of its ranks in order, and the folder for parts of checkpoints, used by processes that can access it. */
export interface MemberParts {
	/** Of the task. */
	readonly task: number;
	/** Whether the task is for a single rank. */
	readonly isAlone: boolean;
	readonly parts: readonly unknown[];
	readonly from: readonly unknown[];
	readonly directory: CheckpointDirectory | undefined;
}

/** A member that waits for its parts. */
export interface WaitingMember {
	readonly process: number;
	readonly send: Send<ToMember>;
}

export class HubTask {
	/** The code of the stop that was requested; 0 for none. */
	stop = 0;
	/** By rank, or the failure of a rank. */
	readonly outcome: Promise<unknown[]>;
	readonly #results: RankResults;
	readonly #task: Task<unknown>;
	readonly #number: number;
	readonly #perProcess: number;
	readonly #ranks: readonly number[];
	readonly #waiting: WaitingMember[] = [];
	/** Bytes sent to each process and not yet acknowledged. */
	readonly #untaken = new Map<number, number>();
	readonly #inboxes = new Map<number, IncomingMessages>();
	#resolve: (results: unknown[]) => void = () => {};
	#reject: (error: RankError) => void = () => {};

	constructor(task: Task<unknown>, number: number, ranks: number, perProcess: number) {
		this.#task = task;
		this.#number = number;
		this.#perProcess = perProcess;
		this.#ranks = workersOf(task, ranks);
		this.#results = new RankResults(this.#ranks, (value, rank): value is unknown => task.isResult(value, rank));
		this.outcome = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		// It may be rejected before anything awaits it.
		this.outcome.catch(() => {});
	}

	get number(): number {
		return this.#number;
	}

	get events(): Task<unknown>["events"] {
		return this.#task.events;
	}

	/** Whether it is for a single rank, so that others may have tasks of their own. */
	get isAlone(): boolean {
		return this.#task.alone !== undefined;
	}

	/** Whether a rank of this process works on it. */
	hasProcess(process: number): boolean {
		return this.#ranks.some((rank) => this.#processOf(rank) === process);
	}

	/** Whether this rank works on it. */
	hasRank(rank: number): boolean {
		return this.#task.alone === undefined || this.#task.alone === rank;
	}

	get onProgress(): Task<unknown>["onProgress"] {
		return this.#task.onProgress;
	}

	/** A member whose ranks have been started. */
	add(receiver: WaitingMember): void {
		if (!this.hasProcess(receiver.process)) return;
		this.#waiting.push(receiver);
		this.#serve();
	}

	/** A member acknowledges its parts (of more than one chunk); false if no acknowledgement was expected. */
	taken(process: number): boolean {
		const had = this.#untaken.delete(process);
		if (had) this.#serve();
		return had;
	}

	/** A part of a result or of a state of one of a process's own ranks; whether all results are there now. Throws an Error for what is invalid. */
	receive(process: number, message: LargeMessageHead | Chunk, bytes: Uint8Array | undefined): boolean {
		const { id } = message;
		const incoming = this.#inboxes.get(process) ?? incomingFrom(this.#task);
		this.#inboxes.set(process, incoming);
		if (id >= STATES) {
			const state = incoming.states.take(message, bytes);
			if (state) this.events.state(id - STATES, state.value);
			return false;
		}
		if (!this.#results.isMissing(id)) throw new Error(`an unexpected answer of rank ${id}`);
		const whole = incoming.results.take(message, bytes);
		if (whole === undefined) return false;
		this.#results.add(id, whole.value);
		return this.#results.areComplete;
	}

	resolve(): void {
		this.#resolve(this.#results.all);
	}

	reject(failure: RankError): void {
		this.#waiting.length = 0;
		this.#reject(failure);
	}

	#serve(): void {
		let untaken = [...this.#untaken.values()].reduce((sum, bytes) => sum + bytes, 0);
		while (untaken <= UNTAKEN_BYTES_MAX) {
			const next = this.#waiting.shift();
			if (next === undefined) return;
			const { process, send } = next;
			if (this.stop !== 0) send({ kind: "stop", task: this.#number, code: this.stop });
			let bytes = 0;
			let isLarge = false;
			for (const { message, bytes: chunk } of packLargeMessage(this.#messageId, this.#partsOf(process))) {
				bytes += chunk?.length ?? 0;
				isLarge = message.kind === "chunk";
				send(message, chunk);
			}
			if (!isLarge) continue;
			this.#untaken.set(process, bytes);
			untaken += bytes;
		}
	}

	#processOf(rank: number): number {
		return Math.floor(rank / this.#perProcess);
	}

	/** Sends to a member: messages for all of its threads have another number than those for one thread. */
	get #messageId(): number {
		const { alone } = this.#task;
		return alone === undefined ? 0 : 1 + (alone % this.#perProcess);
	}

	#partsOf(process: number): MemberParts {
		const own: TaskPart[] = [];
		for (const rank of this.#ranks) if (this.#processOf(rank) === process) own.push(this.#task.part(rank));
		return {
			task: this.#number,
			isAlone: this.isAlone,
			parts: own.map(({ part }) => part),
			from: own.flatMap(({ from }) => (from === undefined ? [] : [from])),
			directory: this.events.checkpointer?.directory,
		};
	}
}
