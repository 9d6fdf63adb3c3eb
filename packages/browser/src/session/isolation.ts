/** Whether threads of this page can share memory, and if not why: they can where the page is cross-origin isolated. */
import { InputError } from "@stickslip/core";

const HEADERS = "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp";

/** Undefined where several ranks can share memory; otherwise what is missing, in words for people. */
export function missingForThreads(): string | undefined {
	if (globalThis.location?.protocol === "file:") return "the page was opened from disk";
	if (globalThis.crossOriginIsolated !== true) return "the page is not cross-origin isolated";
	if (!("grow" in SharedArrayBuffer.prototype)) return "this browser has no shared memory that grows";
	return undefined;
}

/** How many ranks there will be. Throws an InputError for a number that cannot be. */
export function chooseRanks(wanted: unknown): number {
	const missing = missingForThreads();
	if (wanted === "auto")
		return missing === undefined ? Math.min(RANKS_MAX, Math.max(1, navigator.hardwareConcurrency ?? 1)) : 1;
	if (!(Number.isInteger(wanted) && Number(wanted) >= 1 && Number(wanted) <= RANKS_MAX)) {
		const problem = `${String(wanted)} is not an integer from 1 to ${RANKS_MAX}`;
		throw new InputError("options", "ranks", problem, "give one, or auto");
	}
	if (wanted === 1 || missing === undefined) return Number(wanted);
	const problem = `${String(wanted)} ranks need shared memory, and ${missing}`;
	throw new InputError("options", "ranks", problem, `serve it with ${HEADERS}, or leave ranks out`);
}

/** Ranks that wait for each other take turns on a core: more than this is a mistake. */
const RANKS_MAX = 256;
