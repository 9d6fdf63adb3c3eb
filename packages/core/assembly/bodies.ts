/**
 * The matrix-free product of rigid bodies in two passes over the contacts, two contacts side by side in the lanes as rows are in
 * SELL-2: W x = H M^-1 H^T x without W. Impulses reach a body in the order of the contacts given.
 * src/kernels/bodies.ts is the same in plain TypeScript, to the bit.
 *
 *     h[30 (a >> 1) + 2 k + (a & 1)]    contact a: k = 0..8 frame N, T1, T2 (scaled when the system is), 9..11 arm_0, 12..14 arm_1
 *     body[2 a], body[2 a + 1]          its bodies; an obstacle is one more body, of no inverse mass
 *     m[7 b], v[6 b]                    body b: 1/mass, xx yy zz xy xz yz of its inverse inertia; velocity, angular velocity
 *
 * An odd last contact has a neighbour of zeros on the obstacle.
 */

/** Takes a contact's impulse and torque (p0, p1), (p2, t0), (t1, t2) from the sums of its first body. */
@inline
function pull(v: usize, p01: v128, p2t0: v128, t12: v128): void {
	v128.store(v, f64x2.sub(v128.load(v), p01));
	v128.store(v, f64x2.sub(v128.load(v, 16), p2t0), 16);
	v128.store(v, f64x2.sub(v128.load(v, 32), t12), 32);
}

/** Adds them to those of its second body. */
@inline
function push(v: usize, p01: v128, p2t0: v128, t12: v128): void {
	v128.store(v, f64x2.add(v128.load(v), p01));
	v128.store(v, f64x2.add(v128.load(v, 16), p2t0), 16);
	v128.store(v, f64x2.add(v128.load(v, 32), t12), 32);
}

/** a b - c d */
@inline
export function cross(a: v128, b: v128, c: v128, d: v128): v128 {
	return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

/** Adds the impulses F^T x of contacts and their torques to the sums of their bodies. */
export function gatherImpulses(contacts: i32, firstH: i32, firstBody: i32, firstX: i32, sums: i32): void {
	let h: usize = (<usize>firstH) << 3;
	let body: usize = (<usize>firstBody) << 2;
	let x: usize = (<usize>firstX) << 3;
	const v: usize = (<usize>sums) << 3;
	for (let a: i32 = 0; a < contacts; a += 2) {
		const x01 = v128.load(x);
		const x23 = v128.load(x, 16);
		const x45 = v128.load(x, 32);
		const x0 = v128.shuffle<f64>(x01, x23, 0, 3);
		const x1 = v128.shuffle<f64>(x01, x45, 1, 2);
		const x2 = v128.shuffle<f64>(x23, x45, 0, 3);
		const p0 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h), x0), f64x2.mul(v128.load(h, 48), x1)), f64x2.mul(v128.load(h, 96), x2));
		const p1 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h, 16), x0), f64x2.mul(v128.load(h, 64), x1)), f64x2.mul(v128.load(h, 112), x2));
		const p2 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h, 32), x0), f64x2.mul(v128.load(h, 80), x1)), f64x2.mul(v128.load(h, 128), x2));
		const a0 = v128.load(h, 144);
		const a1 = v128.load(h, 160);
		const a2 = v128.load(h, 176);
		const s0 = cross(a1, p2, a2, p1);
		const s1 = cross(a2, p0, a0, p2);
		const s2 = cross(a0, p1, a1, p0);
		const b0 = v128.load(h, 192);
		const b1 = v128.load(h, 208);
		const b2 = v128.load(h, 224);
		const t0 = cross(b1, p2, b2, p1);
		const t1 = cross(b2, p0, b0, p2);
		const t2 = cross(b0, p1, b1, p0);
		const first: u64 = load<u64>(body);
		const second: u64 = load<u64>(body, 8);
		const near = v128.shuffle<f64>(p0, p1, 0, 2);
		const far = v128.shuffle<f64>(p0, p1, 1, 3);
		pull(v + (<usize>first) * 48, near, v128.shuffle<f64>(p2, s0, 0, 2), v128.shuffle<f64>(s1, s2, 0, 2));
		push(v + (<usize>(first >> 32)) * 48, near, v128.shuffle<f64>(p2, t0, 0, 2), v128.shuffle<f64>(t1, t2, 0, 2));
		pull(v + (<usize>second) * 48, far, v128.shuffle<f64>(p2, s0, 1, 3), v128.shuffle<f64>(s1, s2, 1, 3));
		push(v + (<usize>(second >> 32)) * 48, far, v128.shuffle<f64>(p2, t0, 1, 3), v128.shuffle<f64>(t1, t2, 1, 3));
		h += 240;
		body += 16;
		x += 48;
	}
}

