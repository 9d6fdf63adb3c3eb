/**
 * Which pairs of rows of an assembled W wait for each other in a sweep: marked once, so that batch.ts need not know of colours. A batch
 * ends before a pair that couples to one since the last that waits, whatever part of the pairs is swept.
 */
import { WAITS_FOR_EARLIER } from "./batch";
import { getInt, setInt } from "./memory";

/** Bytes of a pair's numbers in a vector, which columns are counted in. */
const PAIR_BYTES: i32 = 48;

/** Adds the flag to those of the pairs that have columns of earlier ones; ghosts stand behind all pairs. */
export function markWaits(pairs: i32, start: i32, column: i32, flags: i32): void {
	let first: i32 = 0;
	for (let pair: i32 = 0; pair < pairs; pair += 1) {
		const end: i32 = 2 * getInt(start + pair + 1);
		let waits: boolean = false;
		for (let k: i32 = 2 * getInt(start + pair); k < end; k += 1) {
			const other: i32 = getInt(column + k);
			if (other >= PAIR_BYTES * first && other < PAIR_BYTES * pair) waits = true;
		}
		if (!waits) continue;
		setInt(flags + pair, getInt(flags + pair) | WAITS_FOR_EARLIER);
		first = pair;
	}
}
