/** Two revisions in turns: one row of a comparison. */
import { spreadOf } from "@stickslip/cluster-runner";
import type { ComparisonCase } from "./cases.js";
import { RevisionProcess } from "./revision-process.js";
import { type Interval, intervalOf, type Verdict, verdictOf } from "./verdict.js";

/** A built copy of the repository. */
export interface Revision {
	readonly name: string;
	readonly root: string;
}

export interface ComparisonEffort {
	/** Where the rows are decided by then. */
	readonly rounds: number;
	readonly roundsMax: number;
	/** Of each side in a round. */
	readonly windows: number;
	/** 1, or less in tests. */
	readonly size: number;
	/** A ratio above it is a loss. */
	readonly limit: number;
}

export const FULL_EFFORT: ComparisonEffort = { rounds: 8, roundsMax: 24, windows: 5, size: 1, limit: 1.1 };

export interface Row {
	readonly name: string;
	readonly unit: string;
	/** Of all windows. */
	readonly before: number;
	readonly now: number;
	/** Of the present revision over its rounds: (most - least) / least. */
	readonly spread: number;
	/** Present over earlier. */
	readonly ratio: Interval;
	readonly rounds: number;
	readonly verdict: Verdict;
	readonly hashBefore: string | undefined;
	readonly hash: string | undefined;
}

/** Throws an error where one of them cannot do what the case asks. */
export async function compare(
	{ name, unit }: ComparisonCase,
	[before, now]: readonly [Revision, Revision],
	effort: ComparisonEffort,
): Promise<Row> {
	const { rounds, roundsMax, windows, size, limit } = effort;
	const leasts: readonly [number[], number[]] = [[], []];
	let hashes: readonly (string | undefined)[] = [];
	let [ratio, verdict]: [Interval, Verdict] = [{ low: 0, median: 1, high: Infinity }, "undecided"];
	while (leasts[0].length < rounds || (verdict === "undecided" && leasts[0].length < roundsMax)) {
		const sides: RevisionProcess[] = [];
		try {
			for (const { root } of [before, now]) sides.push(await RevisionProcess.start(root, name, size));
			const [first, second] = await leastOf(sides, windows, leasts[0].length % 2 === 0);
			leasts[0].push(first);
			leasts[1].push(second);
			hashes = sides.map(({ hash }) => hash);
		} finally {
			for (const side of sides) await side.end();
		}
		ratio = intervalOf(leasts[1].map((value, round) => value / leasts[0][round]!));
		verdict = verdictOf(ratio, limit);
	}
	const [earlier, present] = leasts.map((values) => spreadOf(values)!);
	return {
		...{ name, unit, before: earlier!.least, now: present!.least, spread: present!.spread },
		...{ ratio, rounds: leasts[0].length, verdict, hashBefore: hashes[0], hash: hashes[1] },
	};
}

/** The least window of each; who begins changes, and the first window, which warms up, does not count. */
async function leastOf(
	sides: readonly RevisionProcess[],
	windows: number,
	isFirst: boolean,
): Promise<readonly [number, number]> {
	const least: [number, number] = [Infinity, Infinity];
	for (let window = -1; window < windows; window += 1) {
		for (const at of isFirst === (window % 2 === 0) ? [0, 1] : [1, 0]) {
			const value = await sides[at]!.sample();
			if (window >= 0) least[at] = Math.min(least[at]!, value);
		}
	}
	return least;
}
