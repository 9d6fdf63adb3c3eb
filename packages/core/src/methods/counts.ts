/** What an iteration of a method costs, as numbers that programs can check; `cost` says the same in words. */

/** So many for each product, and so many more for each iteration. */
interface Rate {
	readonly perProduct: number;
	readonly perIteration: number;
	/** The same for each step of a sweep, of which there are as many as colours of tiles. */
	readonly perStep?: Rate;
}

/**
 * With the method's default options, and of the iterations in which it is at work itself: a method with phases of others has their counts in theirs.
 * What is absent depends on the problem (active sets).
 */
export interface Counts {
	/** Of an iteration, where that is fixed. */
	readonly products?: number;
	readonly exchanges?: Rate;
	readonly reductions?: Rate;
	/** Some iterations take less. */
	readonly isAtMost?: true;
}

/** Beginning and ending a solve take some of their own. */
const ENDS = 8;

/** What a solve counted otherwise than its method says; nothing where all is as it says. What goes by steps of a sweep is left out where they are not known. */
export function countsBroken(
	counts: Counts,
	counted: Readonly<Record<"iterations" | "products" | "exchanges" | "reductions", number>>,
	steps?: number,
): string | undefined {
	const { iterations, products } = counted;
	const expected = [
		["products", counts.products === undefined ? undefined : counts.products * iterations],
		["exchanges", of(counts.exchanges)],
		["reductions", of(counts.reductions)],
	] as const;
	for (const [name, count] of expected) {
		if (count === undefined) continue;
		const more = counted[name] - count;
		const isRight = more <= ENDS && (more >= 0 || counts.isAtMost === true);
		if (!isRight) return `${counted[name]} ${name} in ${iterations} iterations with ${products} products, not ${count}`;
	}
	return undefined;

	function of(rate: Rate | undefined): number | undefined {
		if (rate === undefined || (rate.perStep !== undefined && steps === undefined)) return undefined;
		const { perStep } = rate;
		const inSteps = perStep === undefined ? 0 : perStep.perProduct * products + perStep.perIteration * iterations;
		return rate.perProduct * products + rate.perIteration * iterations + (steps ?? 0) * inSteps;
	}
}
