/** The memories of solves on this thread: what they reserve, and the pages that they have. */
import { askForLargePages, LARGE_PAGE_BYTES } from "@stickslip/comm";
import { reserveAtMost, whenLarge } from "@stickslip/core/parallel";

/** `reserveBytes` where addresses are limited. */
export function prepareMemory(reserveBytes: number | undefined): void {
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	whenLarge(askForLargePages);
}

/**
 * The same for one of several ranks, which has called the system already to stay on its core: it asks for large pages from where a memory has room for one
 * on. What one rank has in large pages many would have in small ones otherwise, each its part.
 */
export function prepareRankMemory(reserveBytes: number | undefined): void {
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	whenLarge(askForLargePages, LARGE_PAGE_BYTES);
}
