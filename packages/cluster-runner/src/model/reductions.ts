/** Who sends what to whom in a reduction, as the communicators of comm do it. A step may send and receive; it ends when both have happened. */

export interface ReductionStep {
	/** The ranks to send to and to receive from; absent where a step does only one. */
	readonly to?: number;
	readonly from?: number;
	/** How many lists of numbers are sent. */
	readonly lists: number;
}

export const REDUCTIONS = ["doubling", "dissemination", "meeting"] as const;
/** mpi/reduction.ts; wired/collective.ts; threads, where all ranks read what all have written. */
export type ReductionName = (typeof REDUCTIONS)[number];

/** Recursive doubling: ranks beyond the largest power of two hand their numbers to one below it, and get the result in the end. */
export function doubling(rank: number, size: number): ReductionStep[] {
	const power = 2 ** Math.floor(Math.log2(size));
	if (rank >= power) return [{ to: rank - power, from: rank - power, lists: 1 }];
	const steps: ReductionStep[] = [];
	for (let bit = 1; bit < power; bit *= 2) steps.push({ to: rank ^ bit, from: rank ^ bit, lists: 1 });
	const extra = rank + power;
	return extra < size ? [{ from: extra, lists: 0 }, ...steps, { to: extra, lists: 1 }] : steps;
}

/** Dissemination: in step k each rank sends what it has 2^k places back; for sizes that are no power of two a second list rides along. */
export function dissemination(rank: number, size: number): ReductionStep[] {
	const steps: ReductionStep[] = [];
	let hasRest = false;
	for (let step = 1; step <= size && size > 1; step *= 2) {
		const isLast = 2 * step > size;
		if (isLast && !hasRest && step === size) break;
		const takesRest = (size & step) !== 0;
		const lists = (isLast ? 0 : 1) + (takesRest && hasRest ? 1 : 0);
		if (lists > 0) steps.push({ to: (rank - step + size) % size, from: (rank + step) % size, lists });
		hasRest ||= takesRest;
	}
	return steps;
}
