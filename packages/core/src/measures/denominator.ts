/** The energy of the free motion, <W_aa^-1 q_a, q_a> (assembly/denominator.ts): the denominator of merit, and what is below the resolution of energy. */

/** What Koziara's own program takes for zero: an absolute number, in its merit only. Any such number would give energy units. */
const MERIT_ZERO = 2.2e-16;

/** |q_a|^2 / (trace W_aa / 3): what a singular block would have if it gave way in every direction as it does in the mean. */
export function blockedTerm(a: number, w: Float64Array, q: Float64Array): number {
	const q0 = q[3 * a] as number;
	const q1 = q[3 * a + 1] as number;
	const q2 = q[3 * a + 2] as number;
	return (3 * (q0 * q0 + q1 * q1 + q2 * q2)) / (w[9 * a]! + w[9 * a + 4]! + w[9 * a + 8]!);
}

/** The sum of merit's terms, zero replaced by 1 in the problem's units. */
export function meritDenominator(sum: number, unit: number): number {
	return sum > MERIT_ZERO * unit * unit ? sum : unit * unit;
}
