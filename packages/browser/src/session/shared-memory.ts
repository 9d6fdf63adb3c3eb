/** Problems in memory that all threads of a page share. */

/**
 * A copy of a problem, or of any plain data, whose arrays lie in shared memory: sessions hand it to their workers without copying it again.
 * The data itself where the page has no shared memory.
 */
export function toSharedMemory<Data>(data: Data): Data {
	return globalThis.crossOriginIsolated === true ? (shared(data, new Map()) as Data) : data;
}

/** What is there twice stays one. */
function shared(value: unknown, known: Map<object, unknown>): unknown {
	if (typeof value !== "object" || value === null) return value;
	const before = known.get(value);
	if (before !== undefined) return before;
	const copy = ArrayBuffer.isView(value) ? sharedArray(value) : sharedFields(value, known);
	known.set(value, copy);
	return copy;
}

function sharedFields(value: object, known: Map<object, unknown>): unknown {
	if (Array.isArray(value)) return value.map((each) => shared(each, known));
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shared(each, known)]));
}

function sharedArray(array: ArrayBufferView): ArrayBufferView {
	if (array.buffer instanceof SharedArrayBuffer) return array;
	const bytes = new Uint8Array(new SharedArrayBuffer(array.byteLength));
	bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
	const Kind = array.constructor as new (buffer: ArrayBufferLike) => ArrayBufferView;
	return new Kind(bytes.buffer);
}
