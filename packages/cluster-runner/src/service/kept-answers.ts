/** Answers of one client, kept for a while so that they can be sent again after a lost connection. */
import type { Frames } from "./connection.js";

export interface KeepLimits {
	readonly seconds: number;
	readonly bytes: number;
}

interface KeptAnswer {
	readonly frames: Frames;
	readonly bytes: number;
	readonly since: number;
}

export class KeptAnswers {
	/** Oldest first. */
	readonly #answers = new Map<string, KeptAnswer>();
	readonly #limits: KeepLimits;
	#bytes = 0;

	constructor(limits: KeepLimits) {
		this.#limits = limits;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get(id: string): Frames | undefined {
		return this.#answers.get(id)?.frames;
	}

	put(id: string, frames: Frames): void {
		this.forget(id);
		const bytes = bytesOf(frames);
		this.#answers.set(id, { frames, bytes, since: performance.now() });
		this.#bytes += bytes;
		for (const oldest of this.#answers.keys()) {
			if (this.#bytes <= this.#limits.bytes) return;
			this.forget(oldest);
		}
	}

	forget(id: string): void {
		const answer = this.#answers.get(id);
		if (answer === undefined) return;
		this.#answers.delete(id);
		this.#bytes -= answer.bytes;
	}

	/** Forgets expired answers. */
	sweep(): void {
		const until = performance.now() - 1000 * this.#limits.seconds;
		for (const [id, { since }] of this.#answers) {
			if (since > until) return;
			this.forget(id);
		}
	}
}

export function bytesOf(frames: Frames): number {
	return frames.reduce((bytes, frame) => bytes + frame.byteLength, 0);
}
