/**
 * The hub of a run over processes: what it knows of each member, and what it answers. Sockets, clocks and processes are elsewhere
 * (in-processes.ts); this is told what happened, in any order that strangers and faults may bring about.
 *
 * The first failure is the run's: all members hear of it, and what they report afterwards is its consequence.
 */
import { type Progress, version } from "@stickslip/core";
import { assert, type Outcome, RankError } from "@stickslip/core/parallel";
import { type Send, SILENCE_MS, type ToHub, type ToMember } from "./messages.js";
import { Parcels, packParcel } from "./parcel.js";
import { isOutcome, type MemberTask } from "./plain.js";
import { Silence } from "./silence.js";

interface Member {
	readonly process: number;
	/** How it is reached; undefined before it says hello. */
	identity?: string;
	pid?: number;
	silence?: Silence;
	endpoints?: readonly string[];
	readonly parcels: Parcels;
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
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
}

/** Above what an answer takes, in bytes: reports with remedies, the history of some millions of iterations. */
const PARCEL_BYTES_MIN = 2 ** 28;
const BYTES_PER_BLOCK = 64;

export class Hub {
	/** Messages that made no sense where they came: of strangers, of unknown members, said twice. */
	dropped = 0;
	/** Resolves with the outcomes by rank, or rejects with the RankError of the first failure. */
	readonly outcomes: Promise<Outcome[]>;
	readonly #options: HubOptions;
	readonly #members: readonly Member[];
	readonly #perProcess: number;
	readonly #byIdentity = new Map<string, Member>();
	readonly #byRank = new Map<number, Outcome>();
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
		const bytesMax = PARCEL_BYTES_MIN + BYTES_PER_BLOCK * blocks;
		this.#members = Array.from({ length: processes }, (_, process) => {
			return { process, parcels: new Parcels(bytesMax), hasEnded: false };
		});
		this.outcomes = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		// Whoever fails it may do so before anybody waits for it.
		this.outcomes.catch(() => {});
	}

	/** The system's ids of processes, as far as they have told them. */
	get pidByProcess(): (number | undefined)[] {
		return this.#members.map(({ pid }) => pid);
	}

	/** Of those that may still be there. */
	get pids(): number[] {
		return this.#members.flatMap(({ pid, hasEnded }) => (pid === undefined || hasEnded ? [] : [pid]));
	}

	get failure(): RankError | undefined {
		return this.#failure && new RankError(this.#failure.rank, this.#failure.reason);
	}

	/** A message that carries the key of the run. */
	take(identity: string, message: ToHub, bytes?: Uint8Array): void {
		const member = this.#byIdentity.get(identity);
		if (message.kind === "hello") this.#hello(identity, message);
		else if (member === undefined) this.dropped += 1;
		else this.#heard(member, message, bytes);
	}

	#heard(member: Member, message: Exclude<ToHub, { kind: "hello" }>, bytes: Uint8Array | undefined): void {
		member.silence?.broken(this.#options.now());
		switch (message.kind) {
			case "beat":
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
				break;
			}
			case "failed":
				this.fail(message.rank < this.#options.ranks ? message.rank : -1, message.reason);
				break;
			default:
				this.#parcel(member, message, bytes);
		}
	}

	/** Signs of life go out, and members without one are lost. To be called regularly. */
	beat(): void {
		const now = this.#options.now();
		for (const member of this.#members) {
			if (member.identity === undefined || member.hasEnded) continue;
			this.#options.send(member.identity)({ kind: "beat" });
			if (!member.silence?.isTooLong(now)) continue;
			this.lost(member.process, `was lost (no sign of life for ${SILENCE_MS / 1000} s)`);
			this.#options.kill(member.process, member.pid);
		}
	}

	/** The limit for reports is over. */
	startOver(seconds: number): void {
		const missing = this.#members.find(({ identity }) => identity === undefined);
		if (missing) this.lost(missing.process, `did not report within ${seconds} s of its start`);
	}

	/** Asks all ranks for an orderly stop; those that come later hear of it when they come. */
	requestStop(code: number): void {
		this.#stop = code;
		this.#sendAll({ kind: "stop", code });
	}

	/** A process is no more, or as good as. */
	lost(process: number, reason: string): void {
		const member = this.#members[process];
		if (member === undefined || member.hasEnded) return;
		member.hasEnded = true;
		if (this.#isDone()) return;
		const first = process * this.#perProcess;
		this.fail(first, this.#perProcess === 1 ? reason : reason.replace(/^was lost\b/, "was lost with its process"));
	}

	fail(rank: number, reason: string): void {
		if (this.#failure !== undefined || this.#isDone()) return;
		this.#failure = { rank, reason };
		this.#sendAll({ kind: "abort", rank, reason });
		this.#reject(new RankError(rank, reason));
	}

	#isDone(): boolean {
		return this.#byRank.size === this.#options.ranks;
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
		member.silence = new Silence(this.#options.now(), pid);
		this.#byIdentity.set(identity, member);
		const send = this.#options.send(identity);
		if (theirs !== version) this.fail(process * this.#perProcess, `runs version ${theirs} and the others ${version}`);
		if (this.#failure !== undefined) {
			send({ kind: "abort", ...this.#failure });
			return;
		}
		if (this.#stop !== 0) send({ kind: "stop", code: this.#stop });
		this.#waiting.push(member);
		if (this.#served === undefined) this.#serveNext();
	}

	#serveNext(): void {
		this.#served = this.#waiting.shift();
		const { process, identity } = this.#served ?? {};
		if (process === undefined || identity === undefined || this.#failure !== undefined) return;
		const send = this.#options.send(identity);
		for (const { message, bytes } of packParcel(0, this.#options.task(process))) send(message, bytes);
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
		this.#sendAll({ kind: "go", endpoints: this.#members.flatMap((each) => each.endpoints ?? []) });
	}

	#parcel(member: Member, message: Extract<ToHub, { kind: "parcel" | "piece" }>, bytes: Uint8Array | undefined): void {
		const { ranks, blocks } = this.#options;
		const { id } = message;
		const isOwn = Math.floor(id / this.#perProcess) === member.process && id < ranks;
		try {
			if (!isOwn || this.#byRank.has(id)) throw new Error(`an answer of rank ${id} that nobody waits for`);
			const whole = member.parcels.take(message, bytes);
			if (whole === undefined) return;
			const { value } = whole;
			if (!isOutcome(value, blocks) || value.rank.rank !== id) throw new Error("an answer that is none");
			this.#outcome(id, value);
		} catch (error) {
			const told = error instanceof Error ? error.message : String(error);
			this.fail(member.process * this.#perProcess, `sent what makes no sense: ${told}`);
		}
	}

	#outcome(rank: number, outcome: Outcome): void {
		this.#byRank.set(rank, outcome);
		if (!this.#isDone() || this.#failure !== undefined) return;
		const outcomes = Array.from({ length: this.#options.ranks }, (_, each) => this.#byRank.get(each)!);
		const owned = new Uint8Array(this.#options.blocks);
		for (const { ids } of outcomes) for (const id of ids) owned[id]! += 1;
		if (owned.some((times) => times !== 1)) {
			this.#reject(
				new RankError(-1, "the ranks' answers do not make up the whole: a contact is missing or there twice"),
			);
		}
		this.#sendAll({ kind: "bye" });
		this.#resolve(outcomes);
	}
}
