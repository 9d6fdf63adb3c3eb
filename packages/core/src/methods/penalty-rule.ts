/**
 * How ADMM's rho adapts itself, by sums that an iteration takes anyway. Its changes fade, k being the iteration, so that it settles in the end:
 * no factor is larger than 1 + 10,000 / k^2.
 */

export const PENALTY_RULES = ["spectral", "balanced", "fixed"] as const;
export type PenaltyRule = (typeof PENALTY_RULES)[number];

/** Below this cosine two changes say nothing of each other. */
const CORRELATION_MIN = 0.2;
/** Changes by less than this factor are left alone: a new rho costs a factorisation, or what Anderson has collected. */
const CHANGE_MIN = 1.6;

/**
 * He, Yang and Wang's rule with the relative residuals of Wohlberg 2017, by squares: of X - Z and the larger of both, of rho (Z - Z_last) and Lambda.
 */
export function balancedFactor(primal: number, size: number, dual: number, multiplier: number): number {
	const [left, right] = [primal * multiplier, dual * size];
	if (!(left > 0) || !(right > 0)) return 1;
	return Math.sqrt(Math.sqrt(left / right));
}

/**
 * Spectral steps (Barzilai and Borwein) of a convex function, from how its gradient (dl) changes with its argument (dx): the mean curvature there, and
 * undefined where the two hardly correlate. The hybrid rule of Xu, Figueiredo and Goldstein 2017.
 */
export function spectralCurvature(dxdx: number, dxdl: number, dldl: number): number | undefined {
	if (!(dxdl > CORRELATION_MIN * Math.sqrt(dxdx) * Math.sqrt(dldl))) return undefined;
	const steepest = dldl / dxdl;
	const least = dxdl / dxdx;
	return 2 * least > steepest ? least : steepest - least / 2;
}

/** rho of the two curvatures. */
export function spectralRho(rho: number, first: number | undefined, second: number | undefined): number {
	if (first !== undefined && second !== undefined) return Math.sqrt(first) * Math.sqrt(second);
	return first ?? second ?? rho;
}

export function isWorthwhile(rho: number, wanted: number): boolean {
	return Number.isFinite(wanted) && wanted > 0 && (wanted > CHANGE_MIN * rho || wanted < rho / CHANGE_MIN);
}

/** rho after iteration k, within the bounds of what may change by then. */
export function bounded(rho: number, wanted: number, k: number): number {
	const most = 1 + 1e4 / (k * k);
	return Math.min(rho * most, Math.max(rho / most, wanted));
}
