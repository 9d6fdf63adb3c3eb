/** The matrix-free product in plain TypeScript: assembly/bodies.ts says what it is; the order of every addition is the same. */
import { get, getInt, set } from "./memory.js";

/** Adds sign times the impulse p, applied at the arm (every second number from there), to a body's force and torque. */
function gather(v: number, arm: number, sign: number, p0: number, p1: number, p2: number): void {
	const a0 = get(arm);
	const a1 = get(arm + 2);
	const a2 = get(arm + 4);
	set(v, get(v) + sign * p0);
	set(v + 1, get(v + 1) + sign * p1);
	set(v + 2, get(v + 2) + sign * p2);
	set(v + 3, get(v + 3) + sign * (a1 * p2 - a2 * p1));
	set(v + 4, get(v + 4) + sign * (a2 * p0 - a0 * p2));
	set(v + 5, get(v + 5) + sign * (a0 * p1 - a1 * p0));
}

export function gatherImpulses(contacts: number, h: number, body: number, x: number, v: number): void {
	const even = contacts + (contacts & 1);
	for (let a = 0; a < even; a += 1) {
		const ha = h + 30 * (a >> 1) + (a & 1);
		const x0 = get(x + 3 * a);
		const x1 = get(x + 3 * a + 1);
		const x2 = get(x + 3 * a + 2);
		const p0 = get(ha) * x0 + get(ha + 6) * x1 + get(ha + 12) * x2;
		const p1 = get(ha + 2) * x0 + get(ha + 8) * x1 + get(ha + 14) * x2;
		const p2 = get(ha + 4) * x0 + get(ha + 10) * x1 + get(ha + 16) * x2;
		gather(v + 6 * getInt(body + 2 * a), ha + 18, -1, p0, p1, p2);
		gather(v + 6 * getInt(body + 2 * a + 1), ha + 24, 1, p0, p1, p2);
	}
}

export function setInMotion(bodies: number, m: number, v: number): void {
	for (let b = 0; b < bodies; b += 1) accelerate(v + 6 * b, m + 7 * b);
}

/** Momentum to velocity, in place. */
function accelerate(vb: number, mb: number): void {
	const inverse = get(mb);
	const t0 = get(vb + 3);
	const t1 = get(vb + 4);
	const t2 = get(vb + 5);
	set(vb, inverse * get(vb));
	set(vb + 1, inverse * get(vb + 1));
	set(vb + 2, inverse * get(vb + 2));
	set(vb + 3, get(mb + 1) * t0 + get(mb + 4) * t1 + get(mb + 5) * t2);
	set(vb + 4, get(mb + 4) * t0 + get(mb + 2) * t1 + get(mb + 6) * t2);
	set(vb + 5, get(mb + 5) * t0 + get(mb + 6) * t1 + get(mb + 3) * t2);
}

/** y = H v. */
export function contactVelocities(contacts: number, h: number, body: number, v: number, y: number): void {
	const even = contacts + (contacts & 1);
	for (let a = 0; a < even; a += 1) {
		const ha = h + 30 * (a >> 1) + (a & 1);
		const p = v + 6 * getInt(body + 2 * a + 1);
		const q = v + 6 * getInt(body + 2 * a);
		let u0 = get(p) + (get(p + 4) * get(ha + 28) - get(p + 5) * get(ha + 26));
		let u1 = get(p + 1) + (get(p + 5) * get(ha + 24) - get(p + 3) * get(ha + 28));
		let u2 = get(p + 2) + (get(p + 3) * get(ha + 26) - get(p + 4) * get(ha + 24));
		u0 -= get(q) + (get(q + 4) * get(ha + 22) - get(q + 5) * get(ha + 20));
		u1 -= get(q + 1) + (get(q + 5) * get(ha + 18) - get(q + 3) * get(ha + 22));
		u2 -= get(q + 2) + (get(q + 3) * get(ha + 20) - get(q + 4) * get(ha + 18));
		set(y + 3 * a, get(ha) * u0 + get(ha + 2) * u1 + get(ha + 4) * u2);
		set(y + 3 * a + 1, get(ha + 6) * u0 + get(ha + 8) * u1 + get(ha + 10) * u2);
		set(y + 3 * a + 2, get(ha + 12) * u0 + get(ha + 14) * u1 + get(ha + 16) * u2);
	}
}
