/** Fits y = factor * x1^e1 * x2^e2 * ... by least squares of the logarithms. */

export interface Sample {
	readonly x: readonly number[];
	readonly y: number;
}

export interface PowerLaw {
	readonly factor: number;
	readonly exponents: readonly number[];
	/** One standard deviation of each exponent; NaN where there are no more samples than unknowns. */
	readonly deviations: readonly number[];
	/** Root mean square of the relative misfit. */
	readonly misfit: number;
}

export function fitPowerLaw(samples: readonly Sample[]): PowerLaw {
	const rows = samples.map(({ x }) => [1, ...x.map(Math.log)]);
	const values = samples.map(({ y }) => Math.log(y));
	const size = rows[0]!.length;
	const normal = Array.from({ length: size }, (_, i) =>
		Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
	);
	const inverse = inverted(normal);
	const right = Array.from({ length: size }, (_, i) => rows.reduce((sum, row, k) => sum + row[i]! * values[k]!, 0));
	const solution = inverse.map((row) => row.reduce((sum, each, j) => sum + each * right[j]!, 0));
	const misfits = rows.map((row, k) => values[k]! - row.reduce((sum, each, j) => sum + each * solution[j]!, 0));
	const square = misfits.reduce((sum, each) => sum + each * each, 0);
	const variance = samples.length > size ? square / (samples.length - size) : Number.NaN;
	return {
		factor: Math.exp(solution[0]!),
		exponents: solution.slice(1),
		deviations: inverse.slice(1).map((row, k) => Math.sqrt(variance * row[k + 1]!)),
		misfit: Math.sqrt(square / samples.length),
	};
}

/** Of a symmetric positive definite matrix, by Gauss and Jordan. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
	const size = matrix.length;
	const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
	for (let k = 0; k < size; k += 1) {
		const pivot = work[k]![k]!;
		work[k] = work[k]!.map((value) => value / pivot);
		for (let i = 0; i < size; i += 1) {
			const share = work[i]![k]!;
			if (i !== k) work[i] = work[i]!.map((value, j) => value - share * work[k]![j]!);
		}
	}
	return work.map((row) => row.slice(size));
}
