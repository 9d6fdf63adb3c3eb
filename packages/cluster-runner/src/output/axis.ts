/** The axis of a plot: from values to places, and the values that are marked. */

export type ScaleName = "linear" | "log2" | "log10";

export interface Axis {
	/** Between 0 and 1. */
	place(value: number): number;
	readonly marks: readonly number[];
}

interface Logarithm {
	of(value: number): number;
	power(exponent: number): number;
}
const LOGARITHMS: Readonly<Record<Exclude<ScaleName, "linear">, Logarithm>> = {
	log2: { of: Math.log2, power: (exponent) => 2 ** exponent },
	// Read as a number: powers of ten are not exact.
	log10: { of: Math.log10, power: (exponent) => Number(`1e${exponent}`) },
};

/** Holds all values; on a scale of logarithms those above zero. About `marks` values are marked. */
export function axisOf(values: readonly number[], scale: ScaleName, marks = 5): Axis {
	const finite = values.filter((value) => Number.isFinite(value) && (scale === "linear" || value > 0));
	const [low, high] = [Math.min(...finite), Math.max(...finite)];
	if (finite.length === 0) return scale === "linear" ? linear(0, 1, marks) : logarithmic(1, 2, scale, marks);
	return scale === "linear" ? linear(low, high, marks) : logarithmic(low, high, scale, marks);
}

function linear(low: number, high: number, marks: number): Axis {
	const step = roundStep((high > low ? high - low : Math.max(1, Math.abs(high))) / marks);
	const from = Math.floor(low / step + 1e-9) * step;
	const count = Math.max(1, Math.ceil((high - from) / step - 1e-9));
	// Rounded: 3 steps of 0.1 are not 0.30000000000000004.
	const marked = Array.from({ length: count + 1 }, (_, k) => Number((from + k * step).toPrecision(12)));
	return { place: (value) => (value - from) / (count * step), marks: marked };
}

/** 1, 2 or 5 times a power of ten, not below `least`. */
function roundStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * ([1, 2, 5, 10].find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}

function logarithmic(low: number, high: number, scale: Exclude<ScaleName, "linear">, marks: number): Axis {
	const { of, power } = LOGARITHMS[scale];
	const from = Math.floor(of(low) + 1e-9);
	const to = Math.max(from + 1, Math.ceil(of(high) - 1e-9));
	const stride = Math.max(1, Math.ceil((to - from) / marks));
	const exponents = Array.from({ length: Math.floor((to - from) / stride) + 1 }, (_, k) => from + k * stride);
	return { place: (value) => (of(value) - from) / (to - from), marks: exponents.map(power) };
}
