/** A part of an array that is used again in each step: the same view as long as it is the same part. To make a view takes as long as some contacts of a step. */

type Numbers = Float64Array | Int32Array | Uint8Array;

export class KeptView<T extends Numbers> {
	#array: T | undefined;
	#from = 0;
	#view: T | undefined;

	/** Numbers from..end-1 of the array. */
	of(array: T, from: number, end: number): T {
		const known = this.#view;
		if (known !== undefined && array === this.#array && from === this.#from && end - from === known.length)
			return known;
		const view = array.subarray(from, end) as T;
		this.#array = array;
		this.#from = from;
		this.#view = view;
		return view;
	}
}
