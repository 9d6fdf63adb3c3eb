/** What assembly/rigid-batch.ts adds to a sweep is speed: the twin visits no batch, and goes on pair by pair, with the same bits. */

export const RIGID_BATCH_SCRATCH = 959;

export function visitRigidBatch(first: number, ..._rest: number[]): number {
	return first;
}
