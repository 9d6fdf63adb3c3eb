/** The extreme eigenvalues of a symmetric matrix by Lanczos' method without reorthogonalisation: good to a percent, which is what steps are made of. */

export interface Extremes {
	readonly smallest: number;
	readonly largest: number;
}

/** What a Lanczos step says: diagonal and next off-diagonal number of the tridiagonal matrix. */
export interface LanczosStep {
	readonly alpha: number;
	readonly beta: number;
}

/** Steps after which nobody asks for more. */
export const LANCZOS_STEPS = 12;

/** Of a matrix in one place: y = A x. */
export function extremeEigenvalues(
	size: number,
	apply: (x: Float64Array, y: Float64Array) => void,
	steps = LANCZOS_STEPS,
): Extremes {
	let v = Float64Array.from({ length: size }, (_, i) => startValue(i));
	let last = new Float64Array(size);
	let next = new Float64Array(size);
	normalise(v);
	let before = 0;
	return ritzValues(Math.min(steps, size), () => {
		apply(v, next);
		let alpha = 0;
		for (let i = 0; i < size; i += 1) alpha += v[i]! * next[i]!;
		for (let i = 0; i < size; i += 1) next[i]! -= alpha * v[i]! + before * last[i]!;
		before = normalise(next);
		[last, v, next] = [v, next, last];
		return { alpha, beta: before };
	});
}

/** Number i of a start that favours no eigenvector, the same on every machine: 1 to 2, by the golden section. */
export function startValue(i: number): number {
	return 1 + ((i * 0.6180339887498949) % 1);
}

function normalise(x: Float64Array): number {
	let square = 0;
	for (const value of x) square += value * value;
	const norm = Math.sqrt(square);
	for (let i = 0; norm > 0 && i < x.length; i += 1) x[i]! /= norm;
	return norm;
}

/** The extreme eigenvalues of the tridiagonal matrix that so many steps make; fewer where a step leaves nothing. */
export function ritzValues(steps: number, step: () => LanczosStep): Extremes {
	const [alpha, beta]: [number[], number[]] = [[], []];
	let size = 0;
	for (let k = 0; k < steps; k += 1) {
		const made = step();
		alpha.push(made.alpha);
		beta.push(made.beta);
		size = Math.max(size, Math.abs(made.alpha), made.beta);
		if (!(made.beta > 1e-12 * size)) break;
	}
	if (alpha.length === 0) return { smallest: 0, largest: 0 };
	return { smallest: bisect(alpha, beta, 1), largest: bisect(alpha, beta, alpha.length) };
}

/** The k-th smallest eigenvalue, counted by Sturm's sequence. */
function bisect(alpha: readonly number[], beta: readonly number[], k: number): number {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	alpha.forEach((value, i) => {
		const reach = (i > 0 ? beta[i - 1]! : 0) + (i < alpha.length - 1 ? beta[i]! : 0);
		low = Math.min(low, value - reach);
		high = Math.max(high, value + reach);
	});
	for (let step = 0; step < 100; step += 1) {
		const middle = 0.5 * (low + high);
		if (countBelow(alpha, beta, middle) >= k) high = middle;
		else low = middle;
	}
	return 0.5 * (low + high);
}

function countBelow(alpha: readonly number[], beta: readonly number[], x: number): number {
	let [count, pivot] = [0, 1];
	for (let i = 0; i < alpha.length; i += 1) {
		const off = i > 0 ? beta[i - 1]! : 0;
		pivot = alpha[i]! - x - (off * off) / pivot;
		if (pivot === 0) pivot = Number.MIN_VALUE;
		if (pivot < 0) count += 1;
	}
	return count;
}
