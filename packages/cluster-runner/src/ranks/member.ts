/**
 * A process of a run, from the inside: it takes its task from the hub, starts its ranks, and passes on what they and the hub have to
 * say to each other. Sockets, clocks and the process's end are elsewhere (process.ts).
 */
import { hostname } from "node:os";
import { Control } from "@stickslip/comm";
import { InputError, version } from "@stickslip/core";
import type { RunState } from "@stickslip/core/parallel";
import { isSeen } from "../checkpoints/folder.js";
import { whyUnwritten, writeState } from "../checkpoints/write.js";
import type { Crew, CrewWatch } from "./crew.js";
import { digestOf } from "./digest.js";
import { TO_HUB_PIECE_BYTES_MAX } from "./frames.js";
import { HUB_SILENCE_MS, type Place, REASON_MAX, type Send, STATES, type ToHub, type ToMember } from "./messages.js";
import { Parcels, packParcel } from "./parcel.js";
import { isMemberTask, type MemberTask } from "./plain.js";
import { progressReader } from "./progress.js";
import { reasonOf } from "./refusal.js";
import { Silence } from "./silence.js";

export interface MemberOptions {
	/** Its number among the processes. */
	readonly process: number;
	readonly pid: number;
	readonly send: Send<ToHub>;
	/** Where it runs, where the hub may be on another host. */
	readonly place?: Place | undefined;
	/** Of the process that started the run, where it is on this machine. */
	readonly hubPid?: number | undefined;
	/** Starts the ranks of a task. */
	readonly start: (task: MemberTask, control: Control, watch: CrewWatch) => Crew;
	/** The process has no more to do: 0 where all is well, 3 otherwise. */
	readonly end: (code: 0 | 3) => void;
	readonly now: () => number;
}

/** Shares are as large as they are; the hub is whoever started this process. */
const TASK_BYTES_MAX = 2 ** 40;

export class Member {
	/** Messages that made no sense here. */
	dropped = 0;
	readonly control = Control.create();
	readonly #options: MemberOptions;
	readonly #parcels = new Parcels(TASK_BYTES_MAX);
	readonly #progress = progressReader(this.control);
	readonly #silence: Silence;
	/** Whether the hub was heard: until then it may still be busy. */
	isHeard = false;
	#isTasked = false;
	/** -1 until it is known. */
	#firstRank = -1;
	#crew: Crew | undefined;
	/** Ended from outside, which is for whoever sees the end to tell. */
	#isSilent = false;
	#hasEnded = false;

	constructor(options: MemberOptions) {
		this.#options = options;
		this.#silence = new Silence(options.now(), options.hubPid, HUB_SILENCE_MS);
		options.send({ kind: "hello", version, process: options.process, pid: options.pid });
		if (options.place) options.send(options.place);
	}

