/**
 * Shared state of the threads of one process: which rank failed first and why, whether an orderly stop was requested, and heartbeats. It is in shared
 * memory, so that a thread which waits or computes can check it without messages (a rank never returns to its event loop while it works), and so that the
 * main thread can report one that died.
 *
 * A failure is two words and a text. The rank is swapped in atomically, so the first failure wins; the text follows and is
 * announced by a word of its own, since its writer may die in between: a failure without its text is still a failure.
 */
import { assert, RankError } from "@stickslip/core/parallel";

const FAILED = 0;
const REASON_BYTES = 1;
const STOP = 2;
const SAVES = 3;
/** 32-bit words of a cache line, which separates the data of different threads. */
const LINE = 16;
const PROGRESS = LINE;
const PROGRESS_COUNT = 8;
const REASON = 2 * LINE;
const REASON_BYTES_MAX = 4096;
const BEATS = REASON + REASON_BYTES_MAX / 4;
/** The most threads of one process. */
const BEATS_COUNT = 1024;
const WORDS = BEATS + BEATS_COUNT * LINE;
/** A stop of one thread's task is one word: the task's number modulo this, and a code. */
const TASKS = 2 ** 23;
const TASK_CODES = 2 ** 8;
/** How long a reader waits for the text of a failure that is just being written. */
const REASON_MS = 20;

export interface Failure {
	readonly rank: number;
	/** What the rank did, as in "rank 3 ran out of memory". */
	readonly reason: string;
}

export class Control {
	readonly buffer: SharedArrayBuffer;
	/** For progress that a process wants to show. */
	readonly progress: Float64Array;
	readonly #words: Int32Array;

	static create(): Control {
		return new Control(new SharedArrayBuffer(WORDS * 4));
	}

	constructor(buffer: SharedArrayBuffer) {
		assert(buffer.byteLength === WORDS * 4, "control is made by Control.create()");
		this.buffer = buffer;
		this.#words = new Int32Array(buffer);
		this.progress = new Float64Array(buffer, PROGRESS * 4, PROGRESS_COUNT);
	}

	/** Ends all ranks and blames this one (-1 if it is not known), unless another failed before. */
	abort(rank: number, reason: string): void {
		assert(Number.isInteger(rank) && rank >= -1, "a rank is an integer from -1");
		if (Atomics.compareExchange(this.#words, FAILED, 0, rank + 2) !== 0) return;
		const text = new TextEncoder().encode(reason === "" ? "failed" : reason).subarray(0, REASON_BYTES_MAX);
		new Uint8Array(this.buffer, REASON * 4, text.length).set(text);
		Atomics.store(this.#words, REASON_BYTES, text.length);
		Atomics.notify(this.#words, REASON_BYTES);
	}

	/** Throws a RankError once `abort` has been called; costs one load otherwise. */
	check(): void {
		if (Atomics.load(this.#words, FAILED) === 0) return;
		const { rank, reason } = this.failure() ?? { rank: -1, reason: "failed" };
		throw new RankError(rank, reason);
	}

	failure(): Failure | undefined {
		const failed = Atomics.load(this.#words, FAILED);
		if (failed === 0) return undefined;
		const rank = failed - 2;
		Atomics.wait(this.#words, REASON_BYTES, 0, REASON_MS);
		const length = Atomics.load(this.#words, REASON_BYTES);
		if (length === 0) return { rank, reason: "failed" };
		// A copy, since a decoder does not take shared bytes.
		return { rank, reason: new TextDecoder().decode(new Uint8Array(this.buffer, REASON * 4, length).slice()) };
	}

	/** Asks for an orderly stop; the code is only interpreted by the driver of the loop. The last request counts. */
	requestStop(code: number): void {
		assert(Number.isInteger(code) && code > 0 && code < 2 ** 31, "a stop has a positive code");
		Atomics.store(this.#words, STOP, code);
	}

	/** What was to be stopped has ended. */
	withdrawStop(): void {
		Atomics.store(this.#words, STOP, 0);
	}

	/** The code of the requested stop, 0 for none. */
	get stop(): number {
		return Atomics.load(this.#words, STOP);
	}

	/** The same for one task of one thread, while others continue. The last request to a thread counts. */
	requestStopOf(index: number, task: number, code: number): void {
		assert(
			Number.isInteger(code) && code > 0 && code < TASK_CODES,
			`a stop of one thread has a code below ${TASK_CODES}`,
		);
		Atomics.store(this.#words, this.#beatAt(index) + 1, (task % TASKS) * TASK_CODES + code);
	}

	/** The code of the stop requested for this task of this thread, 0 for none. */
	stopOf(index: number, task: number): number {
		const word = Atomics.load(this.#words, this.#beatAt(index) + 1);
		return Math.floor(word / TASK_CODES) === task % TASKS ? word % TASK_CODES : 0;
	}

	/** Asks the rank that polls this for its state, once. */
	requestSave(): void {
		Atomics.add(this.#words, SAVES, 1);
	}

	/** The number of these requests, modulo 2^32. */
	get saves(): number {
		return Atomics.load(this.#words, SAVES) >>> 0;
	}

	/** A sign of life of the thread with this index. */
	beat(index: number): void {
		Atomics.add(this.#words, this.#beatAt(index), 1);
	}

	/** The number of signs of life, modulo 2^32. */
	beats(index: number): number {
		return Atomics.load(this.#words, this.#beatAt(index)) >>> 0;
	}

	#beatAt(index: number): number {
		assert(Number.isInteger(index) && index >= 0 && index < BEATS_COUNT, `a thread's index is below ${BEATS_COUNT}`);
		return BEATS + index * LINE;
	}
}
