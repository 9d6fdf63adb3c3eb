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
