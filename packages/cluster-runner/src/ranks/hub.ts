/**
 * The hub of a run over processes: the state of each member, and the replies to its messages. Sockets, clocks and processes are elsewhere
 * (in-processes.ts); this handles events in any order, as faults and foreign clients may cause it.
 * The first failure is that of the run: all members are notified, and failures that they report afterwards are consequences.
 */
import { type Progress, version } from "@stickslip/core";
import { assert, type Outcome, RankError } from "@stickslip/core/parallel";
import { START_TIMEOUT } from "../processes/exit-diagnosis.js";
import { unreachable } from "../processes/starters/bind-address.js";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import { packLargeMessage } from "../protocol/large-message.js";
import type { ProcessLocation, Send, ToHub, ToMember } from "../protocol/messages.js";
import { REMOTE_SILENCE_MS, SILENCE_MS, STATES } from "../protocol/messages.js";
import type { MemberTask } from "../protocol/plain.js";
import { cut, otherVersion } from "../protocol/refusal.js";
import { Answers, type Inbox, inboxFor } from "./answers.js";
import type { RunEvents } from "./run-events.js";

interface Member {
	readonly process: number;
	/** How it is reached; undefined before it says hello. */
	identity?: string;
	pid?: number;
	location?: ProcessLocation;
	heartbeats?: HeartbeatMonitor;
	endpoints?: readonly string[];
	readonly inbox: Inbox;
	hasEnded: boolean;
}

export interface HubOptions {
	readonly ranks: number;
	readonly processes: number;
	/** Blocks of the problem. */
	readonly blocks: number;
	/** Of all shares; known once the first was cut. */
	readonly digest: () => string;
	/** What a process is to do, cut out of the problem when it asks for it. */
	readonly task: (process: number) => MemberTask;
	/** Whether ranks have addresses that all have to be told. */
	readonly hasEndpoints: boolean;
	readonly send: (identity: string) => Send<ToMember>;
	/** Ends a process that does not answer any more, and so will not end by itself either. */
	readonly kill: (process: number, pid: number | undefined) => void;
	readonly onProgress?: ((progress: Progress) => void) | undefined;
	/** What is logged and saved of the run. */
	readonly events?: RunEvents | undefined;
	/** Called when a member requests an orderly stop, because its host is to be released. */
	readonly onStopRequested?: () => void;
	/** Where members are on other hosts: what to call the host of a process that has not said it itself. */
	readonly hostOf?: ((process: number) => string) | undefined;
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
}

export class Hub {
	/** Invalid messages: from foreign clients, from unknown members, or repeated. */
	dropped = 0;
	/** Resolves with the outcomes by rank, or rejects with the RankError of the first failure. */
	readonly outcomes: Promise<Outcome[]>;
	readonly #options: HubOptions;
	readonly #members: readonly Member[];
	readonly #perProcess: number;
	readonly #silenceMs: number;
	readonly #byIdentity = new Map<string, Member>();
	readonly #answers: Answers;
	#failure: { readonly rank: number; readonly reason: string } | undefined;
	/** Members whose task is still to be cut; the one before has to have its own first, so that no two are held at a time. */
	readonly #waiting: Member[] = [];
	#served: Member | undefined;
	#stop = 0;
	#resolve: (outcomes: Outcome[]) => void = () => {};
	#reject: (error: unknown) => void = () => {};

