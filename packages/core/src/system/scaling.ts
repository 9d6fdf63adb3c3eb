/**
 * Scaling of the unknowns: s_a = |W_aa|^(-1/2), one number per block, so that cones stay what they are. In R' = R / s, U' = s U,
 * W' = s W s every diagonal block has norm 1 and a reaction can be added to a velocity (design.md decision 8).
 */

/** s per block in storage order; ones where the problem's own units are wanted. */
export function scales(diagonal: Float64Array, order: Int32Array, scaled: boolean): Float64Array {
	const s = new Float64Array(order.length).fill(1);
	if (!scaled) return s;
	for (let at = 0; at < order.length; at += 1) {
		const from = 9 * (order[at] as number);
		let square = 0;
		for (let i = 0; i < 9; i += 1) square += (diagonal[from + i] as number) ** 2;
		// A Frobenius norm, divided by sqrt(3) so that a multiple of the identity becomes the identity.
		if (square > 0) s[at] = 1 / Math.sqrt(Math.sqrt(square / 3));
	}
	return s;
}

/** A determinant below this share of the cubed mean diagonal is that of a singular block. */
const SINGULAR = 1e-12;
/** What a blocked direction is given, as a share of the mean diagonal. */
const STIFFNESS = 1e-10;

/**
 * A singular diagonal block (a direction in which nothing can move) gets a stiff spring there, so that local solves and
 * Newton's blocks exist. Fixed points stay what they are: a local solve takes out what it put in. True where it was one.
 */
export function stiffen(w: Float64Array, at: number): boolean {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = w.subarray(at, at + 9);
	const mean = (a + e + i) / 3;
	const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
	if (determinant > SINGULAR * mean ** 3) return false;
	for (let k = 0; k < 9; k += 4) w[at + k]! += STIFFNESS * mean;
	return true;
}
