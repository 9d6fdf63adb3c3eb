/** The plain binary file that siconos.c and the child of our own side read, and the vectors that come back. */
import { readFileSync, writeFileSync } from "node:fs";
import type { BlockProblem } from "./score.js";

/** int32 contacts, blocks, rowStart, column; float64 values, q, mu; little-endian, nothing between them. */
export function writeBinary(path: string, problem: BlockProblem): void {
	const { column, contacts, mu, q, rowStart, values } = problem;
	const parts = [Int32Array.of(contacts, column.length), rowStart, column, values, q, mu];
	writeFileSync(path, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
}

export function readBinary(path: string): BlockProblem {
	const bytes = readFileSync(path);
	let offset = 0;
	// Copies, because float64 values may start at an odd multiple of four bytes.
	const take = (length: number): ArrayBuffer => {
		const part = new Uint8Array(bytes.subarray(offset, offset + length));
		offset += length;
		return part.buffer;
	};
	const [contacts = 0, blocks = 0] = new Int32Array(take(8));
	return {
		contacts,
		rowStart: new Int32Array(take(4 * (contacts + 1))),
		column: new Int32Array(take(4 * blocks)),
		values: new Float64Array(take(72 * blocks)),
		q: new Float64Array(take(24 * contacts)),
		mu: new Float64Array(take(8 * contacts)),
	};
}

export function readVector(path: string): Float64Array {
	return new Float64Array(new Uint8Array(readFileSync(path)).buffer);
}
