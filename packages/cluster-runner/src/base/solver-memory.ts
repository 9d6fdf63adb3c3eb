/** The memories of solves on this thread: what they reserve, and the pages that they have. */
import { askForLargePages } from "@stickslip/comm";
import { reserveAtMost, whenLarge } from "@stickslip/core/parallel";

/** `reserveBytes` where addresses are limited. */
export function prepareMemory(reserveBytes: number | undefined): void {
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	whenLarge(askForLargePages);
}
