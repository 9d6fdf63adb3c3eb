/**
 * Rolling contact: two adjacent blocks of three, the force (N, T1, T2) and the moment (N = spin, T1, T2 = rolling), in one cone
 *
 *     K = { |R_T| <= mu R_N, |M_T| <= mu_r R_N, |M_N| <= mu_s R_N }
 *     F = [U_N + mu |U_T| + mu_r |O_T| + mu_s |O_N|, U_T, O],  O the relative angular velocity
 *
 * so that -F(R) in the normal cone of K at R says: what slips, rolls or spins is at its limit and resisted. Six numbers in a row
 * everywhere: N, T1, T2, spin, rolling 1, rolling 2. Parameters: mu, mu_r, mu_s.
 */
import { get, set } from "../memory";

/** How far the root of `project` has got: which of the three limits hold at it. */
const SLIDES: i32 = 1;
const ROLLS: i32 = 2;
const SPINS: i32 = 4;
/** And where it is no limit but the tip. */
const TIP: i32 = 8;

/**
 * y = proj_K(z); y may be z. With a_i the lengths of the three parts and mu_i their coefficients, R_N is the root of
 *
 *     R_N - z_N - sum mu_i max(0, a_i - mu_i R_N)
 *
 * which rises and is concave with a kink for each part, so that Newton's method from the left (all parts at their limits) comes to it
 * in at most four steps, each of which takes parts away. Returns the parts that are at their limits.
 */
export function projectRolling(p: i32, z: i32, y: i32): i32 {
	const mu: f64 = get(p);
	const roll: f64 = get(p + 1);
	const spin: f64 = get(p + 2);
	const n: f64 = get(z);
	const a1: f64 = Math.sqrt(get(z + 1) * get(z + 1) + get(z + 2) * get(z + 2));
	const a2: f64 = Math.sqrt(get(z + 4) * get(z + 4) + get(z + 5) * get(z + 5));
	const a3: f64 = Math.abs(get(z + 3));
	let normal: f64 = n;
	let parts: i32 = 0;
	if (!(n >= 0 && a1 <= mu * n && a2 <= roll * n && a3 <= spin * n)) {
		parts = SLIDES | ROLLS | SPINS;
		for (let step: i32 = 0; step < 4; step += 1) {
			let sum: f64 = n;
			let slope: f64 = 1;
			if ((parts & SLIDES) != 0) {
				sum += mu * a1;
				slope += mu * mu;
			}
			if ((parts & ROLLS) != 0) {
				sum += roll * a2;
				slope += roll * roll;
			}
			if ((parts & SPINS) != 0) {
				sum += spin * a3;
				slope += spin * spin;
			}
			normal = sum / slope;
			const left: i32 =
				(a1 > mu * normal ? parts & SLIDES : 0) |
				(a2 > roll * normal ? parts & ROLLS : 0) |
				(a3 > spin * normal ? parts & SPINS : 0);
			if (left == parts) break;
			parts = left;
		}
		if (!(normal > 0)) {
			for (let i: i32 = 0; i < 6; i += 1) set(y + i, 0);
			return TIP;
		}
	}
	const part1: f64 = (parts & SLIDES) != 0 ? (mu * normal) / a1 : 1;
	const part2: f64 = (parts & ROLLS) != 0 ? (roll * normal) / a2 : 1;
	const part3: f64 = (parts & SPINS) != 0 ? (spin * normal) / a3 : 1;
	set(y, normal);
	set(y + 1, part1 * get(z + 1));
	set(y + 2, part1 * get(z + 2));
	set(y + 3, part3 * get(z + 3));
	set(y + 4, part2 * get(z + 4));
	set(y + 5, part2 * get(z + 5));
	return parts;
}

/** f = F(U) of one contact. */
export function rollingVelocity(p: i32, u: i32, f: i32): void {
	const slip: f64 = Math.sqrt(get(u + 1) * get(u + 1) + get(u + 2) * get(u + 2));
	const rolling: f64 = Math.sqrt(get(u + 4) * get(u + 4) + get(u + 5) * get(u + 5));
	const spin: f64 = Math.abs(get(u + 3));
	set(f, get(u) + get(p) * slip + get(p + 1) * rolling + get(p + 2) * spin);
	for (let i: i32 = 1; i < 6; i += 1) set(f + i, get(u + i));
}

