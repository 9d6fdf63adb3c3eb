/** The hash by which answers are compared: SHA-256 of the numbers, little-endian, in file order. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export function hashOf(numbers: Float64Array): string {
	const bytes = new Uint8Array(8 * numbers.length);
	const view = new DataView(bytes.buffer);
	// Adding 0 makes -0 into +0: they are the same reaction.
	for (let i = 0; i < numbers.length; i += 1) view.setFloat64(8 * i, numbers[i]! + 0, true);
	return bytesToHex(sha256(bytes));
}
