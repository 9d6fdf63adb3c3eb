/**
 * A member process of a run: it starts the ranks that the hub assigns to it, gives them their parts of tasks, and forwards messages between them and the
 * hub. Sockets, clocks and the process's end are elsewhere (process.ts).
 */
import { hostname } from "node:os";
import { Control } from "@stickslip/comm";
import { InputError, version } from "@stickslip/core";
import { buffersOf, type RunState } from "@stickslip/core/parallel";
import { type Check, type Checked, flag, integer, list, optional, record, text } from "@stickslip/core/schema";
import { messageOf } from "../base/errors.js";
import { letGo } from "../base/let-go.js";
import { transports } from "../base/transports.js";
import { isAccessible } from "../checkpoints/folder.js";
import { whyUnwritten, writeState } from "../checkpoints/write.js";
import { TO_HUB_CHUNK_BYTES_MAX } from "../protocol/frames.js";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import { LargeMessages, packLargeMessage } from "../protocol/large-message.js";
import {
	HUB_SILENCE_MS,
	type ProcessLocation,
	RANKS_MAX,
	REASON_MAX,
	type Send,
	STATES,
	type StartMessage,
	type ToHub,
	type ToMember,
} from "../protocol/messages.js";
import { isRunState } from "../protocol/plain-state.js";
import { progressReader } from "../protocol/progress.js";
import { cut, reasonOf } from "../protocol/refusal.js";
import type { LocalRanks, LocalRanksWatch, LocalRun } from "./local-ranks.js";

export interface MemberOptions {
	/** Its number among the processes. */
	readonly process: number;
	readonly pid: number;
	readonly send: Send<ToHub>;
	/** Where it runs, if the hub may be on another host. */
	readonly location?: ProcessLocation | undefined;
	/** The id of the process that started the run, if that is on this machine. */
	readonly hubPid?: number | undefined;
	/** Starts its ranks. */
	readonly start: (ranks: StartMessage, control: Control) => LocalRanks;
	/** Called when the process has finished: 0 on success, 3 otherwise. */
	readonly end: (code: 0 | 3) => void;
	readonly now: () => number;
}

/** A task may have any size; the hub, which started this process, is trusted. */
const TASK_BYTES_MAX = 2 ** 40;

const anything: Check<unknown> = (value): value is unknown => value !== undefined;
/** Only the rank knows the content of a part. */
const isMemberParts = record({
	task: integer(1, Number.MAX_SAFE_INTEGER),
	isAlone: flag,
	parts: list(anything, RANKS_MAX),
	/** The states from which the ranks continue: of each of them, or of none. */
	from: list(isRunState, RANKS_MAX),
	/** The folder for parts of checkpoints, used by processes that can access it. */
	directory: optional(record({ folder: text(REASON_MAX), token: text(REASON_MAX) })),
});
type MemberParts = Checked<typeof isMemberParts>;

export class Member {
	/** Invalid messages. */
	dropped = 0;
	readonly control = Control.create();
	readonly #options: MemberOptions;
	readonly #messages = new LargeMessages(TASK_BYTES_MAX);
	readonly #progress = progressReader(this.control);
	readonly #heartbeats: HeartbeatMonitor;
	/** Whether a message of the hub has arrived: until then it may still be busy. */
	hasReceived = false;
	/** The tasks in progress by number, and the codes of stops that arrived before their tasks. */
	readonly #tasks = new Map<number, { readonly isAlone: boolean; readonly run: LocalRun }>();
	readonly #earlyStops = new Map<number, number>();
	/** The number of the latest task. */
	#last = 0;
	/** -1 until it is known. */
	#firstRank = -1;
	#threads = 0;
	#localRanks: LocalRanks | undefined;
	/** Ended from outside, which is reported by the process that observes it. */
	#isSilent = false;
	#hasEnded = false;

	constructor(options: MemberOptions) {
		this.#options = options;
		this.#heartbeats = new HeartbeatMonitor(options.now(), options.hubPid, HUB_SILENCE_MS);
		options.send({ kind: "hello", version, process: options.process, pid: options.pid });
		if (options.location) options.send(options.location);
	}

