/**
 * Which pairs of contacts wait for each other in a sweep: marked once, so that batches (batch.ts, rigid-batch.ts) need not know of colours. A batch
 * ends before a pair that couples to one since the last that waits, whatever part of the pairs is swept.
 */
import { COUPLED, WAITS_FOR_EARLIER } from "./batch";
import { getInt, setInt } from "./memory";

/** Bytes of a pair's numbers in a vector, which columns are counted in. */
const PAIR_BYTES: i32 = 48;

/** Of rows of an assembled W: adds the flag to those of the pairs that have columns of earlier ones; ghosts stand behind all pairs. */
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

/** Whether contacts a and a + 1 touch a common body; the obstacle, which comes last, does not count. */
function shareBody(a: i32, body: i32, obstacle: i32): boolean {
	const a0: i32 = getInt(body + 2 * a);
	const a1: i32 = getInt(body + 2 * a + 1);
	const b0: i32 = getInt(body + 2 * a + 2);
	const b1: i32 = getInt(body + 2 * a + 3);
	return (a0 != obstacle && (a0 == b0 || a0 == b1)) || (a1 != obstacle && (a1 == b0 || a1 == b1));
}

/** Of contacts of bodies: sets the flags of all pairs. `seen` is scratch, an integer per body and for the obstacle: 1 + the last pair that touches it. */
export function markBodyWaits(pairs: i32, body: i32, obstacle: i32, flags: i32, seen: i32): void {
	for (let b: i32 = 0; b <= obstacle; b += 1) setInt(seen + b, 0);
	let first: i32 = 0;
	for (let pair: i32 = 0; pair < pairs; pair += 1) {
		let latest: i32 = 0;
		for (let k: i32 = 4 * pair; k < 4 * pair + 4; k += 1) {
			const b: i32 = getInt(body + k);
			if (b != obstacle && getInt(seen + b) > latest) latest = getInt(seen + b);
		}
		for (let k: i32 = 4 * pair; k < 4 * pair + 4; k += 1) setInt(seen + getInt(body + k), pair + 1);
		const coupled: i32 = shareBody(2 * pair, body, obstacle) ? COUPLED : 0;
		setInt(flags + pair, latest > first ? coupled | WAITS_FOR_EARLIER : coupled);
		if (latest > first) first = pair;
	}
}
