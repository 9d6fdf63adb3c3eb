/** Arrays that grow with some room to spare, so that steps which need no more allocate nothing. */

type Growing = Float64Array | Int32Array | Uint8Array;

/** The array itself where it has room, or else a longer one that begins with the same numbers. */
export function grown<T extends Growing>(array: T, length: number): T {
	if (array.length >= length) return array;
	const longer = new (array.constructor as new (length: number) => T)(length + (length >> 1) + 16);
	longer.set(array as never);
	return longer;
}
