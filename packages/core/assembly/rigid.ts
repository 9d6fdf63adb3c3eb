/**
 * The matrix-free operator of rigid bodies, W = H M^-1 H^T without W: 15 numbers per contact (frame 9, arms 6) and 13 per
 * body (velocity 6, inverse mass, inverse inertia 6). Impulses are gathered on bodies in the storage order of contacts.
 * frame rows are scaled by s_a when the system is, which scales W. A body -1 is an obstacle.
 *
 *     contact data at h + 15 a: frame N, T1, T2, then arm_0, arm_1       body data at m + 7 b: 1/mass, xx yy zz xy xz yz
 */
import { get, getInt, set } from "./memory";
import { eliminate, visit } from "./sweep";

/** Adds the impulse p, applied at arm, to a body's sums: force at v, torque at v + 3. */
function gather(v: i32, arm: i32, p0: f64, p1: f64, p2: f64): void {
	const a0: f64 = get(arm);
	const a1: f64 = get(arm + 1);
	const a2: f64 = get(arm + 2);
	set(v, get(v) + p0);
	set(v + 1, get(v + 1) + p1);
	set(v + 2, get(v + 2) + p2);
	set(v + 3, get(v + 3) + (a1 * p2 - a2 * p1));
	set(v + 4, get(v + 4) + (a2 * p0 - a0 * p2));
	set(v + 5, get(v + 5) + (a0 * p1 - a1 * p0));
}

/** Body velocities from impulses on contacts: v = M^-1 H^T x. */
export function bodyVelocities(contacts: i32, bodies: i32, h: i32, body: i32, m: i32, x: i32, v: i32): void {
	for (let i: i32 = 0; i < 6 * bodies; i += 1) set(v + i, 0);
	for (let a: i32 = 0; a < contacts; a += 1) {
		const ha: i32 = h + 15 * a;
		const x0: f64 = get(x + 3 * a);
		const x1: f64 = get(x + 3 * a + 1);
		const x2: f64 = get(x + 3 * a + 2);
		const p0: f64 = get(ha) * x0 + get(ha + 3) * x1 + get(ha + 6) * x2;
		const p1: f64 = get(ha + 1) * x0 + get(ha + 4) * x1 + get(ha + 7) * x2;
		const p2: f64 = get(ha + 2) * x0 + get(ha + 5) * x1 + get(ha + 8) * x2;
		const from: i32 = getInt(body + 2 * a);
		const to: i32 = getInt(body + 2 * a + 1);
		if (from >= 0) gather(v + 6 * from, ha + 9, -p0, -p1, -p2);
		if (to >= 0) gather(v + 6 * to, ha + 12, p0, p1, p2);
	}
	for (let b: i32 = 0; b < bodies; b += 1) {
		const vb: i32 = v + 6 * b;
		const mb: i32 = m + 7 * b;
		const inverse: f64 = get(mb);
		const t0: f64 = get(vb + 3);
		const t1: f64 = get(vb + 4);
		const t2: f64 = get(vb + 5);
		set(vb, inverse * get(vb));
		set(vb + 1, inverse * get(vb + 1));
		set(vb + 2, inverse * get(vb + 2));
		set(vb + 3, get(mb + 1) * t0 + get(mb + 4) * t1 + get(mb + 5) * t2);
		set(vb + 4, get(mb + 4) * t0 + get(mb + 2) * t1 + get(mb + 6) * t2);
		set(vb + 5, get(mb + 5) * t0 + get(mb + 6) * t1 + get(mb + 3) * t2);
	}
}

/** The relative velocity H_a v of one contact, written at u. */
function contactVelocity(ha: i32, from: i32, to: i32, v: i32, u: i32): void {
	let u0: f64 = 0;
	let u1: f64 = 0;
	let u2: f64 = 0;
	if (to >= 0) {
		const vb: i32 = v + 6 * to;
		u0 = get(vb) + (get(vb + 4) * get(ha + 14) - get(vb + 5) * get(ha + 13));
		u1 = get(vb + 1) + (get(vb + 5) * get(ha + 12) - get(vb + 3) * get(ha + 14));
		u2 = get(vb + 2) + (get(vb + 3) * get(ha + 13) - get(vb + 4) * get(ha + 12));
	}
	if (from >= 0) {
		const vb: i32 = v + 6 * from;
		u0 -= get(vb) + (get(vb + 4) * get(ha + 11) - get(vb + 5) * get(ha + 10));
		u1 -= get(vb + 1) + (get(vb + 5) * get(ha + 9) - get(vb + 3) * get(ha + 11));
		u2 -= get(vb + 2) + (get(vb + 3) * get(ha + 10) - get(vb + 4) * get(ha + 9));
	}
	set(u, get(ha) * u0 + get(ha + 1) * u1 + get(ha + 2) * u2);
	set(u + 1, get(ha + 3) * u0 + get(ha + 4) * u1 + get(ha + 5) * u2);
	set(u + 2, get(ha + 6) * u0 + get(ha + 7) * u1 + get(ha + 8) * u2);
}

