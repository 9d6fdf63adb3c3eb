/**
 * Rolling contacts in the space of rigid bodies (bodies.ts has the layout): two blocks at places a and a + 1, each with its frame in a scale of its own. The
 * second is the moment: it turns bodies and moves none, so that its arms mean nothing, and its velocity is the relative angular one.
 * Contacts of other laws that stand alone in a pair of lanes go through here too, with the bits that they have in lanes.
 */
import { get, getInt, set } from "../memory";
import { contactVelocity, passOn } from "../rigid";
import { eliminate } from "../sweep";
import { PARAMETERS } from "./law";
import { BLOCK, visitRolling } from "./rolling-visit";

/** Where the frame of block a stands. */
function frameOf(h: i32, a: i32): i32 {
	return h + 30 * (a >> 1) + (a & 1);
}

/** Adds an impulse, negative on the first body, and its torque about a body's centre to the sums of a body. */
function push(v: i32, arm: i32, p0: f64, p1: f64, p2: f64): void {
	const a0: f64 = get(arm);
	const a1: f64 = get(arm + 2);
	const a2: f64 = get(arm + 4);
	set(v, get(v) + p0);
	set(v + 1, get(v + 1) + p1);
	set(v + 2, get(v + 2) + p2);
	set(v + 3, get(v + 3) + (a1 * p2 - a2 * p1));
	set(v + 4, get(v + 4) + (a2 * p0 - a0 * p2));
	set(v + 5, get(v + 5) + (a0 * p1 - a1 * p0));
}

/** A component of F^T x: F stands at `frame`, of which this is a column. */
function turned(frame: i32, x0: f64, x1: f64, x2: f64): f64 {
	return get(frame) * x0 + get(frame + 6) * x1 + get(frame + 12) * x2;
}

/** Adds what the blocks from..to-1 give to the sums of their bodies: forces, and where contacts roll forces and moments by turns. */
export function gatherSingles(rolls: i32, from: i32, to: i32, h: i32, body: i32, x: i32, v: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const frame: i32 = frameOf(h, a);
		const one: i32 = v + 6 * getInt(body + 2 * a);
		const other: i32 = v + 6 * getInt(body + 2 * a + 1);
		const x0: f64 = get(x + 3 * a);
		const x1: f64 = get(x + 3 * a + 1);
		const x2: f64 = get(x + 3 * a + 2);
		const p0: f64 = turned(frame, x0, x1, x2);
		const p1: f64 = turned(frame + 2, x0, x1, x2);
		const p2: f64 = turned(frame + 4, x0, x1, x2);
		if (rolls != 0 && ((a - from) & 1) != 0) {
			set(one + 3, get(one + 3) - p0);
			set(one + 4, get(one + 4) - p1);
			set(one + 5, get(one + 5) - p2);
			set(other + 3, get(other + 3) + p0);
			set(other + 4, get(other + 4) + p1);
			set(other + 5, get(other + 5) + p2);
		} else {
			push(one, frame + 18, -p0, -p1, -p2);
			push(other, frame + 24, p0, p1, p2);
		}
	}
}

/** The relative angular velocity of two bodies in the frame of a moment, written at u. */
function angularVelocity(frame: i32, one: i32, other: i32, v: i32, u: i32): void {
	const p: i32 = v + 6 * other;
	const q: i32 = v + 6 * one;
	const w0: f64 = get(p + 3) - get(q + 3);
	const w1: f64 = get(p + 4) - get(q + 4);
	const w2: f64 = get(p + 5) - get(q + 5);
	for (let i: i32 = 0; i < 3; i += 1) {
		const row: i32 = frame + 6 * i;
		set(u + i, get(row) * w0 + get(row + 2) * w1 + get(row + 4) * w2);
	}
}

/** y = H v of the blocks from..to-1. */
export function singleVelocities(rolls: i32, from: i32, to: i32, h: i32, body: i32, v: i32, y: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const one: i32 = getInt(body + 2 * a);
		const other: i32 = getInt(body + 2 * a + 1);
		if (rolls != 0 && ((a - from) & 1) != 0) angularVelocity(frameOf(h, a), one, other, v, y + 3 * a);
		else contactVelocity(frameOf(h, a), one, other, v, y + 3 * a);
	}
}

