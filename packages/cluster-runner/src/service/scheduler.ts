/** Passes requests to the session, enough at a time that no rank idles, and repeats those whose ranks were lost, once. */
import type { Progress } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import { FairQueue, type Turn } from "./fair-queue.js";
import type { Request } from "./request.js";
import type { SessionKeeper } from "./session-keeper.js";
import type { Answer } from "./work.js";

/** Pending in the session for each rank: one at work, and one to follow. */
const PER_RANK = 2;
/** Of requests that are expected to take less than this, more are passed: their messages are sent together. */
const QUICK_SECONDS = 0.005;
const QUICK_PER_RANK = 16;
/** A request that takes this long was misjudged. */
const SLOW_MS = 50;
const ATTEMPTS_MAX = 2;

export interface SchedulerEvents {
	progress(request: Request, progress: Progress): void;
	answered(request: Request, answer: Answer): void;
	failed(request: Request, error: unknown): void;
	/** The seconds of rank time that it took. */
	spent(request: Request, seconds: number): void;
	/** Nothing is waiting or pending any more. */
	idle(): void;
}

export class Scheduler {
	readonly #queue = new FairQueue<Request>();
	readonly #keeper: SessionKeeper;
	readonly #events: SchedulerEvents;
	/** Requests in the session, with the time at which they were passed to it. */
	readonly #turns = new Map<Turn<Request>, number>();
	#isOpening = false;

	constructor(keeper: SessionKeeper, events: SchedulerEvents) {
		this.#keeper = keeper;
		this.#events = events;
	}

	get waiting(): number {
		return this.#queue.size;
	}

	get running(): number {
		return this.#turns.size;
	}

	add(request: Request): void {
		this.#queue.push(request.client.name, request);
		this.#fill();
	}

	/** Takes a request out of the queue; false if it is not waiting. */
	remove(request: Request): boolean {
		const isRemoved = this.#queue.remove(request.client.name, request);
		if (isRemoved) {
			request.leaveRanks();
			this.#tellIdle();
		}
		return isRemoved;
	}

	#fill(): void {
		if (this.#keeper.ranks === 0) this.#waitForRanks();
		while (this.#hasRoom()) {
			const turn = this.#queue.take();
			if (turn === undefined) return;
			this.#turns.set(turn, performance.now());
			void this.#run(turn);
		}
	}

	#hasRoom(): boolean {
		const { ranks } = this.#keeper;
		const { size } = this.#turns;
		if (size < PER_RANK * ranks) return true;
		if (size >= QUICK_PER_RANK * ranks) return false;
		let seconds = 0;
		for (const { expected = Number.POSITIVE_INFINITY } of this.#turns.keys()) seconds += expected;
		const [oldest = 0] = this.#turns.values();
		return seconds < QUICK_SECONDS * ranks && performance.now() - oldest < SLOW_MS;
	}

	#waitForRanks(): void {
		if (this.#isOpening) return;
		this.#isOpening = true;
		const again = () => {
			this.#isOpening = false;
			if (this.#queue.size > 0) this.#fill();
		};
		this.#keeper.session().then(again, () => {});
	}

	async #run(turn: Turn<Request>): Promise<void> {
		const request = turn.item;
		const begun = this.#turns.get(turn)!;
		let seconds: number | undefined;
		let isRepeated = false;
		try {
			seconds = await this.#solve(request);
		} catch (error) {
			isRepeated = error instanceof RankError && request.attempts < ATTEMPTS_MAX && !request.signal.aborted;
			if (isRepeated) request.state = "waiting";
			else this.#events.failed(request, error);
		}
		this.#turns.delete(turn);
		if (isRepeated) this.#queue.pushAgain(turn);
		else {
			request.leaveRanks();
			const spent = seconds ?? (performance.now() - begun) / 1000;
			this.#queue.settle(turn, spent);
			this.#events.spent(request, spent);
		}
		this.#fill();
		this.#tellIdle();
	}

	/** Throws a RankError if the ranks were lost. */
	async #solve(request: Request): Promise<number | undefined> {
		const session = await this.#keeper.session();
		request.state = "running";
		request.attempts += 1;
		const { signal, left } = request;
		const onProgress = request.options.progress
			? (progress: Progress) => this.#events.progress(request, progress)
			: undefined;
		try {
			const answer = await request.work({ session, signal, onProgress, deadline: left });
			this.#events.answered(request, answer);
			return answer.seconds;
		} catch (error) {
			if (!this.#keeper.isLost(session, error)) throw error;
			throw error instanceof RankError ? error : new RankError(-1, messageOf(error));
		}
	}

	#tellIdle(): void {
		if (this.#turns.size === 0 && this.#queue.size === 0) this.#events.idle();
	}
}
