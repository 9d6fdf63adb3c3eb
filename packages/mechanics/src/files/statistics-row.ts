/** Statistics of a step as a row of numbers: columns of the run file, of CSV files and of plots. */
import type { StepStatistics } from "../simulation/statistics.js";

/** Each with its number; seconds and all else in SI units. */
const COLUMNS: Readonly<Record<string, (of: StepStatistics) => number>> = {
	step: ({ step }) => step,
	time: ({ time }) => time,
	bodies: ({ bodies }) => bodies,
	contacts: ({ contacts }) => contacts,
	iterations: ({ iterations }) => iterations,
	products: ({ products }) => products,
	solved: ({ status }) => (status === "solved" ? 1 : 0),
	error: ({ error }) => error,
	retries: ({ retries }) => retries,
	failedSteps: ({ failedSteps }) => failedSteps,
	detectSeconds: ({ seconds }) => seconds.detect,
	setupSeconds: ({ seconds }) => seconds.setup,
	solveSeconds: ({ seconds }) => seconds.solve,
	restSeconds: ({ seconds }) => seconds.rest,
	kineticEnergy: ({ kinetic }) => kinetic,
	potentialEnergy: ({ potential }) => potential,
	strainEnergy: ({ strain }) => strain,
	momentumX: ({ momentum }) => momentum[0],
	momentumY: ({ momentum }) => momentum[1],
	momentumZ: ({ momentum }) => momentum[2],
	angularMomentumX: ({ angularMomentum }) => angularMomentum[0],
	angularMomentumY: ({ angularMomentum }) => angularMomentum[1],
	angularMomentumZ: ({ angularMomentum }) => angularMomentum[2],
	largestPenetration: ({ largestPenetration }) => largestPenetration,
	meanPenetration: ({ meanPenetration }) => meanPenetration,
	largestSpeed: ({ largestSpeed }) => largestSpeed,
};

export const STATISTICS_COLUMNS: readonly string[] = Object.keys(COLUMNS);

const numbers = Object.values(COLUMNS);

/** In the order of the columns. */
export function statisticsRow(of: StepStatistics): Float64Array {
	return Float64Array.from(numbers, (number) => number(of));
}
