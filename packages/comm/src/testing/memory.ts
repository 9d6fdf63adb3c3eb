/** The memory of a rank after a garbage collection, so that two measurements can be compared. */
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import koffi from "koffi";

/** Of the ten numbers of mallinfo2, a call of the GNU C library: what is in use of large pieces, and of small ones. */
const LARGE = "word4";
const SMALL = "word7";

/** Processes of ranks start with this: a flag of V8 that is set while threads run may crash the process, since V8 reads its flags without locks. */
export const COLLECTING = "--expose-gc";

export interface HeldMemory {
	/** Bytes of this thread's objects and of its arrays, shared ones left out. */
	readonly objects: number;
	readonly arrays: number;
	/** Bytes that C holds in a process of one thread; 0 in others, where threads cannot be told apart, and where the system does not tell. */
	readonly native: number;
}

export function heldMemory(): HeldMemory {
	const collect = runInNewContext("gc") as () => void;
	// What the first collection finds to be garbage may hold what only the second one finds.
	collect();
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return { objects: heapUsed, arrays: external, native: isMainThread ? allocated() : 0 };
}

const words = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`word${i}`, "size_t"]));
const information = koffi.struct(words);

function allocated(): number {
	try {
		const mallinfo2 = koffi.load(null).func("mallinfo2", information, []) as () => Record<string, number | bigint>;
		const numbers = mallinfo2();
		return Number(numbers[LARGE]) + Number(numbers[SMALL]);
	} catch {
		// Another C library.
		return 0;
	}
}
