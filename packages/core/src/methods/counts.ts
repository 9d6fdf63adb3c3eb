/** What an iteration of a method costs, as numbers that programs can check; `cost` says the same in words. */

/** So many for each product, and so many more for each iteration. */
interface Rate {
	readonly perProduct: number;
	readonly perIteration: number;
}

/** With the method's default options. What is absent depends on the problem (colours, active sets). */
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

/** What a solve counted otherwise than its method says; nothing where all is as it says. */
export function countsBroken(
	counts: Counts,
	counted: Readonly<Record<"iterations" | "products" | "exchanges" | "reductions", number>>,
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
		return rate && rate.perProduct * products + rate.perIteration * iterations;
	}
}