	/** A message that carries the key of the run. */
	take(message: ToMember, bytes?: Uint8Array): void {
		this.isHeard = true;
		this.#silence.broken(this.#options.now());
		switch (message.kind) {
			case "beat":
				break;
			case "parcel":
			case "piece":
				this.#parcel(message, bytes);
				break;
			case "go":
				if (this.#crew === undefined) this.dropped += 1;
				else this.#crew.connect(message.endpoints);
				break;
			case "stop":
				this.control.requestStop(message.code);
				break;
			case "save":
				this.control.requestSave();
				break;
			case "abort":
				this.fail(message.rank, message.reason);
				break;
			case "bye":
				this.#end(0);
		}
	}

	/** Says that it lives, and looks whether the hub does; to be called regularly. */
	beat(): void {
		this.#options.send({ kind: "beat" });
		const isTooLong = this.#silence.isTooLong(this.#options.now());
		const seconds = HUB_SILENCE_MS / 1000;
		if (this.isHeard && isTooLong)
			this.fail(-1, `the process that started the run has given no sign of life for ${seconds} s`);
	}

	/** Tells of rank 0's progress, where there is any. */
	report(): void {
		const now = this.#options.process === 0 ? this.#progress() : undefined;
		if (now && now.iterations >= 0) this.#options.send({ kind: "progress", ...now });
	}

	/** Ends the ranks of this process, which tell how it ended; without any it ends at once. */
	fail(rank: number, reason: string): void {
		this.control.abort(rank, reason);
		if (this.#crew === undefined) this.#end(3);
	}

	/** Something failed here that is nobody's of the ranks: the hub hears of it, in the name of this process. */
	broken(reason: string): void {
		this.#options.send({ kind: "failed", rank: this.#firstRank, reason: cut(reason) });
		this.fail(this.#firstRank, reason);
	}

	/** Asks for an orderly end of the whole run. */
	ask(): void {
		this.#options.send({ kind: "asked" });
	}

	/** The same where somebody ended this process: what becomes of its ranks is no news to the hub, who is to hear of the cause. */
	leave(reason: string): void {
		this.#isSilent = true;
		this.fail(-1, reason);
	}

	#parcel(message: Extract<ToMember, { kind: "parcel" | "piece" }>, bytes: Uint8Array | undefined): void {
		try {
			if (message.id !== 0 || this.#isTasked) throw new Error("a task that nobody waits for");
			const whole = this.#parcels.take(message, bytes);
			if (whole === undefined) return;
			if (!isMemberTask(whole.value)) throw new Error("a task that is none");
			this.#isTasked = true;
			this.#firstRank = whole.value.firstRank;
			this.#options.send({ kind: "taken" });
			this.#begin(whole.value);
		} catch (error) {
			// The hub knows what this process has to listen on, or whom to ask, no better than this process itself.
			const isOurs = error instanceof InputError;
			const reason = isOurs ? reasonOf(error) : `the hub sent what makes no sense: ${told(error)}`;
			this.#options.send({ kind: "failed", rank: -1, reason: cut(reason) });
			this.fail(-1, told(error));
		}
	}

	#begin(task: MemberTask): void {
		const { shares, options, transport, digest, from } = task;
		const own = shares.map((share, thread) => digestOf(share, options, transport, from?.[thread]?.iteration));
		const other = own.find((each) => each !== digest);
		const hasEndpoints = transport.endsWith("zeromq");
		// With another digest the hub refuses this process by name, and its ranks need not begin.
		if (other !== undefined) {
			this.#options.send({ kind: "bound", digest: other, endpoints: [] });
			return;
		}
		const crew = this.#options.start(task, this.control, this.#watch(task));
		for (const { rank, ownContacts: contacts } of shares) {
			const facts = { host: hostname(), pid: this.#options.pid, contacts };
			this.#options.send({ kind: "log", rank, level: "info", event: "started", facts });
		}
		this.#crew = crew;
		if (hasEndpoints) {
			crew.endpoints.then((endpoints) => this.#options.send({ kind: "bound", digest, endpoints }));
		} else this.#options.send({ kind: "bound", digest, endpoints: [] });
		crew.outcomes.then(
			(outcomes) => {
				for (const [thread, outcome] of outcomes.entries()) {
					const parts = packParcel(task.firstRank + thread, outcome, TO_HUB_PIECE_BYTES_MAX);
					for (const { message, bytes } of parts) this.#options.send(message, bytes);
				}
			},
			(error) => {
				const { rank, reason } = this.control.failure() ?? { rank: -1, reason: told(error) };
				if (!this.#isSilent) this.#options.send({ kind: "failed", rank, reason: cut(reason) });
				this.#end(3);
			},
		);
	}

	/** Parts of checkpoints are written here where this process sees their folder; elsewhere the hub gets the states and writes them. */
	#watch({ site }: MemberTask): CrewWatch {
		const seen = site === undefined ? Promise.resolve(false) : isSeen(site);
		const { send } = this.#options;
		const save = async (rank: number, state: RunState) => {
			if (site === undefined || !(await seen)) {
				const parts = packParcel(STATES + rank, state, TO_HUB_PIECE_BYTES_MAX);
				for (const { message, bytes } of parts) send(message, bytes);
				return;
			}
			try {
				send({ kind: "saved", rank, ...(await writeState(site, rank, state)) });
			} catch (error) {
				send({ kind: "unsaved", rank, iteration: state.iteration, reason: cut(whyUnwritten(error)) });
			}
		};
		const dropped = (rank: number, frames: number) =>
			send({ kind: "log", rank, level: "warn", event: "foreign frames dropped", facts: { frames } });
		return { ready: (rank) => send({ kind: "ready", rank }), dropped, save };
	}

	#end(code: 0 | 3): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.#options.end(code);
	}
}

function told(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function cut(reason: string): string {
	return reason.slice(0, REASON_MAX);
}
