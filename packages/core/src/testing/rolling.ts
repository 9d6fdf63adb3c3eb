/** The law of rolling written once more from its definition, for judging: six numbers, N, T1, T2, spin, rolling 1, rolling 2. */

/** mu, mu_r, mu_s. */
export type Rolling = readonly [number, number, number];
type Six = readonly number[];

/** Lengths of the parts that friction, rolling friction and spinning friction limit. */
function parts(z: Six): [number, number, number] {
	return [Math.hypot(z[1]!, z[2]!), Math.hypot(z[4]!, z[5]!), Math.abs(z[3]!)];
}

export function inRollingCone(law: Rolling, z: Six, small = 0): boolean {
	return z[0]! >= -small && parts(z).every((length, i) => length <= law[i]! * z[0]! + small);
}

/** The nearest point of the cone: R_N by halves of an interval, the parts cut at their limits. */
function nearestRolling(law: Rolling, z: Six): number[] {
	const lengths = parts(z);
	const slope = (n: number): number =>
		lengths.reduce((sum, length, i) => sum - law[i]! * Math.max(0, length - law[i]! * n), n - z[0]!);
	let [low, high] = [0, 1 + Math.abs(z[0]!) + lengths.reduce((sum, length, i) => sum + law[i]! * length, 0)];
	if (slope(0) >= 0) high = 0;
	for (let step = 0; step < 200 && low < high; step += 1) {
		const middle = (low + high) / 2;
		if (slope(middle) > 0) high = middle;
		else low = middle;
	}
	const [t, m, s] = lengths.map((length, i) => Math.min(1, length > 0 ? (law[i]! * low) / length : 1));
	return [low, t! * z[1]!, t! * z[2]!, s! * z[3]!, m! * z[4]!, m! * z[5]!];
}

/** R - proj_K(R - F(U)). */
export function rollingNatural(law: Rolling, r: Six, u: Six): number[] {
	const lengths = parts(u);
	const f = [u[0]! + lengths.reduce((sum, length, i) => sum + law[i]! * length, 0), ...u.slice(1)];
	const p = nearestRolling(
		law,
		r.map((value, i) => value - f[i]!),
	);
	return r.map((value, i) => value - p[i]!);
}
