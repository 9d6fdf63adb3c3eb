/** Several ranks' bytes in one message: for each, its rank and its length in four bytes each, then the bytes. */
import { assert } from "@stickslip/core/parallel";

const HEAD_BYTES = 8;

export function packParts(parts: ReadonlyMap<number, Uint8Array>): Uint8Array {
	let length = 0;
	for (const part of parts.values()) length += HEAD_BYTES + part.length;
	const packed = new Uint8Array(length);
	const view = new DataView(packed.buffer);
	let at = 0;
	for (const [rank, part] of parts) {
		view.setUint32(at, rank, true);
		view.setUint32(at + 4, part.length, true);
		packed.set(part, at + HEAD_BYTES);
		at += HEAD_BYTES + part.length;
	}
	return packed;
}

/** Copies. */
export function unpackParts(packed: Uint8Array): Map<number, Uint8Array> {
	const parts = new Map<number, Uint8Array>();
	const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
	for (let at = 0; at < packed.length; ) {
		assert(at + HEAD_BYTES <= packed.length, "a part has its head");
		const end = at + HEAD_BYTES + view.getUint32(at + 4, true);
		assert(end <= packed.length, "a part is whole");
		parts.set(view.getUint32(at, true), packed.slice(at + HEAD_BYTES, end));
		at = end;
	}
	return parts;
}
