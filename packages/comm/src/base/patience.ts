/**
 * Bounded waiting, in one place: spin for a moment where a core can be spared, then sleep in slices, look at control between
 * slices, and past the limit end all ranks in the name of the one that is late.
 *
 * Spinning answers in 0.4 us where a wake-up takes 14, but only if the other thread runs meanwhile: with more ranks than cores a spinning rank takes the
 * time of the rank it waits for, and a round takes tens of milliseconds. The same happens where other processes use the cores too. So the number of spins
 * is halved each time they were in vain, and restored once they were not.
 */
import { assert } from "@stickslip/core/parallel";
import type { Control } from "./control.js";

/** The longest sleep, in milliseconds: an abort is noticed within this time. */
export const SLICE_MS = 50;
/** The first nap if nothing can wake a sleeper; later ones grow. */
const FIRST_NAP_MS = 0.05;
/** About a tenth of a millisecond: several wake-ups, and little to lose if another process has the other core. */
const SPINS = 30_000;
/** After this many waits without spins one tries whether spinning helps again; if not, the next try comes after twice as many. */
const PROBE_WAITS_MIN = 32;
const PROBE_WAITS_MAX = 4096;

/** Created when needed: a page that is not isolated has no shared memory, and does not sleep. */
let word: Int32Array | undefined;

/** How many times to poll before the first sleep: not at all with more ranks than cores. Call it before pinning: afterwards a thread has one core. */
export function spinsFor(ranks: number, cores: number): number {
	return ranks <= cores ? SPINS : 0;
}

/** Blocks this thread. */
export function sleep(milliseconds: number): void {
	word ??= new Int32Array(new SharedArrayBuffer(4));
	Atomics.wait(word, 0, 0, milliseconds);
}

export interface Late {
	/** The rank that is waited for; -1 if it is not known. */
	readonly rank: number;
	/** What is waited for, as in "its part of reduction 7". */
	readonly what: string;
}

export interface PatienceOptions {
	readonly control: Control;
	/** How long one wait may last. */
	readonly seconds?: number;
	/** See spinsFor. */
	readonly spins: number;
}

export class Patience {
	readonly control: Control;
	/** For waits that begin from now on. */
	seconds: number;
	readonly spins: number;
	#spinsNow: number;
	#waitsToProbe = PROBE_WAITS_MIN;
	#waits = 0;

	constructor({ control, seconds = 60, spins }: PatienceOptions) {
		assert(seconds > 0 && spins >= 0, "patience is positive");
		this.control = control;
		this.seconds = seconds;
		this.spins = spins;
		this.#spinsNow = spins;
	}

	/**
	 * Returns as soon as isDone() does; throws a RankError when some rank has failed, or with the late rank's name past the limit.
	 * `nap` blocks for at most so many milliseconds and may return early: a poll of sockets, or a wait for a notification of the other
	 * side. Without one the naps are short first and grow.
	 */
	waitUntil(isDone: () => boolean, describe: () => Late, nap?: (milliseconds: number) => void): void {
		if (this.spin(isDone)) return;
		const end = performance.now() + 1000 * this.seconds;
		let slice = nap === undefined ? FIRST_NAP_MS : SLICE_MS;
		for (;;) {
			this.control.check();
			const left = end - performance.now();
			// The nap counts from here, so the last check is after it: a wait that ends in time is never reported as late.
			if (left <= 0) this.#giveUp(describe());
			(nap ?? sleep)(Math.min(slice, left));
			if (isDone()) return;
			slice = Math.min(SLICE_MS, 2 * slice);
		}
	}

	/** Whether it was done before it was time to sleep: the first part of a wait. */
	spin(isDone: () => boolean): boolean {
		const isProbe = this.#waits === this.#waitsToProbe;
		const spins = isProbe ? this.spins : this.#spinsNow;
		for (let spin = spins; spin >= 0; spin -= 1) {
			if (!isDone()) continue;
			// A wait that was done already does not count.
			if (spin < spins) this.#adapt(true, isProbe);
			return true;
		}
		this.#adapt(false, isProbe);
		return false;
	}

	/** Counts the waits without spins, and changes how many there are. */
	#adapt(hasHelped: boolean, isProbe: boolean): void {
		this.#spinsNow = hasHelped ? this.spins : this.#spinsNow >> 1;
		if (isProbe) this.#waitsToProbe = hasHelped ? PROBE_WAITS_MIN : Math.min(PROBE_WAITS_MAX, 2 * this.#waitsToProbe);
		this.#waits = isProbe || this.#spinsNow > 0 ? 0 : this.#waits + 1;
	}

	#giveUp({ rank, what }: Late): never {
		this.control.abort(rank, `is late: after ${this.seconds} s of waiting for ${what}`);
		this.control.check();
		throw new Error("assertion failed: control forgot a failure");
	}
}
