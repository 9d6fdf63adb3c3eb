/** Typed arrays that callers give, by their kind: also those of another window or worker, whose classes are other ones. */

export function isReals(value: unknown): value is Float64Array {
	return ArrayBuffer.isView(value) && (value as Float64Array)[Symbol.toStringTag] === "Float64Array";
}

export function isIndices(value: unknown): value is Int32Array {
	return ArrayBuffer.isView(value) && (value as Int32Array)[Symbol.toStringTag] === "Int32Array";
}
