/** Replaces the end of an open file. A full disk may take half of a write, so the end is restored if the whole does not fit. */
import { ftruncateSync, writeSync } from "node:fs";

/** Writes `text` from a position on. If that fails, the file ends at that position with `before`, its previous end. */
export function writeEnd(file: number, position: number, text: string, before = ""): void {
	try {
		writeFully(file, position, text);
	} catch (error) {
		ftruncateSync(file, position);
		writeFully(file, position, before);
		throw error;
	}
}

function writeFully(file: number, position: number, text: string): void {
	const bytes = Buffer.from(text);
	for (let written = 0; written < bytes.length; ) {
		written += writeSync(file, bytes, written, bytes.length - written, position + written);
	}
}
