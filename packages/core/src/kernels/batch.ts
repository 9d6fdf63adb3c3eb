/** What assembly/batch.ts adds to a sweep is speed: the twin visits no batch, and goes on pair by pair, with the same bits. */

export const COUPLED = 1;
export const WAITS_FOR_EARLIER = 2;
export const BATCH_SCRATCH = 863;

export function visitBatch(first: number, ..._rest: number[]): number {
	return first;
}
