/**
 * A singular diagonal block (a direction in which nothing can move; problem/diagonal.ts says which) gets a stiff spring there,
 * so that local solves and Newton's blocks exist. Fixed points stay what they are: a local solve takes out what it put in.
 */

/** What a blocked direction is given, as a share of the mean diagonal. */
const STIFFNESS = 1e-10;

/** Adds the spring to the block at `at`. */
export function stiffen(w: Float64Array, at: number): void {
	const mean = ((w[at] as number) + (w[at + 4] as number) + (w[at + 8] as number)) / 3;
	for (let k = 0; k < 9; k += 4) w[at + k] = (w[at + k] as number) + STIFFNESS * mean;
}
