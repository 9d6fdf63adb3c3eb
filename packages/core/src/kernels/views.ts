/** Where vectors stand in a memory: a place for kernels, and a view for TypeScript. */

/** What grows: a shared WebAssembly memory, or for the twin in an engine without WebAssembly a resizable buffer. */
export interface GrowableMemory {
	readonly buffer: ArrayBufferLike;
	grow(pages: number): void;
}

/** A vector of numbers: its place for kernels, its view for TypeScript. */
export interface Vector {
	readonly at: number;
	readonly values: Float64Array;
}

/** A vector of integers: its place (counted in integers) and its view. */
export interface IntVector {
	readonly at: number;
	readonly values: Int32Array;
}

/** A view that is made when it is first asked for: kernels need places alone, and to make a view takes as long as a few blocks of a product. */
abstract class LazyView<Values> {
	readonly at: number;
	readonly count: number;
	protected readonly memory: GrowableMemory;
	#values: Values | undefined;

	constructor(memory: GrowableMemory, at: number, count: number) {
		this.at = at;
		this.count = count;
		this.memory = memory;
	}

	get values(): Values {
		this.#values ??= this.make();
		return this.#values;
	}

	protected abstract make(): Values;
}

export class LazyVector extends LazyView<Float64Array> implements Vector {
	protected make(): Float64Array {
		return new Float64Array(this.memory.buffer, 8 * this.at, this.count);
	}
}

export class LazyIntVector extends LazyView<Int32Array> implements IntVector {
	protected make(): Int32Array {
		return new Int32Array(this.memory.buffer, 4 * this.at, this.count);
	}
}
