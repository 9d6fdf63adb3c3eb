/** Reads a file that another process appends to, each time from where the last read ended. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 2 ** 16;

export class Tail {
	readonly #file: string;
	readonly #take: (part: Uint8Array) => void;
	#at = 0;

	/** With `isFromEnd` the present content is skipped. */
	constructor(file: string, take: (part: Uint8Array) => void, isFromEnd = false) {
		this.#file = file;
		this.#take = take;
		if (!isFromEnd) return;
		this.#read((descriptor) => {
			this.#at = fstatSync(descriptor).size;
		});
	}

	/** Passes on what was added since the last call. */
	pump(): void {
		this.#read((descriptor) => {
			const chunk = new Uint8Array(CHUNK_BYTES);
			// Only as much as was there when this began, so that a fast writer does not block.
			let left = fstatSync(descriptor).size - this.#at;
			while (left > 0) {
				const bytes = readSync(descriptor, chunk, 0, Math.min(left, CHUNK_BYTES), this.#at);
				if (bytes === 0) return;
				this.#at += bytes;
				left -= bytes;
				this.#take(chunk.slice(0, bytes));
			}
		});
	}

	/** A file that does not exist yet, or cannot be read now, is read the next time. */
	#read(use: (descriptor: number) => void): void {
		let descriptor: number;
		try {
			descriptor = openSync(this.#file, "r");
		} catch {
			return;
		}
		try {
			use(descriptor);
		} finally {
			closeSync(descriptor);
		}
	}
}