/** Adds what a body gives to the block of force and moment, row by row f . (I^-1 g x arm), and to its transpose; both are parts of the 6x6 one. */
function couple(force: i32, arm: i32, moment: i32, m: i32, block: i32): void {
	for (let j: i32 = 0; j < 3; j += 1) {
		const g0: f64 = get(moment + 6 * j);
		const g1: f64 = get(moment + 6 * j + 2);
		const g2: f64 = get(moment + 6 * j + 4);
		const t0: f64 = get(m + 1) * g0 + get(m + 4) * g1 + get(m + 5) * g2;
		const t1: f64 = get(m + 4) * g0 + get(m + 2) * g1 + get(m + 6) * g2;
		const t2: f64 = get(m + 5) * g0 + get(m + 6) * g1 + get(m + 3) * g2;
		const c0: f64 = t1 * get(arm + 4) - t2 * get(arm + 2);
		const c1: f64 = t2 * get(arm) - t0 * get(arm + 4);
		const c2: f64 = t0 * get(arm + 2) - t1 * get(arm);
		for (let i: i32 = 0; i < 3; i += 1) {
			const row: i32 = force + 6 * i;
			const sum: f64 = get(block + 6 * i + 3 + j) + (get(row) * c0 + get(row + 2) * c1 + get(row + 4) * c2);
			set(block + 6 * i + 3 + j, sum);
			set(block + 18 + 6 * j + i, sum);
		}
	}
}

/** Adds to a body's angular velocity what a moment does to it. */
function turn(v: i32, m: i32, t0: f64, t1: f64, t2: f64): void {
	set(v + 3, get(v + 3) + (get(m + 1) * t0 + get(m + 4) * t1 + get(m + 5) * t2));
	set(v + 4, get(v + 4) + (get(m + 4) * t0 + get(m + 2) * t1 + get(m + 6) * t2));
	set(v + 5, get(v + 5) + (get(m + 5) * t0 + get(m + 6) * t1 + get(m + 3) * t2));
}

/** The change of a moment from (r0, r1, r2) to what stands at r is passed on to its bodies. */
function passMomentOn(a: i32, h: i32, body: i32, m: i32, v: i32, r: i32, r0: f64, r1: f64, r2: f64): void {
	const x0: f64 = get(r + 3 * a) - r0;
	const x1: f64 = get(r + 3 * a + 1) - r1;
	const x2: f64 = get(r + 3 * a + 2) - r2;
	const frame: i32 = frameOf(h, a);
	const t0: f64 = turned(frame, x0, x1, x2);
	const t1: f64 = turned(frame + 2, x0, x1, x2);
	const t2: f64 = turned(frame + 4, x0, x1, x2);
	const one: i32 = getInt(body + 2 * a);
	const other: i32 = getInt(body + 2 * a + 1);
	turn(v + 6 * one, m + 7 * one, -t0, -t1, -t2);
	turn(v + 6 * other, m + 7 * other, t0, t1, t2);
}

/** One sweep over the pairs of from..to-1; v belongs to R; relax, alpha and omega as in sweep.ts; `work` is scratch for 240 numbers. */
export function rollingBodySweep(
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
	p: i32,
	r: i32,
	work: i32,
): void {
	const block: i32 = work + BLOCK;
	for (let k: i32 = from; k < to; k += 2) {
		const a: i32 = backward != 0 ? from + to - 2 - k : k;
		const force: i32 = frameOf(h, a);
		const moment: i32 = frameOf(h, a + 1);
		const one: i32 = getInt(body + 2 * a);
		const other: i32 = getInt(body + 2 * a + 1);
		contactVelocity(force, one, other, v, work);
		angularVelocity(moment, one, other, v, work + 3);
		for (let i: i32 = 0; i < 36; i += 1) set(block + i, 0);
		couple(force, force + 18, moment, m + 7 * one, block);
		couple(force, force + 24, moment, m + 7 * other, block);
		const r0: f64 = get(r + 3 * a);
		const r1: f64 = get(r + 3 * a + 1);
		const r2: f64 = get(r + 3 * a + 2);
		const m0: f64 = get(r + 3 * a + 3);
		const m1: f64 = get(r + 3 * a + 4);
		const m2: f64 = get(r + 3 * a + 5);
		visitRolling(a, work, relax, alpha, omega, q, w, p + PARAMETERS * a, r, work);
		passOn(a, h, body, m, v, r, r0, r1, r2);
		passMomentOn(a + 1, h, body, m, v, r, m0, m1, m2);
	}
}

/** rigidTriangle over the pairs of start..end-1, block after block. */
export function rollingTriangle(
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
		const one: i32 = getInt(body + 2 * a);
		const other: i32 = getInt(body + 2 * a + 1);
		const isMoment: boolean = ((a - start) & 1) != 0;
		if (isMoment) angularVelocity(frameOf(h, a), one, other, v, u);
		else contactVelocity(frameOf(h, a), one, other, v, u);
		eliminate(a, p, x, c, z, u);
		if (isMoment) passMomentOn(a, h, body, m, v, z, 0, 0, 0);
		else passOn(a, h, body, m, v, z, 0, 0, 0);
	}
}