/** c = R - proj_K(R - F(U)), the natural map; `work` is scratch for six numbers, R - F afterwards. Returns what `projectRolling` does. */
export function rollingResidual(p: i32, r: i32, u: i32, c: i32, work: i32): i32 {
	rollingVelocity(p, u, work);
	for (let i: i32 = 0; i < 6; i += 1) set(work + i, get(r + i) - get(work + i));
	const parts: i32 = projectRolling(p, work, c);
	for (let i: i32 = 0; i < 6; i += 1) set(c + i, get(r + i) - get(c + i));
	return parts;
}

/** Row `row` of the derivative at y from the unit vector (e1, e2) of a part at its limit in two directions, and the same across it. */
function limitRows(row: i32, y: i32, normal: i32, mu: f64, e1: f64, e2: f64, turn: f64): void {
	for (let j: i32 = 0; j < 6; j += 1) {
		const along: f64 = mu * get(normal + j);
		set(y + 6 * row + j, e1 * along);
		set(y + 6 * row + 6 + j, e2 * along);
	}
	set(y + 7 * row, get(y + 7 * row) + turn * e2 * e2);
	set(y + 7 * row + 1, get(y + 7 * row + 1) - turn * e1 * e2);
	set(y + 7 * row + 6, get(y + 7 * row + 6) - turn * e1 * e2);
	set(y + 7 * row + 7, get(y + 7 * row + 7) + turn * e1 * e1);
}

/** Y = d proj_K / dz at z (36 numbers by rows), `parts` being what `projectRolling` returned there and `normal` its first number. */
export function rollingGradient(p: i32, parts: i32, normal: f64, z: i32, y: i32): void {
	for (let k: i32 = 0; k < 36; k += 1) set(y + k, 0);
	if (parts == TIP) return;
	const mu: f64 = get(p);
	const roll: f64 = get(p + 1);
	const spin: f64 = get(p + 2);
	const slides: boolean = (parts & SLIDES) != 0;
	const rolls: boolean = (parts & ROLLS) != 0;
	const spins: boolean = (parts & SPINS) != 0;
	const a1: f64 = Math.sqrt(get(z + 1) * get(z + 1) + get(z + 2) * get(z + 2));
	const a2: f64 = Math.sqrt(get(z + 4) * get(z + 4) + get(z + 5) * get(z + 5));
	// Row N: (1, mu_i e_i of the parts at their limits) / (1 + sum mu_i^2).
	const share: f64 = 1 / (1 + (slides ? mu * mu : 0) + (rolls ? roll * roll : 0) + (spins ? spin * spin : 0));
	set(y, share);
	if (slides) {
		set(y + 1, (share * mu * get(z + 1)) / a1);
		set(y + 2, (share * mu * get(z + 2)) / a1);
	}
	if (spins) set(y + 3, get(z + 3) > 0 ? share * spin : -share * spin);
	if (rolls) {
		set(y + 4, (share * roll * get(z + 4)) / a2);
		set(y + 5, (share * roll * get(z + 5)) / a2);
	}
	if (slides) {
		limitRows(1, y, y, mu, get(z + 1) / a1, get(z + 2) / a1, (mu * normal) / a1);
	} else {
		set(y + 7, 1);
		set(y + 14, 1);
	}
	if (spins) {
		const sign: f64 = get(z + 3) > 0 ? spin : -spin;
		for (let j: i32 = 0; j < 6; j += 1) set(y + 18 + j, sign * get(y + j));
	} else {
		set(y + 21, 1);
	}
	if (rolls) {
		limitRows(4, y, y, roll, get(z + 4) / a2, get(z + 5) / a2, (roll * normal) / a2);
	} else {
		set(y + 28, 1);
		set(y + 35, 1);
	}
}

/** dF_N / dU (six numbers): (1, mu e_U, ...), zero for a speed that is zero. */
export function rollingSlope(p: i32, u: i32, slope: i32): void {
	const slip: f64 = Math.sqrt(get(u + 1) * get(u + 1) + get(u + 2) * get(u + 2));
	const rolling: f64 = Math.sqrt(get(u + 4) * get(u + 4) + get(u + 5) * get(u + 5));
	const spin: f64 = get(u + 3);
	set(slope, 1);
	set(slope + 1, slip > 0 ? (get(p) * get(u + 1)) / slip : 0);
	set(slope + 2, slip > 0 ? (get(p) * get(u + 2)) / slip : 0);
	set(slope + 3, spin > 0 ? get(p + 2) : spin < 0 ? -get(p + 2) : 0);
	set(slope + 4, rolling > 0 ? (get(p + 1) * get(u + 4)) / rolling : 0);
	set(slope + 5, rolling > 0 ? (get(p + 1) * get(u + 5)) / rolling : 0);
}
