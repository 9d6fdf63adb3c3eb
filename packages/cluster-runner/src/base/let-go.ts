/** Returns the memory of large arrays without references to the system. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** Bytes from which on a collection is worth its time. */
const LARGE_BYTES = 2 ** 24;

let isAllowed = false;
let collect: (() => void) | undefined;

/**
 * Allows letGo in this thread and in those started later; a no-op in threads. V8 keeps one set of flags per process, reads them without locks and says that
 * changing them while it runs may crash it, so no flag is set while rank threads are at work.
 */
export function allowLetGo(): void {
	if (!isMainThread || isAllowed) return;
	isAllowed = true;
	setFlagsFromString("--expose-gc");
}

/**
 * Collects garbage after this many bytes were released. V8 does so by itself when its own heap has grown, of which arrays of hundreds of MiB are no part: a
 * rank would hold the parts that it has sent until its solve is over. It takes some milliseconds.
 */
export function letGo(bytes: number): void {
	if (bytes < LARGE_BYTES) return;
	allowLetGo();
	collect ??= runInNewContext("globalThis.gc ?? (() => {})") as () => void;
	collect();
}
