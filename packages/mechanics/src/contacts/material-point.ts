/** X = map^-1 arm: the point of a deformed body in its own axes, by Cramer's rule. */
export function materialPoint(map: Float64Array, at: number, arm: Float64Array, p: number, X: Float64Array): void {
	const a = map[at]!;
	const b = map[at + 1]!;
	const c = map[at + 2]!;
	const d = map[at + 3]!;
	const e = map[at + 4]!;
	const f = map[at + 5]!;
	const g = map[at + 6]!;
	const h = map[at + 7]!;
	const i = map[at + 8]!;
	const x = arm[p]!;
	const y = arm[p + 1]!;
	const z = arm[p + 2]!;

	const ei = e * i - f * h;
	const di = d * i - f * g;
	const dh = d * h - e * g;
	const scale = 1 / (a * ei - b * di + c * dh);
	X[0] = (x * ei - y * (b * i - c * h) + z * (b * f - c * e)) * scale;
	X[1] = (y * (a * i - c * g) - x * di - z * (a * f - c * d)) * scale;
	X[2] = (x * dh - y * (a * h - b * g) + z * (a * e - b * d)) * scale;
}
