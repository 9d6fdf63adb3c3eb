/**
 * Gauss-Seidel sweeps in the space of rigid bodies: v are the velocities that belong to R and follow every change, so a contact
 * costs its two bodies instead of its row of W. bodies.ts has the layout of h, body, m and v. The obstacle takes its share like
 * any body: without inverse mass it never moves.
 */
import { get, getInt, set } from "./memory";
import { COUPLED } from "./batch";
import { visitPair } from "./pair";
import { visitRigidBatch } from "./rigid-batch";
import { eliminate, visit } from "./sweep";

/** The relative velocity H_a v of one contact, written at u. */
export function contactVelocity(ha: i32, from: i32, to: i32, v: i32, u: i32): void {
	const p: i32 = v + 6 * to;
	const q: i32 = v + 6 * from;
	let u0: f64 = get(p) + (get(p + 4) * get(ha + 28) - get(p + 5) * get(ha + 26));
	let u1: f64 = get(p + 1) + (get(p + 5) * get(ha + 24) - get(p + 3) * get(ha + 28));
	let u2: f64 = get(p + 2) + (get(p + 3) * get(ha + 26) - get(p + 4) * get(ha + 24));
	u0 -= get(q) + (get(q + 4) * get(ha + 22) - get(q + 5) * get(ha + 20));
	u1 -= get(q + 1) + (get(q + 5) * get(ha + 18) - get(q + 3) * get(ha + 22));
	u2 -= get(q + 2) + (get(q + 3) * get(ha + 20) - get(q + 4) * get(ha + 18));
	set(u, get(ha) * u0 + get(ha + 2) * u1 + get(ha + 4) * u2);
	set(u + 1, get(ha + 6) * u0 + get(ha + 8) * u1 + get(ha + 10) * u2);
	set(u + 2, get(ha + 12) * u0 + get(ha + 14) * u1 + get(ha + 16) * u2);
}

/** Adds to a body's velocity what the impulse p, applied at arm, does to it. */
function push(v: i32, m: i32, arm: i32, p0: f64, p1: f64, p2: f64): void {
	const inverse: f64 = get(m);
	const a0: f64 = get(arm);
	const a1: f64 = get(arm + 2);
	const a2: f64 = get(arm + 4);
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

/** Applies the change x of a contact's reaction to the velocities of its bodies. */
function applyChange(ha: i32, from: i32, to: i32, m: i32, v: i32, x0: f64, x1: f64, x2: f64): void {
	const p0: f64 = get(ha) * x0 + get(ha + 6) * x1 + get(ha + 12) * x2;
	const p1: f64 = get(ha + 2) * x0 + get(ha + 8) * x1 + get(ha + 14) * x2;
	const p2: f64 = get(ha + 4) * x0 + get(ha + 10) * x1 + get(ha + 16) * x2;
	push(v + 6 * from, m + 7 * from, ha + 18, -p0, -p1, -p2);
	push(v + 6 * to, m + 7 * to, ha + 24, p0, p1, p2);
}

/** What a visit did to the reaction of contact a, which was (r0, r1, r2), is passed on to its bodies. */
export function passOn(a: i32, h: i32, body: i32, m: i32, v: i32, r: i32, r0: f64, r1: f64, r2: f64): void {
	const x0: f64 = get(r + 3 * a) - r0;
	const x1: f64 = get(r + 3 * a + 1) - r1;
	const x2: f64 = get(r + 3 * a + 2) - r2;
	if (x0 == 0 && x1 == 0 && x2 == 0) return;
	applyChange(h + 30 * (a >> 1) + (a & 1), getInt(body + 2 * a), getInt(body + 2 * a + 1), m, v, x0, x1, x2);
}

/** Gauss-Seidel visits to the two contacts of a pair that share no body: neither waits for the other. */
function visitApart(
	a: i32,
	alpha: f64,
	h: i32,
	body: i32,
	m: i32,
	v: i32,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
): void {
	const ha: i32 = h + 15 * a;
	contactVelocity(ha, getInt(body + 2 * a), getInt(body + 2 * a + 1), v, u);
	contactVelocity(ha + 1, getInt(body + 2 * a + 2), getInt(body + 2 * a + 3), v, u + 3);
	const r0: f64 = get(r + 3 * a);
	const r1: f64 = get(r + 3 * a + 1);
	const r2: f64 = get(r + 3 * a + 2);
	const s0: f64 = get(r + 3 * a + 3);
	const s1: f64 = get(r + 3 * a + 4);
	const s2: f64 = get(r + 3 * a + 5);
	visitPair(a, alpha, q, w, mu, r, u);
	passOn(a, h, body, m, v, r, r0, r1, r2);
	passOn(a + 1, h, body, m, v, r, s0, s1, s2);
}

/** One nonlinear Gauss-Seidel sweep over the contacts from..to-1; v belongs to R, flags are those of waits.ts, u is scratch of rigid-batch.ts. */
export function rigidSweep(
	from: i32,
	to: i32,
	backward: i32,
	contacts: i32,
	h: i32,
	body: i32,
	flags: i32,
	m: i32,
	v: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
): void {
	const isPlain: boolean = relax == 1 && omega == 0;
	for (let i: i32 = from; i < to; i += 1) {
		if (isPlain && backward == 0 && (i & 1) == 0) {
			let next: i32 = i;
			do {
				i = next;
				next = 2 * visitRigidBatch(i >> 1, to >> 1, flags, alpha, h, body, m, v, q, w, mu, r, u);
			} while (next > i);
			if (i >= to) return;
		}
		const a: i32 = backward != 0 ? from + to - 1 - i : i;
		const pair: i32 = backward != 0 ? a - 1 : a;
		const whole: boolean = isPlain && (pair & 1) == 0 && pair >= from && pair + 1 < to;
		if (whole && get(mu + pair) > 0 && get(mu + pair + 1) > 0 && (getInt(flags + (pair >> 1)) & COUPLED) == 0) {
			visitApart(pair, alpha, h, body, m, v, q, w, mu, r, u);
			i += 1;
			continue;
		}
		contactVelocity(h + 30 * (a >> 1) + (a & 1), getInt(body + 2 * a), getInt(body + 2 * a + 1), v, u);
		const r0: f64 = get(r + 3 * a);
		const r1: f64 = get(r + 3 * a + 1);
		const r2: f64 = get(r + 3 * a + 2);
		visit(a, contacts, relax, alpha, omega, q, w, mu, r, u, u + 6);
		passOn(a, h, body, m, v, r, r0, r1, r2);
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
		const ha: i32 = h + 30 * (a >> 1) + (a & 1);
		const body0: i32 = getInt(body + 2 * a);
		const body1: i32 = getInt(body + 2 * a + 1);
		contactVelocity(ha, body0, body1, v, u);
		eliminate(a, p, x, c, z, u);
		applyChange(ha, body0, body1, m, v, get(z + 3 * a), get(z + 3 * a + 1), get(z + 3 * a + 2));
	}
}
