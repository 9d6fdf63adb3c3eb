/** Has the memory of large arrays that nobody refers to given back to the system. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** From so many on it is worth a while. */
const LARGE_BYTES = 2 ** 24;

let collect: (() => void) | undefined;

/**
 * Collects what is left of so many bytes. V8 does so by itself when its own heap has grown, of which arrays of hundreds of MiB are no part: a rank
 * would hold the parts that it has sent until its solve is over. It takes some milliseconds.
 */
export function letGo(bytes: number): void {
	if (bytes < LARGE_BYTES) return;
	if (collect === undefined) {
		setFlagsFromString("--expose-gc");
		collect = runInNewContext("gc") as () => void;
	}
	collect();
}
