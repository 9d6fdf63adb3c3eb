/** Short windows of several sides in turn, so that any disturbance of the machine affects all of them alike. */

/** One side: runs so many products and returns the nanoseconds of one. */
export type Side = (count: number) => Promise<number> | number;

export interface Times {
	/** Nanoseconds of one product: the least over the windows, and the quartiles. */
	readonly least: number;
	readonly low: number;
	readonly median: number;
	readonly high: number;
	/** Window by window. */
	readonly all: readonly number[];
}

/** `rounds` windows of each side, each about `windowMs` long (one product at least). */
export async function alternate(sides: readonly Side[], rounds: number, windowMs: number): Promise<Times[]> {
	const counts: number[] = [];
	for (const side of sides) {
		const once = Math.min(await side(1), await side(1));
		counts.push(Math.max(1, Math.round((1e6 * windowMs) / once)));
	}
	const windows = sides.map((): number[] => []);
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, side] of sides.entries()) windows[index]?.push(await side(counts[index] ?? 1));
	}
	return windows.map(timesOf);
}

export function timesOf(all: readonly number[]): Times {
	const sorted = [...all].sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
	return { least: at(0), low: at(0.25), median: at(0.5), high: at(0.75), all };
}

/** How many times as fast `a` is as `b`: by the least times, and by windows that were neighbours. */
export function compare(a: Times, b: Times): { readonly byLeast: number; readonly pairs: Times } {
	return {
		byLeast: b.least / a.least,
		pairs: timesOf(a.all.map((time, round) => (b.all[round] ?? Number.NaN) / time)),
	};
}
