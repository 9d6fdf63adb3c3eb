/** Memory for the TypeScript twin of the kernels: what assembly/memory.ts is for WebAssembly, over typed arrays. */

let numbers: Float64Array = new Float64Array(0);
let integers: Int32Array = new Int32Array(0);

/** Points the twin at a memory; every call of a twin kernel works on the memory bound last. */
export function bind(buffer: ArrayBufferLike): void {
	if (numbers.buffer === buffer) return;
	numbers = new Float64Array(buffer);
	integers = new Int32Array(buffer);
}

export function get(index: number): number {
	return numbers[index]!;
}

export function set(index: number, value: number): void {
	numbers[index] = value;
}

export function getInt(index: number): number {
	return integers[index]!;
}

export function setInt(index: number, value: number): void {
	integers[index] = value;
}
