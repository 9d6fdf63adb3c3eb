/** Numbers that a step writes before it reads them, in memory that the next one uses again: new arrays of this size, step after step, keep the collector of garbage busy on all cores. */
import { grown } from "./grow.js";
import { KeptView } from "./kept-view.js";

export class ReusedArray<T extends Float64Array | Int32Array> {
	#array: T;
	readonly #view = new KeptView<T>();

	constructor(empty: T) {
		this.#array = empty;
	}

	/** So many numbers, good until the next call. */
	of(length: number): T {
		if (this.#array.length < length) this.#array = grown(this.#array, length);
		return this.#view.of(this.#array, 0, length);
	}
}
