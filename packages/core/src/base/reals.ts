/** Whether it is a Float64Array, also one of another window or worker, whose class is another one. */
export function isReals(value: unknown): value is Float64Array {
	return ArrayBuffer.isView(value) && (value as Float64Array)[Symbol.toStringTag] === "Float64Array";
}
