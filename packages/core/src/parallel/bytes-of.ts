/** Bytes of all arrays in plain data. */
export function bytesOf(data: object): number {
	let bytes = 0;
	for (const value of Object.values(data) as unknown[]) {
		if (ArrayBuffer.isView(value)) bytes += value.byteLength;
		else if (typeof value === "object" && value !== null) bytes += bytesOf(value);
	}
	return bytes;
}
