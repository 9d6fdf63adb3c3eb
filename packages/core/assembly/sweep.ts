/**
 * Sweeps over the rows of an assembled W, in the runs that the layout gives: nonlinear Gauss-Seidel, and the triangular solve of the
 * preconditioner. Both visit pairs of rows; where the two rows of a pair couple, the second is computed again after
 * the first has changed, so that the sweep is the same whatever pairs the layout made.
 */
import { solveFree, solveLocal } from "./local";
import { COUPLED, visitBatch } from "./batch";
import { project } from "./cone";
import { get, getInt, set } from "./memory";
import { visitPair } from "./pair";
import { freeStep, projectedStep } from "./projected-step";
import { stiffenedBlock } from "./proximal";
import { pairProduct } from "./sell";

/**
 * Solves block a exactly, its velocity without q being at u; relax is the over-relaxation (1: none). alpha is the weight of a proximal
 * step (proximal.ts; 0: none), for which `block` is scratch for nine numbers. omega above 0: a projected step of that length in
 * place of the exact solve.
 */
export function visit(
	a: i32,
	contacts: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
	block: i32,
): void {
	const ra: i32 = r + 3 * a;
	const wa: i32 = w + 9 * a;
	const r0: f64 = get(ra);
	const r1: f64 = get(ra + 1);
	const r2: f64 = get(ra + 2);
	// b = q_a + sum over b != a of W_ab R_b, from the whole row.
	const b0: f64 = get(u) + get(q + 3 * a) - (get(wa) * r0 + get(wa + 1) * r1 + get(wa + 2) * r2);
	const b1: f64 = get(u + 1) + get(q + 3 * a + 1) - (get(wa + 3) * r0 + get(wa + 4) * r1 + get(wa + 5) * r2);
	const b2: f64 = get(u + 2) + get(q + 3 * a + 2) - (get(wa + 6) * r0 + get(wa + 7) * r1 + get(wa + 8) * r2);
	const friction: f64 = a < contacts ? get(mu + a) : 0;
	if (omega > 0) {
		const u0: f64 = get(u) + get(q + 3 * a);
		const u1: f64 = get(u + 1) + get(q + 3 * a + 1);
		const u2: f64 = get(u + 2) + get(q + 3 * a + 2);
		if (a < contacts) projectedStep(wa, friction, omega, u0, u1, u2, ra);
		else freeStep(wa, omega * relax, u0, u1, u2, ra);
	} else {
		const solved: i32 = alpha == 0 ? wa : stiffenedBlock(alpha, wa, block);
		if (a < contacts) solveLocal(solved, friction, b0, b1, b2, ra);
		else solveFree(solved, b0, b1, b2, ra);
	}
	if (relax != 1 && a < contacts) {
		const keep: f64 = 1 - relax;
		project(
			friction,
			keep * r0 + relax * get(ra),
			keep * r1 + relax * get(ra + 1),
			keep * r2 + relax * get(ra + 2),
			ra,
		);
	}
}

/** One Gauss-Seidel sweep over the rows from..to-1, forwards or backwards; u is scratch of batch.ts. */
export function sellSweep(
	from: i32,
	to: i32,
	backward: i32,
	contacts: i32,
	start: i32,
	column: i32,
	values: i32,
	flags: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
): void {
	const firstPair: i32 = from >> 1;
	const lastPair: i32 = (to - 1) >> 1;
	const block: i32 = u + 6;
	// Pairs that are contacts altogether.
	const whole: i32 = (from + 1) >> 1;
	const end: i32 = (to < contacts ? to : contacts) >> 1;
	for (let i: i32 = firstPair; i <= lastPair; i += 1) {
		if (backward == 0 && relax == 1 && omega == 0 && i >= whole) {
			let next: i32 = i;
			do {
				i = next;
				next = visitBatch(i, end, start, column, values, flags, alpha, q, w, mu, r, u);
			} while (next > i);
			if (i > lastPair) return;
		}
		const pair: i32 = backward != 0 ? firstPair + lastPair - i : i;
		const slot: i32 = getInt(start + pair);
		const slotEnd: i32 = getInt(start + pair + 1);
		const first: i32 = 2 * pair + backward;
		const second: i32 = 2 * pair + 1 - backward;
		pairProduct(slot, slotEnd, column, values, r, u);
		const isCoupled: boolean = (getInt(flags + pair) & COUPLED) != 0;
		const hasFriction: boolean = pair < end && get(mu + 2 * pair) > 0 && get(mu + 2 * pair + 1) > 0;
		if (pair >= whole && hasFriction && relax == 1 && omega == 0 && !isCoupled) {
			visitPair(2 * pair, alpha, q, w, mu, r, u);
			continue;
		}
		if (first >= from && first < to) {
			visit(first, contacts, relax, alpha, omega, q, w, mu, r, u + 3 * backward, block);
			if (isCoupled) pairProduct(slot, slotEnd, column, values, r, u);
		}
		if (second >= from && second < to) {
			visit(second, contacts, relax, alpha, omega, q, w, mu, r, u + 3 * (1 - backward), block);
		}
	}
}

/** z_a = P_a (c_a - X_a u), the rest of row a's product being at u. */
export function eliminate(a: i32, p: i32, x: i32, c: i32, z: i32, u: i32): void {
	const xa: i32 = x + 9 * a;
	const u0: f64 = get(u);
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	const c0: f64 = get(c + 3 * a) - (get(xa) * u0 + get(xa + 1) * u1 + get(xa + 2) * u2);
	const c1: f64 = get(c + 3 * a + 1) - (get(xa + 3) * u0 + get(xa + 4) * u1 + get(xa + 5) * u2);
	const c2: f64 = get(c + 3 * a + 2) - (get(xa + 6) * u0 + get(xa + 7) * u1 + get(xa + 8) * u2);
	const pa: i32 = p + 9 * a;
	set(z + 3 * a, get(pa) * c0 + get(pa + 1) * c1 + get(pa + 2) * c2);
	set(z + 3 * a + 1, get(pa + 3) * c0 + get(pa + 4) * c1 + get(pa + 5) * c2);
	set(z + 3 * a + 2, get(pa + 6) * c0 + get(pa + 7) * c1 + get(pa + 8) * c2);
}

/**
 * The triangular solve of the preconditioner for the rows from..to-1: z = T^-1 c, where T is the block lower triangle of
 * X W + Y + d D in sweep order and P holds the inverses of its diagonal;
 * z is zero in all rows not yet reached.
 */
export function sellTriangle(
	from: i32,
	to: i32,
	start: i32,
	column: i32,
	values: i32,
	flags: i32,
	p: i32,
	x: i32,
	c: i32,
	z: i32,
	u: i32,
): void {
	const lastPair: i32 = (to - 1) >> 1;
	for (let pair: i32 = from >> 1; pair <= lastPair; pair += 1) {
		const slot: i32 = getInt(start + pair);
		const end: i32 = getInt(start + pair + 1);
		pairProduct(slot, end, column, values, z, u);
		if (2 * pair >= from) {
			eliminate(2 * pair, p, x, c, z, u);
			if ((getInt(flags + pair) & COUPLED) != 0) pairProduct(slot, end, column, values, z, u);
		}
		if (2 * pair + 1 < to) eliminate(2 * pair + 1, p, x, c, z, u + 3);
	}
}
