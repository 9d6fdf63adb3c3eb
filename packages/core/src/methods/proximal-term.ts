/** The proximal term of methods with factors: alpha D in addition to W, D = diag(trace(W_aa) / 3). */
import type { System } from "../system/system.js";

/** D, a number for each own block. */
export function meanDiagonal({ w, blocks }: System): Float64Array {
	const { values } = w;
	return Float64Array.from(
		{ length: blocks },
		(_, a) => (values[9 * a]! + values[9 * a + 4]! + values[9 * a + 8]!) / 3,
	);
}

/** Q <- Q + P alpha D, nine numbers for each block, so that P W + Q becomes P (W + alpha D) + Q. */
export function addProximalTerm(alpha: number, d: Float64Array, p: Float64Array, q: Float64Array): void {
	for (let a = 0, k = 0; a < d.length; a += 1) {
		const weight = alpha * d[a]!;
		for (const end = k + 9; k < end; k += 1) q[k]! += weight * p[k]!;
	}
}
