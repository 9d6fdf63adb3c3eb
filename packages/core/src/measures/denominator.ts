/** sum <W_aa^-1 q_a, q_a> over contacts, the energy of the free motion: what merit and energy divide by. */

/** <A^-1 b, b> by elimination with row pivots: a determinant loses what a flat block needs. Rows are a, d and g with b0, b1 and b2. */
function inverseForm(
	a0: number,
	a1: number,
	a2: number,
	d0: number,
	d1: number,
	d2: number,
	g0: number,
	g1: number,
	g2: number,
	b0: number,
	b1: number,
	b2: number,
): number {
	// The row of the largest entry first.
	if (Math.abs(g0) > Math.max(Math.abs(a0), Math.abs(d0)))
		return eliminated(g0, g1, g2, b2, d0, d1, d2, b1, a0, a1, a2, b0, b0, b1, b2);
	if (Math.abs(d0) > Math.abs(a0)) return eliminated(d0, d1, d2, b1, a0, a1, a2, b0, g0, g1, g2, b2, b0, b1, b2);
	return eliminated(a0, a1, a2, b0, d0, d1, d2, b1, g0, g1, g2, b2, b0, b1, b2);
}

/** The same where the first row is the pivot of the first column: rows p, q and r with their right-hand sides behind them. */
function eliminated(
	p0: number,
	p1: number,
	p2: number,
	p3: number,
	q0: number,
	q1: number,
	q2: number,
	q3: number,
	r0: number,
	r1: number,
	r2: number,
	r3: number,
	b0: number,
	b1: number,
	b2: number,
): number {
	const q = q0 / p0;
	const qq1 = q1 - q * p1;
	const qq2 = q2 - q * p2;
	const qq3 = q3 - q * p3;
	const r = r0 / p0;
	const rr1 = r1 - r * p1;
	const rr2 = r2 - r * p2;
	const rr3 = r3 - r * p3;
	const isSwapped = Math.abs(rr1) > Math.abs(qq1);
	const s1 = isSwapped ? rr1 : qq1;
	const s2 = isSwapped ? rr2 : qq2;
	const s3 = isSwapped ? rr3 : qq3;
	const t = (isSwapped ? qq1 : rr1) / s1;
	const x2 = ((isSwapped ? qq3 : rr3) - t * s3) / ((isSwapped ? qq2 : rr2) - t * s2);
	const x1 = (s3 - s2 * x2) / s1;
	const x0 = (p3 - p1 * x1 - p2 * x2) / p0;
	return b0 * x0 + b1 * x1 + b2 * x2;
}

/** What the report's own program takes for zero: an absolute number, in its merit only. Any such number would give energy units. */
const MERIT_ZERO = 2.2e-16;

/** <W_aa^-1 q_a, q_a> of the contact at place `a`, with its block as it is (merit) or with its symmetric part (energy). */
export function freeTerm(a: number, w: Float64Array, q: Float64Array, symmetric: boolean): number {
	const at = 9 * a;
	const q0 = q[3 * a]!;
	const q1 = q[3 * a + 1]!;
	const q2 = q[3 * a + 2]!;
	const w01 = w[at + 1]!;
	const w02 = w[at + 2]!;
	const w10 = w[at + 3]!;
	const w12 = w[at + 5]!;
	const w20 = w[at + 6]!;
	const w21 = w[at + 7]!;
	if (!symmetric) return inverseForm(w[at]!, w01, w02, w10, w[at + 4]!, w12, w20, w21, w[at + 8]!, q0, q1, q2);
	const m01 = 0.5 * (w01 + w10);
	const m02 = 0.5 * (w02 + w20);
	const m12 = 0.5 * (w12 + w21);
	return inverseForm(w[at]!, m01, m02, m01, w[at + 4]!, m12, m02, m12, w[at + 8]!, q0, q1, q2);
}

/** Whether the block at place `a` is its own symmetric part, to the bit. */
export function isSymmetric(a: number, w: Float64Array): boolean {
	const at = 9 * a;
	return w[at + 1] === w[at + 3] && w[at + 2] === w[at + 6] && w[at + 5] === w[at + 7];
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