/** y = H v. */
export function contactVelocities(contacts: i32, h: i32, body: i32, v: i32, y: i32): void {
	for (let a: i32 = 0; a < contacts; a += 1) {
		contactVelocity(h + 15 * a, getInt(body + 2 * a), getInt(body + 2 * a + 1), v, y + 3 * a);
	}
}

/** Adds to a body's velocity what the impulse p, applied at arm, does to it. */
function push(v: i32, m: i32, arm: i32, p0: f64, p1: f64, p2: f64): void {
	const inverse: f64 = get(m);
	const a0: f64 = get(arm);
	const a1: f64 = get(arm + 1);
	const a2: f64 = get(arm + 2);
	const t0: f64 = a1 * p2 - a2 * p1;
	const t1: f64 = a2 * p0 - a0 * p2;
	const t2: f64 = a0 * p1 - a1 * p0;
	set(v, get(v) + inverse * p0);
	set(v + 1, get(v + 1) + inverse * p1);
	set(v + 2, get(v + 2) + inverse * p2);
	set(v + 3, get(v + 3) + (get(m + 1) * t0 + get(m + 4) * t1 + get(m + 5) * t2));
	set(v + 4, get(v + 4) + (get(m + 4) * t0 + get(m + 2) * t1 + get(m + 6) * t2));
	set(v + 5, get(v + 5) + (get(m + 5) * t0 + get(m + 6) * t1 + get(m + 3) * t2));
}

/** Applies the change x of reaction a to the velocities of its bodies. */
function applyChange(a: i32, h: i32, body: i32, m: i32, v: i32, x0: f64, x1: f64, x2: f64): void {
	const ha: i32 = h + 15 * a;
	const p0: f64 = get(ha) * x0 + get(ha + 3) * x1 + get(ha + 6) * x2;
	const p1: f64 = get(ha + 1) * x0 + get(ha + 4) * x1 + get(ha + 7) * x2;
	const p2: f64 = get(ha + 2) * x0 + get(ha + 5) * x1 + get(ha + 8) * x2;
	const from: i32 = getInt(body + 2 * a);
	const to: i32 = getInt(body + 2 * a + 1);
	if (from >= 0) push(v + 6 * from, m + 7 * from, ha + 9, -p0, -p1, -p2);
	if (to >= 0) push(v + 6 * to, m + 7 * to, ha + 12, p0, p1, p2);
}

/**
 * One Gauss-Seidel sweep in body space over the contacts from..to-1: v are the velocities that belong to R
 * and follow every change, so a contact costs its two bodies instead of its row of W.
 */
export function rigidSweep(
	from: i32,
	to: i32,
	backward: i32,
	contacts: i32,
	h: i32,
	body: i32,
	m: i32,
	v: i32,
	relax: f64,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
): void {
	for (let i: i32 = from; i < to; i += 1) {
		const a: i32 = backward != 0 ? from + to - 1 - i : i;
		contactVelocity(h + 15 * a, getInt(body + 2 * a), getInt(body + 2 * a + 1), v, u);
		const r0: f64 = get(r + 3 * a);
		const r1: f64 = get(r + 3 * a + 1);
		const r2: f64 = get(r + 3 * a + 2);
		visit(a, contacts, relax, q, w, mu, r, u);
		const x0: f64 = get(r + 3 * a) - r0;
		const x1: f64 = get(r + 3 * a + 1) - r1;
		const x2: f64 = get(r + 3 * a + 2) - r2;
		if (x0 != 0 || x1 != 0 || x2 != 0) applyChange(a, h, body, m, v, x0, x1, x2);
	}
}

/** The triangular solve of sweep.ts in body space for the contacts start..end-1; z and v are zero before the first. */
export function rigidTriangle(
	start: i32,
	end: i32,
	h: i32,
	body: i32,
	m: i32,
	v: i32,
	p: i32,
	x: i32,
	c: i32,
	z: i32,
	u: i32,
): void {
	for (let a: i32 = start; a < end; a += 1) {
		contactVelocity(h + 15 * a, getInt(body + 2 * a), getInt(body + 2 * a + 1), v, u);
		eliminate(a, p, x, c, z, u);
		applyChange(a, h, body, m, v, get(z + 3 * a), get(z + 3 * a + 1), get(z + 3 * a + 2));
	}
}
