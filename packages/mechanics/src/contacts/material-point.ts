/** X = map^-1 arm: the point of a deformed body in its own axes, by Cramer's rule. */
export function materialPoint(map: Float64Array, at: number, arm: Float64Array, p: number, X: Float64Array): void {
	const [a, b, c] = [map[at]!, map[at + 1]!, map[at + 2]!];
	const [d, e, f] = [map[at + 3]!, map[at + 4]!, map[at + 5]!];
	const [g, h, i] = [map[at + 6]!, map[at + 7]!, map[at + 8]!];
	const [x, y, z] = [arm[p]!, arm[p + 1]!, arm[p + 2]!];
	const [ei, di, dh] = [e * i - f * h, d * i - f * g, d * h - e * g];
	const scale = 1 / (a * ei - b * di + c * dh);
	X[0] = (x * ei - y * (b * i - c * h) + z * (b * f - c * e)) * scale;
	X[1] = (y * (a * i - c * g) - x * di - z * (a * f - c * d)) * scale;
	X[2] = (x * dh - y * (a * h - b * g) + z * (a * e - b * d)) * scale;
}