/** Sums of impulses and torques become velocities, in place: v <- M^-1 v. */
export function setInMotion(bodies: i32, m: i32, v: i32): void {
	let mb: usize = (<usize>m) << 3;
	let vb: usize = (<usize>v) << 3;
	for (let b: i32 = 0; b < bodies; b += 1) {
		const inverse: f64 = load<f64>(mb);
		const t0: f64 = load<f64>(vb, 24);
		const t1: f64 = load<f64>(vb, 32);
		const t2: f64 = load<f64>(vb, 40);
		const xy: f64 = load<f64>(mb, 32);
		const xz: f64 = load<f64>(mb, 40);
		const yz: f64 = load<f64>(mb, 48);
		v128.store(vb, f64x2.mul(f64x2.splat(inverse), v128.load(vb)));
		store<f64>(vb, inverse * load<f64>(vb, 16), 16);
		store<f64>(vb, load<f64>(mb, 8) * t0 + xy * t1 + xz * t2, 24);
		store<f64>(vb, xy * t0 + load<f64>(mb, 16) * t1 + yz * t2, 32);
		store<f64>(vb, xz * t0 + yz * t1 + load<f64>(mb, 24) * t2, 40);
		mb += 56;
		vb += 48;
	}
}

/** The relative velocities of two contacts, by `isByLane` as the lanes of their three numbers, else one contact after the other. */
@inline
function relativeVelocity(at: usize, ids: usize, base: usize, to: usize, isByLane: bool): void {
	const first: u64 = load<u64>(ids);
	const second: u64 = load<u64>(ids, 8);
	const p: usize = base + (<usize>(first >> 32)) * 48;
	const q: usize = base + (<usize>(second >> 32)) * 48;
	const p01 = v128.load(p);
	const p23 = v128.load(p, 16);
	const p45 = v128.load(p, 32);
	const q01 = v128.load(q);
	const q23 = v128.load(q, 16);
	const q45 = v128.load(q, 32);
	let w0 = v128.shuffle<f64>(p23, q23, 1, 3);
	let w1 = v128.shuffle<f64>(p45, q45, 0, 2);
	let w2 = v128.shuffle<f64>(p45, q45, 1, 3);
	let a0 = v128.load(at, 192);
	let a1 = v128.load(at, 208);
	let a2 = v128.load(at, 224);
	let u0 = f64x2.add(v128.shuffle<f64>(p01, q01, 0, 2), cross(w1, a2, w2, a1));
	let u1 = f64x2.add(v128.shuffle<f64>(p01, q01, 1, 3), cross(w2, a0, w0, a2));
	let u2 = f64x2.add(v128.shuffle<f64>(p23, q23, 0, 2), cross(w0, a1, w1, a0));
	const r: usize = base + (<usize>(<u32>first)) * 48;
	const s: usize = base + (<usize>(<u32>second)) * 48;
	const r01 = v128.load(r);
	const r23 = v128.load(r, 16);
	const r45 = v128.load(r, 32);
	const s01 = v128.load(s);
	const s23 = v128.load(s, 16);
	const s45 = v128.load(s, 32);
	w0 = v128.shuffle<f64>(r23, s23, 1, 3);
	w1 = v128.shuffle<f64>(r45, s45, 0, 2);
	w2 = v128.shuffle<f64>(r45, s45, 1, 3);
	a0 = v128.load(at, 144);
	a1 = v128.load(at, 160);
	a2 = v128.load(at, 176);
	u0 = f64x2.sub(u0, f64x2.add(v128.shuffle<f64>(r01, s01, 0, 2), cross(w1, a2, w2, a1)));
	u1 = f64x2.sub(u1, f64x2.add(v128.shuffle<f64>(r01, s01, 1, 3), cross(w2, a0, w0, a2)));
	u2 = f64x2.sub(u2, f64x2.add(v128.shuffle<f64>(r23, s23, 0, 2), cross(w0, a1, w1, a0)));
	const y0 = f64x2.add(f64x2.add(f64x2.mul(v128.load(at), u0), f64x2.mul(v128.load(at, 16), u1)), f64x2.mul(v128.load(at, 32), u2));
	const y1 = f64x2.add(f64x2.add(f64x2.mul(v128.load(at, 48), u0), f64x2.mul(v128.load(at, 64), u1)), f64x2.mul(v128.load(at, 80), u2));
	const y2 = f64x2.add(f64x2.add(f64x2.mul(v128.load(at, 96), u0), f64x2.mul(v128.load(at, 112), u1)), f64x2.mul(v128.load(at, 128), u2));
	v128.store(to, isByLane ? y0 : v128.shuffle<f64>(y0, y1, 0, 2));
	v128.store(to, isByLane ? y1 : v128.shuffle<f64>(y2, y0, 0, 3), 16);
	v128.store(to, isByLane ? y2 : v128.shuffle<f64>(y1, y2, 1, 3), 32);
}

/** Of the two contacts whose geometry and bodies are here, by lanes; a call, so that a sweep's loop keeps its registers. */
export function pairVelocity(h: usize, ids: usize, v: usize, to: usize): void {
	relativeVelocity(h, ids, v, to, true);
}

/** y = H v. */
export function contactVelocities(contacts: i32, h: i32, body: i32, v: i32, y: i32): void {
	let at: usize = (<usize>h) << 3;
	let ids: usize = (<usize>body) << 2;
	let to: usize = (<usize>y) << 3;
	const base: usize = (<usize>v) << 3;
	for (let a: i32 = 0; a < contacts; a += 2) {
		relativeVelocity(at, ids, base, to, false);
		at += 240;
		ids += 16;
		to += 48;
	}
}
