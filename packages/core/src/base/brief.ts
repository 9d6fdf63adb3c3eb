/** Error or tolerance with two digits at most: 8.1e-7, 1e-3, 0. */
export function brief(value: number): string {
	if (value === 0 || !Number.isFinite(value)) return String(value);
	return value.toExponential(1).replace(".0e", "e").replace("e+", "e");
}
