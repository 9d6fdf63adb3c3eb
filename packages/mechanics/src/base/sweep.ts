/** The inverse of a symmetric positive definite matrix of nine rows, by sweeping one row after another. */

const N = 9;
const column = new Float64Array(N);

/**
 * Overwrites the matrix `a` (by rows; its lower triangle is read) with its inverse, symmetric to the bit. False where a pivot is not above zero, which is
 * where the matrix is not positive definite: then it is spoilt.
 */
export function invertPositive(a: Float64Array): boolean {
	for (let k = 0; k < N; k += 1) {
		const pivot = a[N * k + k]!;
		if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return false;
		const inverse = 1 / pivot;
		for (let j = 0; j < k; j += 1) column[j] = a[N * k + j]!;
		for (let j = k + 1; j < N; j += 1) column[j] = a[N * j + k]!;
		column[k] = 0;
		for (let i = 0; i < N; i += 1) {
			const factor = inverse * column[i]!;
			for (let j = 0; j <= i; j += 1) a[N * i + j]! -= factor * column[j]!;
		}
		for (let j = 0; j < k; j += 1) a[N * k + j] = inverse * column[j]!;
		for (let j = k + 1; j < N; j += 1) a[N * j + k] = inverse * column[j]!;
		a[N * k + k] = -inverse;
	}
	// What is there now is the inverse with its sign turned.
	for (let i = 0; i < N; i += 1) {
		for (let j = 0; j <= i; j += 1) {
			const value = -a[N * i + j]!;
			a[N * i + j] = value;
			a[N * j + i] = value;
		}
	}
	return true;
}
