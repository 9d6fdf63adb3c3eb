/** What proximal sweeps can be told, and what they do untold. */

export interface ProximalOptions {
	/** Of the first anchor. */
	readonly alpha: number;
	/** The share of the first step around an anchor that is small enough. */
	readonly rho: number;
	/** Most sweeps around an anchor. */
	readonly sweeps: number;
	/** Sweeps mixed by Anderson. */
	readonly window: number;
	/** Sweeps without an anchor go on until |f| has not halved in so many; 0 for none. */
	readonly patience: number;
	/** Iterations of Gauss-Newton on the residual, for each sweep at most, on large problems; 0 for none. */
	readonly descent: number;
}

/** As a relay takes it, and as the catalogue documents it. */
export const proximalDefaults: ProximalOptions = {
	alpha: 1e-2,
	rho: 0.3,
	sweeps: 100,
	window: 5,
	patience: 30,
	descent: 0.4,
};
