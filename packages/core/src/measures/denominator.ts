/** sum <W_aa^-1 q_a, q_a> over contacts, the energy of the free motion: what merit and energy divide by. */

/** Rows of a block with the right-hand side behind each: four numbers a row. */
const rows = new Float64Array(12);

/** <A^-1 b, b> of the 3x3 system in `rows`, by elimination with row pivots: a determinant loses what a flat block needs. */
function inverseForm(b0: number, b1: number, b2: number): number {
	for (let k = 0; k < 2; k += 1) {
		let pivot = k;
		for (let i = k + 1; i < 3; i += 1) {
			if (Math.abs(rows[4 * i + k] as number) > Math.abs(rows[4 * pivot + k] as number)) pivot = i;
		}
		for (let j = k; j < 4 && pivot !== k; j += 1) {
			const kept = rows[4 * k + j] as number;
			rows[4 * k + j] = rows[4 * pivot + j] as number;
			rows[4 * pivot + j] = kept;
		}
		for (let i = k + 1; i < 3; i += 1) {
			const factor = (rows[4 * i + k] as number) / (rows[5 * k] as number);
			for (let j = k + 1; j < 4; j += 1) {
				rows[4 * i + j] = (rows[4 * i + j] as number) - factor * (rows[4 * k + j] as number);
			}
		}
	}
	const [a00 = 0, a01 = 0, a02 = 0, c0 = 0, , a11 = 0, a12 = 0, c1 = 0, , , a22 = 0, c2 = 0] = rows;
	const x2 = c2 / a22;
	const x1 = (c1 - a12 * x2) / a11;
	const x0 = (c0 - a01 * x1 - a02 * x2) / a00;
	return b0 * x0 + b1 * x1 + b2 * x2;
}

/** What the report's own program takes for zero: an absolute number, in its merit only. Any such number would give energy units. */
const MERIT_ZERO = 2.2e-16;

/** <W_aa^-1 q_a, q_a> of the contact at place `a`, with its block as it is (merit) or with its symmetric part (energy). */
export function freeTerm(a: number, w: Float64Array, q: Float64Array, symmetric: boolean): number {
	const q0 = q[3 * a] as number;
	const q1 = q[3 * a + 1] as number;
	const q2 = q[3 * a + 2] as number;
	for (let i = 0; i < 3; i += 1) {
		for (let j = 0; j < 3; j += 1) {
			const value = w[9 * a + 3 * i + j] as number;
			rows[4 * i + j] = symmetric ? 0.5 * (value + (w[9 * a + 3 * j + i] as number)) : value;
		}
	}
	rows[3] = q0;
	rows[7] = q1;
	rows[11] = q2;
	return inverseForm(q0, q1, q2);
}

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

/**
 * The sum of energy's terms. Singular blocks are left out of it: motion against what cannot move has no energy. Where that leaves
 * nothing it takes theirs, which have the units it needs, and 1 where there is no motion at all.
 */
export function energyDenominator(sum: number, blocked: number): number {
	if (sum > 0) return sum;
	return blocked > 0 ? blocked : 1;
}
