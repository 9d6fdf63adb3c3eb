/** The sweeps of sweep.ts and rigid.ts for ranges of contacts with another law than Coulomb's: one contact after another, by the law's local solve. */
import { PARAMETERS, ROLLING } from "./laws/law";
import { rollingBodySweep } from "./laws/rolling-bodies";
import { rollingSweep } from "./laws/rolling-sweep";
import { projectOf, solveOf, velocityOf } from "./laws/table";
import { Project, Solve, Velocity } from "./laws/law";
import { get, getInt, set } from "./memory";
import { stepLength } from "./projected-step";
import { stiffenedBlock } from "./proximal";
import { contactVelocity, passOn } from "./rigid";
import { pairProduct } from "./sell";

/**
 * Solves block a, its velocity without q being at u; relax, alpha and omega as in sweep.ts. `block` is scratch for 25 numbers: a block, and
 * what the law's own solve needs.
 */
function visit(
	solve: Solve,
	project: Project,
	velocity: Velocity,
	p: i32,
	a: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	r: i32,
	u: i32,
	block: i32,
): void {
	const ra: i32 = r + 3 * a;
	const wa: i32 = w + 9 * a;
	const r0: f64 = get(ra);
	const r1: f64 = get(ra + 1);
	const r2: f64 = get(ra + 2);
	const u0: f64 = get(u) + get(q + 3 * a);
	const u1: f64 = get(u + 1) + get(q + 3 * a + 1);
	const u2: f64 = get(u + 2) + get(q + 3 * a + 2);
	if (omega > 0) {
		const length: f64 = stepLength(wa, omega);
		set(block, u0);
		set(block + 1, u1);
		set(block + 2, u2);
		velocity(p, block, block);
		project(p, r0 - length * get(block), r1 - length * get(block + 1), r2 - length * get(block + 2), ra);
	} else {
		const b0: f64 = u0 - (get(wa) * r0 + get(wa + 1) * r1 + get(wa + 2) * r2);
		const b1: f64 = u1 - (get(wa + 3) * r0 + get(wa + 4) * r1 + get(wa + 5) * r2);
		const b2: f64 = u2 - (get(wa + 6) * r0 + get(wa + 7) * r1 + get(wa + 8) * r2);
		solve(alpha == 0 ? wa : stiffenedBlock(alpha, wa, block), p, b0, b1, b2, ra, block + 9);
	}
	if (relax == 1) return;
	const keep: f64 = 1 - relax;
	const n: f64 = keep * r0 + relax * get(ra);
	project(p, n, keep * r1 + relax * get(ra + 1), keep * r2 + relax * get(ra + 2), ra);
}

/** One Gauss-Seidel sweep over the rows from..to-1, forwards or backwards; u is scratch for 31 numbers, and for 240 where contacts roll. */
export function lawSellSweep(
	law: i32,
	from: i32,
	to: i32,
	backward: i32,
	start: i32,
	column: i32,
	values: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	parameters: i32,
	r: i32,
	u: i32,
): void {
	if (law == ROLLING) {
		rollingSweep(from, to, backward, start, column, values, relax, alpha, omega, q, w, parameters, r, u);
		return;
	}
	const solve = solveOf(law);
	const project = projectOf(law);
	const velocity = velocityOf(law);
	for (let i: i32 = from; i < to; i += 1) {
		const a: i32 = backward != 0 ? from + to - 1 - i : i;
		const pair: i32 = a >> 1;
		pairProduct(getInt(start + pair), getInt(start + pair + 1), column, values, r, u);
		const p: i32 = parameters + PARAMETERS * a;
		visit(solve, project, velocity, p, a, relax, alpha, omega, q, w, r, u + 3 * (a & 1), u + 6);
	}
}

/** The same in the space of bodies, whose velocities v belong to R; u is scratch for 31 numbers, and for 240 where contacts roll. */
export function lawRigidSweep(
	law: i32,
	from: i32,
	to: i32,
	backward: i32,
	h: i32,
	body: i32,
	m: i32,
	v: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	parameters: i32,
	r: i32,
	u: i32,
): void {
	if (law == ROLLING) {
		rollingBodySweep(from, to, backward, h, body, m, v, relax, alpha, omega, q, w, parameters, r, u);
		return;
	}
	const solve = solveOf(law);
	const project = projectOf(law);
	const velocity = velocityOf(law);
	for (let i: i32 = from; i < to; i += 1) {
		const a: i32 = backward != 0 ? from + to - 1 - i : i;
		contactVelocity(h + 30 * (a >> 1) + (a & 1), getInt(body + 2 * a), getInt(body + 2 * a + 1), v, u);
		const r0: f64 = get(r + 3 * a);
		const r1: f64 = get(r + 3 * a + 1);
		const r2: f64 = get(r + 3 * a + 2);
		visit(solve, project, velocity, parameters + PARAMETERS * a, a, relax, alpha, omega, q, w, r, u, u + 6);
		passOn(a, h, body, m, v, r, r0, r1, r2);
	}
}
