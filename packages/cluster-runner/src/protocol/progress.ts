/** Progress of rank 0 for the thread that shows it: numbers in shared memory, written and read consistently. */
import type { Control } from "@stickslip/comm";
import { assert, PROGRESS_NUMBERS_MAX } from "@stickslip/core/parallel";

/** Odd while the numbers change, so that a reader can detect a partial update. */
const COUNT = 0;
/** Where they begin. */
const NUMBERS = 1;

export function writeProgress({ progress: at }: Control, numbers: readonly number[]): void {
	assert(numbers.length <= PROGRESS_NUMBERS_MAX, "progress is a few numbers");
	at[COUNT]! += 1;
	at.set(numbers, NUMBERS);
	at[COUNT]! += 1;
}

/** Returns a function that returns what is new since its last call. */
export function progressReader({ progress: at }: Control): () => number[] | undefined {
	let seen = at[COUNT]!;
	return () => {
		const count = at[COUNT]!;
		if (count === seen || count % 2 === 1) return undefined;
		const numbers = [...at.subarray(NUMBERS, NUMBERS + PROGRESS_NUMBERS_MAX)];
		if (at[COUNT] !== count) return undefined;
		seen = count;
		return numbers;
	};
}
