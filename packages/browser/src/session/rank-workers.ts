/** The workers of a session: starts them, sends them requests, and ends them. A failing rank ends all, and is named. */
import { Control, shareThreads, spinsFor } from "@stickslip/comm/browser";
import { InputError, type Progress, type Solution } from "@stickslip/core";
import { RankError, REQUEST } from "@stickslip/core/parallel";
import { errorOf, messageOf } from "../messages/errors.js";
import type { FromRank, Team, ToRank } from "../messages/messages.js";

const START_SECONDS = 30;

export interface RankWorkersOptions {
	readonly ranks: number;
	/** Starts the worker of a rank. */
	readonly start: () => Worker;
	readonly patienceSeconds: number;
}

/** A request under way: what its rank says of it. */
interface UnderWay {
	readonly resolve: (solution: Solution | undefined) => void;
	readonly reject: (error: unknown) => void;
	readonly onProgress: ((progress: Progress) => void) | undefined;
}

export class RankWorkers {
	readonly ranks: number;
	readonly ready: Promise<void>;
	readonly #workers: Worker[] = [];
	readonly #control: Control | undefined;
	readonly #underWay = new Map<number, UnderWay>();
	#failure: RankError | undefined;
	#lastId = 0;
	#waitingFor: Set<number>;
	#whenReady: () => void = () => {};
	#whenFailed: (error: RankError) => void = () => {};

	constructor({ ranks, start, patienceSeconds }: RankWorkersOptions) {
		this.ranks = ranks;
		this.#control = ranks > 1 ? Control.create() : undefined;
		this.#waitingFor = new Set(Array.from({ length: ranks }, (_, rank) => rank));
		this.ready = new Promise((resolve, reject) => {
			this.#whenReady = resolve;
			this.#whenFailed = reject;
		});
		this.ready.catch(() => {});
		const timer = setTimeout(() => this.#failLate(), 1000 * START_SECONDS);
		this.ready.finally(() => clearTimeout(timer)).catch(() => {});
		try {
			for (let rank = 0; rank < ranks; rank += 1) this.#workers.push(this.#listen(rank, start()));
			this.#startRanks(patienceSeconds);
		} catch (error) {
			this.#fail(new RankError(0, `could not be started: ${messageOf(error)}`));
		}
	}

	get failure(): RankError | undefined {
		return this.#failure;
	}

	/** A number for the next request. */
	nextId(): number {
		this.#lastId += 1;
		return this.#lastId;
	}

	/** Sends a request, and resolves with its answer. */
	async ask(
		rank: number,
		message: Extract<ToRank, { id: number; kind: "solve" | "prepare" }>,
		onProgress?: (progress: Progress) => void,
	): Promise<Solution | undefined> {
		if (this.#failure !== undefined) throw this.#failure;
		return await new Promise((resolve, reject) => {
			this.#underWay.set(message.id, { resolve, reject, onProgress });
			try {
				this.#workers[rank]!.postMessage(message);
			} catch (error) {
				this.#underWay.delete(message.id);
				const remedy = "give plain data and typed arrays, without functions";
				reject(new InputError("problem", "data", `cannot be sent to a worker (${messageOf(error)})`, remedy));
			}
		});
	}

	tell(rank: number, message: ToRank): void {
		this.#workers[rank]?.postMessage(message);
	}

	/** Asks all ranks to stop the problem that was cut for them. */
	stopCut(): void {
		this.#control?.requestStop(REQUEST.cancelled);
	}

	/** That problem is over. */
	endCut(): void {
		this.#control?.withdrawStop();
	}

	terminate(): void {
		for (const worker of this.#workers) worker.terminate();
	}

	#startRanks(patienceSeconds: number): void {
		const { ranks } = this;
		const control = this.#control?.buffer;
		if (control === undefined) {
			this.tell(0, { kind: "start", rank: 0 });
			return;
		}
		const shared = shareThreads(ranks);
		const spins = spinsFor(ranks, navigator.hardwareConcurrency ?? 1);
		const channels = Array.from({ length: ranks - 1 }, () => new MessageChannel());
		for (const [rank, worker] of this.#workers.entries()) {
			const ports = rank === 0 ? channels.map(({ port1 }) => port1) : [channels[rank - 1]!.port2];
			const team: Team = { ranks, control, shared, spins, patienceSeconds, ports };
			worker.postMessage({ kind: "start", rank, team } satisfies ToRank, ports);
		}
	}

	#listen(rank: number, worker: Worker): Worker {
		worker.onmessage = ({ data }: MessageEvent<FromRank>) => this.#handle(rank, data);
		worker.onerror = (event) => {
			event.preventDefault();
			const why = event.message === undefined || event.message === "" ? "its script cannot be loaded" : event.message;
			this.#fail(new RankError(rank, `failed: ${why}`));
		};
		worker.onmessageerror = () => this.#fail(new RankError(rank, "failed: a message of it cannot be read"));
		return worker;
	}

	#handle(rank: number, message: FromRank): void {
		if (message.kind === "failure") this.#fail(new RankError(message.rank, message.reason));
		else if (message.kind === "ready") {
			this.#waitingFor.delete(rank);
			if (this.#waitingFor.size === 0) this.#whenReady();
		} else {
			const request = this.#underWay.get(message.id);
			if (message.kind === "progress") {
				request?.onProgress?.(message.progress);
				return;
			}
			this.#underWay.delete(message.id);
			if (message.kind === "answer") request?.resolve(message.solution);
			else request?.reject(errorOf(message.error));
		}
	}

	#failLate(): void {
		const [rank = 0] = this.#waitingFor;
		this.#fail(new RankError(rank, `did not start within ${START_SECONDS} s`));
	}

	/** The first failure counts; nothing is left of the ranks. */
	#fail(error: RankError): void {
		if (this.#failure !== undefined) return;
		this.#failure = error;
		this.terminate();
		this.#whenFailed(error);
		for (const { reject } of this.#underWay.values()) reject(error);
		this.#underWay.clear();
	}
}
