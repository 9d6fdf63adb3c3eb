/** Coulomb's cone between two heights, K = { |R_T| <= mu R_N, low <= R_N <= high }: its projection, and the residual of a law on it. */
import { project as projectCone } from "../cone";
import { get, set } from "../memory";

/**
 * y = proj_K(z). Where the nearest point of the whole cone is between the heights it is the one of K; elsewhere y_N is the height next to it, and
 * y_T the nearest point of the disc there.
 */
export function projectCut(mu: f64, low: f64, high: f64, z0: f64, z1: f64, z2: f64, y: i32): void {
	projectCone(mu, z0, z1, z2, y);
	const normal: f64 = get(y);
	if (!(normal > high || normal < low)) return;
	const height: f64 = normal > high ? high : low;
	const radius: f64 = mu * height;
	const length: f64 = Math.sqrt(z1 * z1 + z2 * z2);
	const factor: f64 = length > radius ? radius / length : 1;
	set(y, height);
	set(y + 1, factor * z1);
	set(y + 2, factor * z2);
}

/**
 * C = R - proj_K(R - F) at c with F = [U_N + lift |U_T|, U_T]; where x >= 0, X = d proj_K dF/dU at x and Y = I - d proj_K at y. omega smooths the
 * norm in F alone.
 */
export function cutResidual(
	mu: f64,
	low: f64,
	high: f64,
	lift: f64,
	omega: f64,
	r: i32,
	u: i32,
	c: i32,
	x: i32,
	y: i32,
): void {
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	const speed: f64 = Math.sqrt(u1 * u1 + u2 * u2 + omega * omega);
	const s0: f64 = get(r) - (get(u) + lift * (speed - omega));
	const s1: f64 = get(r + 1) - u1;
	const s2: f64 = get(r + 2) - u2;
	projectCut(mu, low, high, s0, s1, s2, c);
	const normal: f64 = get(c);
	for (let i: i32 = 0; i < 3; i += 1) set(c + i, get(r + i) - get(c + i));
	if (x < 0) return;

	// d proj_K: along N, mixed, and along and across s_T; the identity inside, nothing at the tip, the middle where both meet.
	const length: f64 = Math.sqrt(s1 * s1 + s2 * s2);
	const t1: f64 = length > 0 ? s1 / length : 0;
	const t2: f64 = length > 0 ? s2 / length : 0;
	let n: f64 = normal > 0 ? 1 : s0 == 0 && length == 0 ? 0.5 : 0;
	let mixed: f64 = 0;
	let along: f64 = mu > 0 ? n : 0;
	let across: f64 = along;
	if (normal >= high || (low > 0 && normal <= low)) {
		n = 0;
		if (length > mu * normal) {
			along = 0;
			across = (mu * normal) / length;
		}
	} else if (normal > 0 && length > mu * s0) {
		n = 1 / (1 + mu * mu);
		mixed = mu * n;
		along = mu * mixed;
		across = (mu * normal) / length;
	}
	setBlock(x, n, mixed, along, across, t1, t2);
	setBlock(y, 1 - n, -mixed, 1 - along, 1 - across, t1, t2);
	if (lift == 0 || !(speed > 0)) return;
	// dF/dU = [1, slip; 0, I]
	const slip1: f64 = (lift * u1) / speed;
	const slip2: f64 = (lift * u2) / speed;
	for (let row: i32 = x; row < x + 9; row += 3) {
		set(row + 1, get(row + 1) + get(row) * slip1);
		set(row + 2, get(row + 2) + get(row) * slip2);
	}
}

/** A symmetric block from its numbers along N, mixed, along t and across it. */
function setBlock(at: i32, n: f64, mixed: f64, along: f64, across: f64, t1: f64, t2: f64): void {
	const difference: f64 = along - across;
	set(at, n);
	set(at + 1, mixed * t1);
	set(at + 2, mixed * t2);
	set(at + 3, mixed * t1);
	set(at + 4, across + difference * t1 * t1);
	set(at + 5, difference * t1 * t2);
	set(at + 6, mixed * t2);
	set(at + 7, difference * t1 * t2);
	set(at + 8, across + difference * t2 * t2);
}