	constructor(options: HubOptions) {
		const { ranks, processes, blocks } = options;
		assert(ranks % processes === 0, "all processes have as many ranks");
		this.#options = options;
		this.#perProcess = ranks / processes;
		this.#silenceMs = options.hostOf === undefined ? SILENCE_MS : REMOTE_SILENCE_MS;
		this.#answers = new Answers(ranks, blocks);
		this.#members = Array.from({ length: processes }, (_, process) => {
			return { process, inbox: inboxFor(blocks), hasEnded: false };
		});
		this.outcomes = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		// It may be rejected before anything awaits it.
		this.outcomes.catch(() => {});
	}

	/** The system's ids of processes, as far as they are known. */
	get pidByProcess(): (number | undefined)[] {
		return this.#members.map(({ pid }) => pid);
	}

	/** Of processes that may still run. */
	get pids(): number[] {
		return this.#members.flatMap(({ pid, hasEnded }) => (pid === undefined || hasEnded ? [] : [pid]));
	}

	/** Where processes run, as far as they have reported it. */
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

	#handle(member: Member, message: Exclude<ToHub, { kind: "hello" }>, bytes: Uint8Array | undefined): void {
		member.heartbeats?.received(this.#options.now());
		switch (message.kind) {
			case "asked":
				this.#options.onStopRequested?.();
				break;
			case "beat":
				break;
			case "place":
				member.location ??= message;
				if (this.#served === undefined) this.#serveNext();
				break;
			case "taken":
				if (member !== this.#served) this.dropped += 1;
				else this.#serveNext();
				break;
			case "bound":
				this.#bound(member, message.digest, message.endpoints);
				break;
			case "progress": {
				const { kind: _kind, ...progress } = message;
				if (member.process === 0 && this.#failure === undefined) this.#options.onProgress?.(progress);
				this.#askToSave();
				break;
			}
			case "failed":
				this.fail(message.rank < this.#options.ranks ? message.rank : -1, message.reason);
				break;
			case "parcel":
			case "piece":
				this.#receive(member, message, bytes);
				break;
			default:
				if (this.#isOf(member, message.rank)) this.#options.events?.handle(message);
				else this.dropped += 1;
		}
	}

	#isOf({ process }: Member, rank: number): boolean {
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
			this.lost(member.process, `was lost (no sign of life for ${this.#silenceMs / 1000} s)`);
			this.#options.kill(member.process, member.pid);
		}
	}

	/** Rank 0 passes it on to the others. */
	#askToSave(): void {
		const [first] = this.#members;
		if (first?.identity === undefined || this.#failure !== undefined || !this.#options.events?.isSaveDue) return;
		this.#options.send(first.identity)({ kind: "save" });
	}

	/** The start timeout: members that have not connected are lost. */
	startTimeout(seconds: number): void {
		const missing = this.#members.filter(({ identity }) => identity === undefined);
		if (missing.length === 0) return;
		const hosts = missing.flatMap(({ process }) => this.#options.hostOf?.(process) ?? []).join(", ");
		this.lost(missing[0]!.process, `${START_TIMEOUT} ${seconds} s of its start${hosts && ` (missing: ${hosts})`}`);
	}

	/** Asks all ranks for an orderly stop; those that come later hear of it when they come. */
	requestStop(code: number): void {
		this.#stop = code;
		this.#sendAll({ kind: "stop", code });
	}

	/** A process has ended, or is lost. */
	lost(process: number, reason: string): void {
		const member = this.#members[process];
		if (member === undefined || member.hasEnded) return;
		member.hasEnded = true;
		if (this.#answers.areComplete) return;
		const host = member.location?.host ?? this.#options.hostOf?.(process);
		const at = host === undefined ? "" : ` on ${host}`;
		const what = this.#perProcess === 1 ? "was lost" : "was lost with its process";
		this.fail(process * this.#perProcess, reason.replace(/^was lost\b/, `${what}${at}`));
	}

	fail(rank: number, reason: string): void {
		if (this.#failure !== undefined || this.#answers.areComplete) return;
		this.#failure = { rank, reason: cut(reason) };
		this.#reject(new RankError(rank, reason));
		this.#sendAll({ kind: "abort", ...this.#failure });
	}

	#sendAll(message: ToMember): void {
		for (const { identity, hasEnded } of this.#members) {
			if (identity !== undefined && !hasEnded) this.#options.send(identity)(message);
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
		this.#options.events?.write(rank, "info", "connected", { process, pid });
		if (theirs !== version) this.fail(rank, otherVersion(rank, theirs));
		if (this.#failure !== undefined) return void send({ kind: "abort", ...this.#failure });
		if (this.#stop !== 0) send({ kind: "stop", code: this.#stop });
		this.#waiting.push(member);
		if (this.#served === undefined) this.#serveNext();
	}

	#serveNext(): void {
		// On which cores a process is depends on who else is on its machine.
		if (this.#options.hostOf !== undefined && this.#members.some(({ location }) => location === undefined)) return;
		this.#served = this.#waiting.shift();
		const { process, identity } = this.#served ?? {};
		if (process === undefined || identity === undefined || this.#failure !== undefined) return;
		const send = this.#options.send(identity);
		for (const { message, bytes } of packLargeMessage(0, this.#options.task(process))) send(message, bytes);
	}

	#bound(member: Member, digest: string, endpoints: readonly string[]): void {
		if (member.endpoints !== undefined) {
			this.dropped += 1;
			return;
		}
		const first = member.process * this.#perProcess;
		const count = this.#options.hasEndpoints ? this.#perProcess : 0;
		if (digest !== this.#options.digest()) this.fail(first, "has another problem or other options than the others");
		else if (endpoints.length !== count) this.fail(first, `told ${endpoints.length} addresses instead of ${count}`);
		if (this.#failure !== undefined) return;
		member.endpoints = endpoints;
		if (!this.#options.hasEndpoints || this.#members.some((each) => each.endpoints === undefined)) return;
		const all = this.#members.flatMap((each) => each.endpoints ?? []);
		const wrong = unreachable(all);
		if (wrong === undefined) this.#sendAll({ kind: "go", endpoints: all });
		else this.fail(-1, wrong);
	}

	#receive(member: Member, message: Extract<ToHub, { kind: "parcel" | "piece" }>, bytes: Uint8Array | undefined): void {
		const { id } = message;
		const isState = id >= STATES;
		const isOwn = this.#isOf(member, isState ? id - STATES : id);
		try {
			if (isOwn && isState) {
				const state = member.inbox.states.take(message, bytes);
				if (state) this.#options.events?.state(id - STATES, state.value);
				return;
			}
			if (!isOwn || this.#answers.has(id)) throw new Error(`an unexpected answer of rank ${id}`);
			const whole = member.inbox.answers.take(message, bytes);
			if (whole === undefined) return;
			this.#answers.add(id, whole.value);
			this.#resolveWhenAllCame();
		} catch (error) {
			const cause = error instanceof Error ? error.message : String(error);
			this.fail(member.process * this.#perProcess, `sent an invalid message: ${cause}`);
		}
	}

	#resolveWhenAllCame(): void {
		if (!this.#answers.areComplete || this.#failure !== undefined) return;
		try {
			this.#resolve(this.#answers.all);
		} catch (error) {
			this.#reject(error);
		}
		this.#sendAll({ kind: "bye" });
	}
}
