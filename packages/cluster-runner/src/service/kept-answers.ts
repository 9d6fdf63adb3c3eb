/**
 * What the service remembers for one client after a request: answers, so that they can be sent again after a lost connection, and warm starts. Both have one
 * limit on their bytes, and the oldest go first.
 */
import type { Frames } from "./connection.js";

export interface KeepLimits {
	readonly seconds: number;
	readonly bytes: number;
}

interface Kept {
	readonly frames?: Frames;
	/** Frees what is elsewhere. */
	readonly drop?: () => void;
	readonly bytes: number;
	readonly since: number;
}

const ANSWER = "answer ";
const SERIES = "series ";

export class KeptAnswers {
	/** Oldest first. */
	readonly #kept = new Map<string, Kept>();
	readonly #limits: KeepLimits;
	#bytes = 0;

	constructor(limits: KeepLimits) {
		this.#limits = limits;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get(id: string): Frames | undefined {
		return this.#kept.get(ANSWER + id)?.frames;
	}

	put(id: string, frames: Frames): void {
		this.#put(ANSWER + id, { frames, bytes: bytesOf(frames), since: performance.now() });
	}

	/** The session remembers a series, with this number of bytes, until `drop` is called. */
	putSeries(series: string, bytes: number, drop: () => void): void {
		this.#put(SERIES + series, { drop, bytes, since: performance.now() });
	}

	forget(id: string): void {
		this.#drop(ANSWER + id);
	}

	forgetSeries(): void {
		for (const name of [...this.#kept.keys()]) if (name.startsWith(SERIES)) this.#drop(name);
	}

	clear(): void {
		for (const name of [...this.#kept.keys()]) this.#drop(name);
	}

	/** Forgets what has expired. */
	sweep(): void {
		const until = performance.now() - 1000 * this.#limits.seconds;
		for (const [name, { since }] of this.#kept) {
			if (since > until) return;
			this.#drop(name);
		}
	}

	#put(name: string, kept: Kept): void {
		this.#remove(name);
		this.#kept.set(name, kept);
		this.#bytes += kept.bytes;
		for (const oldest of this.#kept.keys()) {
			if (this.#bytes <= this.#limits.bytes) return;
			this.#drop(oldest);
		}
	}

	#drop(name: string): void {
		this.#remove(name)?.drop?.();
	}

	#remove(name: string): Kept | undefined {
		const kept = this.#kept.get(name);
		if (kept === undefined) return undefined;
		this.#kept.delete(name);
		this.#bytes -= kept.bytes;
		return kept;
	}
}

export function bytesOf(frames: Frames): number {
	return frames.reduce((bytes, frame) => bytes + frame.byteLength, 0);
}
