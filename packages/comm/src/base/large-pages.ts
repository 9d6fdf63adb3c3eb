/**
 * Pages of 2 MiB for large memories. A sweep reads bodies wherever they stand; with pages of 4 KiB a core has to look up where most of them are, once a
 * memory is larger than the two thousand pages that it remembers. Most Linux systems give large pages only to programs that ask (`madvise`); this asks.
 */
import { linuxCalls } from "./foreign.js";

export const LARGE_PAGE_BYTES = 2 ** 21;

const MADV_HUGEPAGE = 14;
/** Since Linux 6.1: puts what was written already into large pages at once, and not in the course of minutes. */
const MADV_COLLAPSE = 25;

interface Advice {
	readonly madvise: (address: Uint8Array, bytes: number, advice: number) => number;
}

const calls = linuxCalls<Advice>((library) => ({
	madvise: library.func("int madvise(const uint8_t *address, size_t bytes, int advice)"),
}));

/** For what is there, and for all that it may grow to. Where the system does neither, it stays as it was. */
export function askForLargePages(memory: ArrayBufferLike, reservedBytes: number): boolean {
	const bytes = new Uint8Array(memory);
	const isAdvised = calls()?.madvise(bytes, reservedBytes, MADV_HUGEPAGE) === 0;
	if (isAdvised) calls()?.madvise(bytes, bytes.byteLength, MADV_COLLAPSE);
	return isAdvised;
}
