/**
 * The step rho of R - rho F(R), chosen by what F does on the way: from R to a trial X = proj_K(R - rho F(R)),
 *
 *     ratio = rho |F(X) - F(R)| / |X - R|
 *     ratio > L: the trial is given up, rho <- rho w min(1, 1 / ratio)
 *     ratio < L_min, after a trial that was taken: rho <- rho / w
 *
 * as Acary and Cariaga's algorithm 2 has it, with its constants; the factor min(1, 1 / ratio) spares trials where rho is far too long.
 */
export interface StepRule {
	readonly L: number;
	readonly Lmin: number;
	readonly w: number;
}

export const stepRule: StepRule = { L: 0.9, Lmin: 0.3, w: 2 / 3 };

/** Trials of one iteration: with the last, rho is 1e-5 of what it was at most, and the trial is taken as it is. */
export const TRIALS_MAX = 30;

export function isTooLong({ L }: StepRule, ratio: number): boolean {
	return ratio > L;
}

export function shorter({ w }: StepRule, rho: number, ratio: number): number {
	return rho * w * Math.min(1, 1 / ratio);
}

export function nextStep({ Lmin, w }: StepRule, rho: number, ratio: number): number {
	return ratio < Lmin ? rho / w : rho;
}
