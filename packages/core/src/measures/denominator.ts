/** sum <W_aa^-1 q_a, q_a> over contacts, the energy of the free motion: what merit and energy divide by. */

/** The solution of a 3x3 system by Cramer's rule. */
function solve3(w: Float64Array, b0: number, b1: number, b2: number): [number, number, number] {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = w;
	const inverse = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
	return [
		inverse * ((e * i - f * h) * b0 + (c * h - b * i) * b1 + (b * f - c * e) * b2),
		inverse * ((f * g - d * i) * b0 + (a * i - c * g) * b1 + (c * d - a * f) * b2),
		inverse * ((d * h - e * g) * b0 + (b * g - a * h) * b1 + (a * e - b * d) * b2),
	];
}

/** What the report's own program takes for zero: an absolute number, in its merit only. Any such number would give energy units. */
const MERIT_ZERO = 2.2e-16;

/**
 * With the blocks as they are (merit) or with their symmetric parts (energy); zero is replaced by 1. Singular blocks are left
 * out: motion against what cannot move has no energy.
 */
export function freeEnergy(
	contacts: number,
	singular: ReadonlySet<number>,
	w: Float64Array,
	q: Float64Array,
	symmetric: boolean,
): number {
	const block = new Float64Array(9);
	let sum = 0;
	for (let a = 0; a < contacts; a += 1) {
		if (singular.has(a)) continue;
		for (let i = 0; i < 3; i += 1) {
			for (let j = 0; j < 3; j += 1) {
				const value = w[9 * a + 3 * i + j] as number;
				block[3 * i + j] = symmetric ? 0.5 * (value + (w[9 * a + 3 * j + i] as number)) : value;
			}
		}
		const q0 = q[3 * a] as number;
		const q1 = q[3 * a + 1] as number;
		const q2 = q[3 * a + 2] as number;
		const [x0, x1, x2] = solve3(block, q0, q1, q2);
		sum += q0 * x0 + q1 * x1 + q2 * x2;
	}
	return sum > (symmetric ? 0 : MERIT_ZERO) ? sum : 1;
}
