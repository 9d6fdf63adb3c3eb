/** Cube root of a positive number by Newton's method from above: Math.cbrt may differ between engines in the last bit. */
export function cubeRoot(x: number): number {
	let y = Math.max(x, 1);
	for (let i = 0; i < 200; i += 1) {
		const next = (2 * y + x / (y * y)) / 3;
		if (!(next < y)) return y;
		y = next;
	}
	return y;
}
