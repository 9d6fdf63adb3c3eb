/**
 * Performance profiles (Dolan and More 2002; Acary and Cariaga, eqs. 23 to 25): what a variant of solving took for a problem, over what the best variant took;
 * rho(tau) is the share of problems for which that is at most tau.
 */
import type { Score } from "../requests/study-request.js";
import type { Sample } from "../study/sample.js";

/** One problem, one variant, one tolerance. */
export interface ProfileCell extends Readonly<Record<Score, number>> {
	readonly problem: string;
	readonly variant: string;
	readonly tolerance: number;
	/** Of the report, or "failed". */
	readonly status: string;
}

export function profileCell({ axes, status, values }: Sample): ProfileCell {
	const { seconds = 0, products = 0, iterations = 0 } = values;
	const { problem, variant, tolerance } = axes;
	return {
		...{ problem: String(problem), variant: String(variant), tolerance: Number(tolerance), status },
		...{ seconds, products, iterations },
	};
}

export interface VariantProfile {
	readonly variant: string;
	/** Ratios to the best in ascending order, of the problems that it solves. */
	readonly ratios: readonly number[];
	readonly solved: number;
	/** Problems on which no other took less. */
	readonly best: number;
	/** Geometric mean of the ratios. */
	readonly mean: number;
	/** Problems that it alone does not solve, or solves alone. */
	readonly lost: readonly string[];
	readonly alone: readonly string[];
}

export interface Profile {
	readonly tolerance: number;
	/** Problems that some variant solves. */
	readonly problems: number;
	/** Those that none does. */
	readonly unsolved: readonly string[];
	readonly variants: readonly VariantProfile[];
}

/** Of all cells of one tolerance. A cost of zero counts as the smallest positive one. */
export function profileOf(
	cells: readonly ProfileCell[],
	variants: readonly string[],
	tolerance: number,
	score: Score,
): Profile {
	const problems = new Map<string, Map<string, number>>();
	for (const cell of cells) {
		if (cell.tolerance !== tolerance) continue;
		const scores = problems.get(cell.problem) ?? new Map<string, number>();
		problems.set(cell.problem, scores);
		if (cell.status === "solved") scores.set(cell.variant, cell[score]);
	}
	const positive = cells.map((cell) => cell[score]).filter((value) => value > 0);
	const least = positive.length > 0 ? Math.min(...positive) : 1;
	const solvable = [...problems].filter(([, scores]) => scores.size > 0);
	const profiles = variants.map((variant): VariantProfile => {
		const ratios: number[] = [];
		for (const [, scores] of solvable) {
			const own = scores.get(variant);
			if (own !== undefined) ratios.push(Math.max(own, least) / Math.max(least, Math.min(...scores.values())));
		}
		ratios.sort((a, b) => a - b);
		return {
			variant,
			ratios,
			solved: ratios.length,
			best: ratios.filter((ratio) => ratio === 1).length,
			mean: Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / Math.max(1, ratios.length)),
			lost: solvable
				.filter(([, scores]) => !scores.has(variant) && scores.size === variants.length - 1)
				.map(([name]) => name),
			alone: solvable.filter(([, scores]) => scores.has(variant) && scores.size === 1).map(([name]) => name),
		};
	});
	const unsolved = [...problems].filter(([, scores]) => scores.size === 0).map(([name]) => name);
	return { tolerance, problems: solvable.length, unsolved, variants: profiles };
}

/** rho(tau), of all problems that some variant solves. */
export function shareWithin({ ratios }: Pick<VariantProfile, "ratios">, problems: number, tau: number): number {
	return problems === 0 ? 0 : ratios.filter((ratio) => ratio <= tau).length / problems;
}
