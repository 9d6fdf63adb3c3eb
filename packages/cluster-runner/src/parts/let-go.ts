/** Has the memory of arrays that nobody refers to given back to the system. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * V8 collects when its own heap has grown, of which arrays of hundreds of MiB are no part: a rank would hold its parts until the solve is over. It takes
 * some milliseconds.
 */
export function letGo(): void {
	if (collect === undefined) {
		setFlagsFromString("--expose-gc");
		collect = runInNewContext("gc") as () => void;
	}
	collect();
}
