/** The inverse of a symmetric positive definite matrix, by Cholesky's factors. */

/**
 * Overwrites the n x n matrix at `at` (by rows; its lower triangle is read) with its inverse, symmetric to the bit. False where it is not positive definite:
 * then the matrix is spoilt.
 */
export function invertPositive(a: Float64Array, at: number, n: number): boolean {
	for (let j = 0; j < n; j += 1) {
		const row = at + n * j;
		for (let k = 0; k < j; k += 1) {
			let sum = a[row + k]!;
			for (let m = 0; m < k; m += 1) sum -= a[row + m]! * a[at + n * k + m]!;
			a[row + k] = sum * a[at + n * k + k]!;
		}
		let pivot = a[row + j]!;
		for (let m = 0; m < j; m += 1) pivot -= a[row + m]! * a[row + m]!;
		if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
		// The diagonal holds the reciprocals of the factor's.
		a[row + j] = 1 / Math.sqrt(pivot);
	}
	invertLower(a, at, n);
	for (let j = 0; j < n; j += 1) {
		for (let k = 0; k <= j; k += 1) {
			let sum = 0;
			for (let m = j; m < n; m += 1) sum += a[at + n * m + j]! * a[at + n * m + k]!;
			a[at + n * j + k] = sum;
		}
	}
	for (let j = 0; j < n; j += 1) for (let k = 0; k < j; k += 1) a[at + n * k + j] = a[at + n * j + k]!;
	return true;
}

/** The factor's inverse in its place, column by column. */
function invertLower(a: Float64Array, at: number, n: number): void {
	for (let k = 0; k < n; k += 1) {
		for (let j = k + 1; j < n; j += 1) {
			let sum = 0;
			for (let m = k; m < j; m += 1) sum -= a[at + n * j + m]! * a[at + n * m + k]!;
			a[at + n * j + k] = sum * a[at + n * j + j]!;
		}
	}
}