	/** A message that carries the key of the run. */
	take(message: ToMember, bytes?: Uint8Array): void {
		this.hasReceived = true;
		this.#heartbeats.received(this.#options.now());
		switch (message.kind) {
			case "beat":
				break;
			case "large-message":
			case "chunk":
				this.#receive(message, bytes);
				break;
			case "start":
				this.#start(message);
				break;
			case "go":
				if (this.#localRanks === undefined) this.dropped += 1;
				else this.#localRanks.connect(message.endpoints);
				break;
			case "stop":
				this.#stop(message.task, message.code);
				break;
			case "save":
				if (this.#tasks.has(message.task)) this.control.requestSave();
				break;
			case "abort":
				this.fail(message.rank, message.reason);
				break;
			case "bye":
				void this.#close();
		}
	}

	/** It may come when its task has just ended, or before its parts do. */
	#stop(task: number, code: number): void {
		const here = this.#tasks.get(task);
		if (here !== undefined) here.run.stop(code);
		else if (task > this.#last) this.#earlyStops.set(task, code);
	}

	/** There are no more tasks. */
	async #close(): Promise<void> {
		await this.#localRanks?.close();
		this.#end(this.#localRanks?.failure === undefined ? 0 : 3);
	}

	/** Sends a heartbeat, and checks those of the hub; to be called regularly. */
	beat(): void {
		this.#options.send({ kind: "beat" });
		const isTooLong = this.#heartbeats.isLost(this.#options.now());
		const seconds = HUB_SILENCE_MS / 1000;
		if (this.hasReceived && isTooLong)
			this.fail(-1, `the process that started the run has sent no heartbeat for ${seconds} s`);
	}

	/** Sends the progress of rank 0, if there is any. */
	report(): void {
		const numbers = this.#options.process === 0 ? this.#progress() : undefined;
		if (numbers) this.#options.send({ kind: "progress", numbers });
	}

	/** Ends the ranks of this process, which report how they ended; without any it ends at once. */
	fail(rank: number, reason: string): void {
		this.control.abort(rank, reason);
		if (this.#localRanks === undefined) this.#end(3);
	}

	/** A failure of this process and not of a rank: it is reported to the hub with the first rank of this process. */
	broken(reason: string): void {
		this.#options.send({ kind: "failed", rank: this.#firstRank, reason: cut(reason) });
		this.fail(this.#firstRank, reason);
	}

	/** Requests an orderly stop of the whole run. */
	requestStop(): void {
		this.#options.send({ kind: "request-stop" });
	}

	/** The same if this process is terminated: the end of its ranks is not reported to the hub, which is to see the cause. */
	leave(reason: string): void {
		this.#isSilent = true;
		this.fail(-1, reason);
	}

	#start(message: StartMessage): void {
		this.#orderly(() => {
			if (this.#localRanks !== undefined) throw new Error("ranks are started twice");
			const { firstRank, perProcess, transport } = message;
			this.#firstRank = firstRank;
			this.#threads = perProcess;
			const ranks = this.#options.start(message, this.control);
			this.#localRanks = ranks;
			for (let rank = firstRank; rank < firstRank + perProcess; rank += 1) {
				const facts = { host: hostname(), pid: this.#options.pid };
				this.#options.send({ kind: "log", rank, level: "info", event: "started", facts });
			}
			const bound = (endpoints: readonly string[]) => this.#options.send({ kind: "bound", endpoints: [...endpoints] });
			if (transports[transport].listens) void ranks.endpoints.then(bound);
			else bound([]);
			ranks.ended.catch((error: unknown) => {
				const { rank, reason } = this.control.failure() ?? { rank: -1, reason: messageOf(error) };
				if (!this.#isSilent) this.#options.send({ kind: "failed", rank, reason: cut(reason) });
				this.#end(3);
			});
		});
	}

	#receive(message: Extract<ToMember, { kind: "large-message" | "chunk" }>, bytes: Uint8Array | undefined): void {
		this.#orderly(() => {
			if (this.#localRanks === undefined) throw new Error("an unexpected task");
			const whole = this.#messages.take(message, bytes);
			if (whole === undefined) return;
			// The memory of its chunks.
			setImmediate(() => letGo(whole.bytes));
			if (!isMemberParts(whole.value) || !this.#isExpected(message.id, whole.value))
				throw new Error("not a valid task");
			if (message.kind === "chunk") this.#options.send({ kind: "received", task: whole.value.task });
			void this.#run(this.#localRanks, whole.value, message.id);
		});
	}

	/** A message of the hub is handled, or refused with a reason. */
	#orderly(work: () => void): void {
		try {
			work();
		} catch (error) {
			// An InputError is about this process itself, e.g. its address: the message of the hub was valid.
			const isOurs = error instanceof InputError;
			const reason = isOurs ? reasonOf(error) : `the hub sent an invalid message: ${messageOf(error)}`;
			this.#options.send({ kind: "failed", rank: -1, reason: cut(reason) });
			this.fail(-1, messageOf(error));
		}
	}

	/** Its ranks have one task for all at a time, and no other task then. */
	#isExpected(id: number, { task, isAlone, parts }: MemberParts): boolean {
		if (task <= this.#last) return false;
		if (!isAlone) return id === 0 && this.#tasks.size === 0 && parts.length === this.#threads;
		return (
			id >= 1 && id <= this.#threads && parts.length === 1 && ![...this.#tasks.values()].some(({ isAlone }) => !isAlone)
		);
	}

	async #run(ranks: LocalRanks, { task, isAlone, parts, from, directory }: MemberParts, id: number): Promise<void> {
		const alone = isAlone ? id - 1 : undefined;
		const first = this.#firstRank + (alone ?? 0);
		const part = (rank: number) => {
			const own = { part: parts[rank - first], from: from[rank - first] };
			return { ...own, buffers: buffersOf(own) };
		};
		const run = ranks.start({ alone, part, watch: this.#watch(directory) });
		this.#last = task;
		this.#tasks.set(task, { isAlone, run });
		for (const [number, code] of this.#earlyStops) {
			if (number === task) run.stop(code);
			if (number <= task) this.#earlyStops.delete(number);
		}
		let results: unknown[];
		try {
			results = await run.results;
		} catch {
			// Reported when the ranks have ended.
			return;
		}
		this.#tasks.delete(task);
		// Progress that was not sent yet does not concern the next task.
		if (!isAlone) this.#progress();
		for (const [at, result] of results.entries()) {
			for (const { message, bytes } of packLargeMessage(first + at, result, TO_HUB_CHUNK_BYTES_MAX)) {
				this.#options.send(message, bytes);
			}
		}
	}

	/** Parts of checkpoints are written here if this process can access their folder; otherwise the hub gets the states and writes them. */
	#watch(directory: MemberParts["directory"]): LocalRanksWatch {
		const accessible = directory === undefined ? Promise.resolve(false) : isAccessible(directory);
		const { send } = this.#options;
		const save = async (rank: number, state: RunState) => {
			if (directory === undefined || !(await accessible)) {
				const parts = packLargeMessage(STATES + rank, state, TO_HUB_CHUNK_BYTES_MAX);
				for (const { message, bytes } of parts) send(message, bytes);
				return;
			}
			try {
				send({ kind: "saved", rank, ...(await writeState(directory, rank, state)) });
			} catch (error) {
				send({ kind: "unsaved", rank, iteration: state.iteration, reason: cut(whyUnwritten(error)) });
			}
		};
		return {
			ready: (rank) => send({ kind: "ready", rank }),
			progress: (rank, numbers) => send({ kind: "progress", rank, numbers: [...numbers] }),
			log: (rank, line) => send({ kind: "log", rank, ...line, facts: { ...line.facts } }),
			save,
		};
	}

	#end(code: 0 | 3): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.#options.end(code);
	}
}
