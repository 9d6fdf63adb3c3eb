/** Returns the memory of large arrays without references to the system. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes from which on a collection is worth its time. */
const LARGE_BYTES = 2 ** 24;

let collect: (() => void) | undefined;

/**
 * Collects garbage after this many bytes were released. V8 does so by itself when its own heap has grown, of which arrays of hundreds of MiB are no part: a
 * rank would hold the parts that it has sent until its solve is over. It takes some milliseconds.
 */
export function letGo(bytes: number): void {
	if (bytes < LARGE_BYTES) return;
	if (collect === undefined) {
		setFlagsFromString("--expose-gc");
		collect = runInNewContext("gc") as () => void;
	}
	collect();
}
