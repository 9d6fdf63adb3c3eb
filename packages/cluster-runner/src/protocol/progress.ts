/** Rank 0's progress on its way to the thread that shows it: numbers in the process's shared memory, as of one moment. */
import type { Control } from "@stickslip/comm";
import { methods, type Progress } from "@stickslip/core";

/** Odd while the numbers change, so that a reader can detect a partial update. */
const COUNT = 0;
const ITERATIONS = 1;
const PRODUCTS = 2;
const ERROR = 3;
const IS_EXACT = 4;
const SECONDS = 5;
const METHOD = 6;

/** Methods travel as numbers; one without a number is shown as auto. */
const names = methods().map(({ name }) => name);

export function writeProgress({ progress: at }: Control, now: Progress): void {
	at[COUNT]! += 1;
	at[ITERATIONS] = now.iterations;
	at[PRODUCTS] = now.products;
	at[ERROR] = now.error;
	at[IS_EXACT] = now.exact ? 1 : 0;
	at[SECONDS] = now.seconds;
	at[METHOD] = names.indexOf(now.method);
	at[COUNT]! += 1;
}

/** Returns a function that tells what is new since it was last called. */
export function progressReader({ progress: at }: Control): () => Progress | undefined {
	let seen = 0;
	return () => {
		const count = at[COUNT]!;
		if (count === seen || count % 2 === 1) return undefined;
		const now: Progress = {
			iterations: at[ITERATIONS]!,
			products: at[PRODUCTS]!,
			error: at[ERROR]!,
			exact: at[IS_EXACT] === 1,
			seconds: at[SECONDS]!,
			method: names[at[METHOD]!] ?? "auto",
		};
		if (at[COUNT] !== count) return undefined;
		seen = count;
		return now;
	};
}
