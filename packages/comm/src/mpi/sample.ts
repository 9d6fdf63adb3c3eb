/**
 * Which operations are timed. A look at the clock takes 30 to 110 ns and a short operation 300 to 1000, so one in some is timed and
 * stands for those after it; waits long enough to set anything up are timed always, and apart. The first ones are all timed: while
 * the engine still compiles, they are slow and stand for nobody else.
 */
const FIRST = 32;
const PER_SAMPLE = 32;

/** How many there were before this one. */
export function isSample(index: number): boolean {
	return index < FIRST || index % PER_SAMPLE === 0;
}
