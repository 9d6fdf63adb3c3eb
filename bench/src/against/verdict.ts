/**
 * Whether a row has lost speed. Rounds have new processes of both revisions, so that neither keeps what chance gave to one process; each round gives one
 * ratio, of the least windows that took turns. Of ratios in any distribution the order statistics bound the median; a loss is told only where the whole
 * interval is beyond the limit, and rounds are added until the interval is on one side of it, or there are enough.
 */

/** Probability that the median lies beyond one end of the interval. */
const TAIL = 0.005;

export interface Interval {
	readonly low: number;
	readonly median: number;
	readonly high: number;
}

export type Verdict = "loss" | "undecided" | "same" | "gain";

/** Of the median, with at least 99 % confidence; without bounds for fewer than eight numbers. */
export function intervalOf(ratios: readonly number[]): Interval {
	const sorted = [...ratios].sort((a, b) => a - b);
	const count = sorted.length;
	const half = (count - 1) / 2;
	const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
	// The k-th least is above the median where fewer than k of the ratios are below it: a binomial sum.
	let [k, term, sum] = [0, 2 ** -count, 0];
	while (sum + term <= TAIL) {
		sum += term;
		k += 1;
		term *= (count - k + 1) / k;
	}
	if (k === 0) return { low: 0, median, high: Infinity };
	return { low: sorted[k - 1]!, median, high: sorted[count - k]! };
}

/** `limit` is a ratio: 1.1 for a loss of a tenth. */
export function verdictOf({ low, high }: Interval, limit: number): Verdict {
	if (low > limit) return "loss";
	if (high > limit) return "undecided";
	return high < 1 ? "gain" : "same";
}
