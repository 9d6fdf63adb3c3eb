/**
 * The hub of ranks in processes: the state of each member, and the replies to its messages. Sockets, clocks and processes are elsewhere (process-ranks.ts);
 * this handles events in any order, as faults and foreign clients may cause it. The first failure counts for all: all members are notified, and later
 * failures are consequences.
 */
import { version } from "@stickslip/core";
import { assert, RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import { START_TIMEOUT } from "../processes/exit-diagnosis.js";
import { unreachable } from "../processes/starters/bind-address.js";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import type { ProcessLocation, ToHub, ToMember } from "../protocol/messages.js";
import { REMOTE_SILENCE_MS, SILENCE_MS, STATES } from "../protocol/messages.js";
import { cut, otherVersion, reasonOf } from "../protocol/refusal.js";
import type { LogFields } from "../records/log.js";
import type { HubMember } from "./hub-member.js";
import type { HubOptions } from "./hub-options.js";
import type { HubTask } from "./hub-task.js";
import { HubTasks } from "./hub-tasks.js";
import type { Task } from "./ranks.js";

export class Hub {
	/** Invalid messages: from foreign clients, from unknown members, or repeated. */
	dropped = 0;
	readonly #options: HubOptions;
	readonly #members: readonly HubMember[];
	readonly #perProcess: number;
	readonly #silenceMs: number;
	readonly #byIdentity = new Map<string, HubMember>();
	#failure: { readonly rank: number; readonly reason: string } | undefined;
	readonly #tasks: HubTasks;
	#isClosing = false;

	constructor(options: HubOptions) {
		const { ranks, processes } = options;
		assert(ranks % processes === 0, "all processes have the same number of ranks");
		this.#options = options;
		this.#perProcess = ranks / processes;
		this.#tasks = new HubTasks(ranks, this.#perProcess);
		this.#silenceMs = options.hostOf === undefined ? SILENCE_MS : REMOTE_SILENCE_MS;
		this.#members = Array.from({ length: processes }, (_, process) => {
			return { process, isStarted: false, hasEnded: false };
		});
	}

	/** Begins a task, whose `outcome` is the results by rank, or the RankError of the first failure. */
	start(task: Task<unknown>): HubTask {
		const own = this.#tasks.add(task);
		const { failure } = this;
		if (failure !== undefined) this.#tasks.reject(failure);
		else this.#giveAll(own);
		return own;
	}

	#giveAll(task: HubTask): void {
		try {
			for (const member of this.#members) this.#give(member, task);
		} catch (error) {
			// A part cannot be packed: nothing was sent if the task is for one rank; otherwise some ranks have their parts already, and wait.
			if (!task.isAlone) this.fail(-1, `the process that started the run ${reasonOf(error)}`);
			this.#tasks.remove(task);
			throw error;
		}
	}

	/** There are no more tasks. */
	close(): void {
		this.#isClosing = true;
		this.#sendAll({ kind: "bye" });
	}

	/** The system's ids, as far as they are known. */
	get pidByProcess(): (number | undefined)[] {
		return this.#members.map(({ pid }) => pid);
	}

	/** Of processes that may still run. */
	get pids(): number[] {
		return this.#members.flatMap(({ pid, hasEnded }) => (pid === undefined || hasEnded ? [] : [pid]));
	}

	/** The locations that processes have reported. */
	get locations(): (ProcessLocation | undefined)[] {
		return this.#members.map(({ location }) => location);
	}

	get failure(): RankError | undefined {
		return this.#failure && new RankError(this.#failure.rank, this.#failure.reason);
	}

	/** A message that carries the key of the run. */
	take(identity: string, message: ToHub, bytes?: Uint8Array): void {
		const member = this.#byIdentity.get(identity);
		if (message.kind === "hello") this.#hello(identity, message);
		else if (member === undefined) this.dropped += 1;
		else this.#handle(member, message, bytes);
	}

	#handle(member: HubMember, message: Exclude<ToHub, { kind: "hello" }>, bytes: Uint8Array | undefined): void {
		member.heartbeats?.received(this.#options.now());
		switch (message.kind) {
			case "request-stop":
				this.#options.onStopRequested?.();
				break;
			case "place":
				member.location ??= message;
				this.#start();
				break;
			case "beat":
				break;
			case "received":
				if (this.#tasks.withNumber(message.task)?.taken(member.process) !== true) this.dropped += 1;
				break;
			case "bound":
				this.#bound(member, message.endpoints);
				break;
			case "progress":
				this.#progress(member, message);
				break;
			case "failed":
				this.fail(message.rank < this.#options.ranks ? message.rank : -1, message.reason);
				break;
			case "large-message":
			case "chunk":
				this.#receive(member, message, bytes);
				break;
			default:
				if (!this.#isOf(member, message.rank)) this.dropped += 1;
				else this.#handleOfRank(message);
		}
	}

	#handleOfRank(message: Extract<ToHub, { kind: "ready" | "saved" | "unsaved" | "log" }>): void {
		const task = this.#tasks.of(message.rank);
		if (task !== undefined) task.events.handle(message);
		else if (message.kind === "log") this.#write(message.rank, message.event, message.facts);
		else this.dropped += 1;
	}

	/** Of rank 0 in a task for all ranks; of a single rank in its own task. */
	#progress(member: HubMember, { rank, numbers }: Extract<ToHub, { kind: "progress" }>): void {
		const isItsOwn = rank === undefined ? member.process === 0 : this.#isOf(member, rank);
		const task = rank === undefined ? this.#tasks.shared : this.#tasks.of(rank);
		if (isItsOwn && this.#failure === undefined) task?.onProgress?.(numbers);
		this.#askToSave();
	}

	#isOf({ process }: HubMember, rank: number): boolean {
		return Math.floor(rank / this.#perProcess) === process && rank < this.#options.ranks;
	}

	/** Sends heartbeats, declares members without one lost, and requests a checkpoint when it is due. To be called regularly. */
	beat(): void {
		const now = this.#options.now();
		this.#askToSave();
		for (const member of this.#members) {
			if (member.identity === undefined || member.hasEnded) continue;
			this.#options.send(member.identity)({ kind: "beat" });
			if (!member.heartbeats?.isLost(now)) continue;
			this.lost(member.process, `was lost (no heartbeat for ${this.#silenceMs / 1000} s)`);
			this.#options.kill(member.process, member.pid);
		}
	}

	/** Rank 0 passes it on to the others. */
	#askToSave(): void {
		const [first] = this.#members;
		const task = this.#tasks.shared;
		if (task === undefined || first?.identity === undefined || this.#failure !== undefined) return;
		if (task.events.isSaveDue) this.#options.send(first.identity)({ kind: "save", task: task.number });
	}

	/** The start timeout: members that have not connected are lost. */
	startTimeout(seconds: number): void {
		const missing = this.#members.filter(({ identity }) => identity === undefined);
		if (missing.length === 0) return;
		const hosts = missing.flatMap(({ process }) => this.#options.hostOf?.(process) ?? []).join(", ");
		this.lost(missing[0]!.process, `${START_TIMEOUT} ${seconds} s of its start${hosts && ` (missing: ${hosts})`}`);
	}

	/** Asks the ranks of a task for an orderly stop; those that get their part later get the request with it. */
	requestStop(task: HubTask, code: number): void {
		if (this.#tasks.withNumber(task.number) === undefined) return;
		task.stop = code;
		this.#sendAll({ kind: "stop", task: task.number, code }, (process) => task.hasProcess(process));
	}

	/** A process has ended, or is lost. */
	lost(process: number, reason: string): void {
		const member = this.#members[process];
		if (member === undefined || member.hasEnded) return;
		member.hasEnded = true;
		if (this.#isClosing) return;
		const host = member.location?.host ?? this.#options.hostOf?.(process);
		const at = host === undefined ? "" : ` on ${host}`;
		const what = this.#perProcess === 1 ? "was lost" : "was lost with its process";
		this.fail(process * this.#perProcess, reason.replace(/^was lost\b/, `${what}${at}`));
	}

	fail(rank: number, reason: string): void {
		if (this.#failure !== undefined || this.#isClosing) return;
		this.#failure = { rank, reason: cut(reason) };
		this.#tasks.reject(new RankError(rank, reason));
		this.#sendAll({ kind: "abort", ...this.#failure });
	}

	#sendAll(message: ToMember, isFor: (process: number) => boolean = () => true): void {
		for (const { process, identity, hasEnded } of this.#members) {
			if (identity !== undefined && !hasEnded && isFor(process)) this.#options.send(identity)(message);
		}
	}

	#hello(identity: string, { version: theirs, process, pid }: Extract<ToHub, { kind: "hello" }>): void {
		const member = this.#members[process];
		if (member === undefined || member.identity !== undefined || this.#byIdentity.has(identity)) {
			this.dropped += 1;
			return;
		}
		member.identity = identity;
		member.pid = pid;
		const known = this.#options.hostOf === undefined ? pid : undefined;
		member.heartbeats = new HeartbeatMonitor(this.#options.now(), known, this.#silenceMs);
		this.#byIdentity.set(identity, member);
		const send = this.#options.send(identity);
		const rank = process * this.#perProcess;
		this.#write(rank, "connected", { process, pid });
		if (theirs !== version) this.fail(rank, otherVersion(rank, theirs));
		if (this.#failure !== undefined) return void send({ kind: "abort", ...this.#failure });
		if (this.#isClosing) return void send({ kind: "bye" });
		this.#start();
	}

	/** Sends members that have connected their ranks. */
	#start(): void {
		// The cores of a process depend on the other processes of its machine.
		if (this.#options.hostOf !== undefined && this.#members.some(({ location }) => location === undefined)) return;
		for (const member of this.#members) {
			if (member.identity === undefined || member.isStarted || this.#failure !== undefined) continue;
			member.isStarted = true;
			this.#options.send(member.identity)({ kind: "start", ...this.#options.start(member.process) });
			for (const task of this.#tasks) this.#give(member, task);
		}
	}

	/** Its parts of a task. */
	#give({ process, identity, isStarted, hasEnded }: HubMember, task: HubTask): void {
		if (identity === undefined || !isStarted || hasEnded) return;
		task.add({ process, send: this.#options.send(identity) });
	}

	#write(rank: number, event: string, facts: LogFields): void {
		(this.#tasks.of(rank)?.events ?? this.#options.log)?.write(rank, "info", event, facts);
	}

	#bound(member: HubMember, endpoints: readonly string[]): void {
		if (member.endpoints !== undefined) {
			this.dropped += 1;
			return;
		}
		const first = member.process * this.#perProcess;
		const count = this.#options.hasEndpoints ? this.#perProcess : 0;
		if (endpoints.length !== count) this.fail(first, `sent ${endpoints.length} addresses instead of ${count}`);
		if (this.#failure !== undefined) return;
		member.endpoints = endpoints;
		if (!this.#options.hasEndpoints || this.#members.some((each) => each.endpoints === undefined)) return;
		const all = this.#members.flatMap((each) => each.endpoints ?? []);
		const wrong = unreachable(all);
		if (wrong === undefined) this.#sendAll({ kind: "go", endpoints: all });
		else this.fail(-1, wrong);
	}

	#receive(
		member: HubMember,
		message: Extract<ToHub, { kind: "large-message" | "chunk" }>,
		bytes: Uint8Array | undefined,
	): void {
		const { id } = message;
		const rank = id >= STATES ? id - STATES : id;
		try {
			const task = this.#tasks.of(rank);
			const isOwn = this.#isOf(member, rank);
			if (!isOwn || task === undefined) throw new Error(`an unexpected answer of rank ${id}`);
			if (!task.receive(member.process, message, bytes) || this.#failure !== undefined) return;
			this.#tasks.remove(task);
			task.resolve();
		} catch (error) {
			const cause = messageOf(error);
			this.fail(member.process * this.#perProcess, `sent an invalid message: ${cause}`);
		}
	}
}
