/**
 * The projection of cone.ts on two contacts at once, one per SIMD lane, with masks for its branches: the same bits. Each of these does as
 * many whole pairs as there are and returns where it stopped; the caller does the rest one by one.
 */

/** The numbers at one place and at another so many bytes behind it. */
@inline
export function pick(at: usize, step: usize): v128 {
	return v128.load_lane<f64>(at + step, v128.load64_zero(at), 1);
}

@inline
function squares(x: v128, y: v128, z: v128): v128 {
	return f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z));
}

/** Lanes that are in the cone. */
@inline
function isInside(mu: v128, n: v128, square: v128): v128 {
	const reach = f64x2.mul(mu, n);
	return v128.and(f64x2.ge(n, f64x2.splat(0)), f64x2.le(square, f64x2.mul(reach, reach)));
}

/** The normal part on the face of the cone. */
@inline
function faceOf(mu: v128, along: v128): v128 {
	return f64x2.div(along, f64x2.add(f64x2.splat(1), f64x2.mul(mu, mu)));
}

/** proj_K(z) of two contacts: three pairs of lanes, one after another at y. */
@inline
export function projectLanes(mu: v128, n: v128, t1: v128, t2: v128, y: usize): void {
	const square = f64x2.add(f64x2.mul(t1, t1), f64x2.mul(t2, t2));
	const inside = isInside(mu, n, square);
	const length = f64x2.sqrt(square);
	const along = f64x2.add(n, f64x2.mul(mu, length));
	const polar = v128.andnot(f64x2.le(along, f64x2.splat(0)), inside);
	const normal = faceOf(mu, along);
	const factor = f64x2.div(f64x2.mul(mu, normal), length);
	v128.store(y, v128.andnot(v128.bitselect(n, normal, inside), polar));
	v128.store(y, v128.andnot(v128.bitselect(t1, f64x2.mul(factor, t1), inside), polar), 16);
	v128.store(y, v128.andnot(v128.bitselect(t2, f64x2.mul(factor, t2), inside), polar), 32);
}

/** r <- proj_K(r) for the contacts from..to-1. */
export function projectPairs(from: i32, to: i32, mu: i32, r: i32): i32 {
	let a: i32 = from;
	for (; a + 1 < to; a += 2) {
		const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
		const friction = v128.load(((<usize>mu) << 3) + ((<usize>a) << 3));
		const n = pick(at, 24);
		const t1 = pick(at + 8, 24);
		const t2 = pick(at + 16, 24);
		const square = f64x2.add(f64x2.mul(t1, t1), f64x2.mul(t2, t2));
		const inside = isInside(friction, n, square);
		if (i64x2.bitmask(inside) == 3) continue;
		const length = f64x2.sqrt(square);
		const along = f64x2.add(n, f64x2.mul(friction, length));
		const polar = v128.andnot(f64x2.le(along, f64x2.splat(0)), inside);
		const normal = faceOf(friction, along);
		const factor = f64x2.div(f64x2.mul(friction, normal), length);
		const y0 = v128.andnot(v128.bitselect(n, normal, inside), polar);
		const y1 = v128.andnot(v128.bitselect(t1, f64x2.mul(factor, t1), inside), polar);
		const y2 = v128.andnot(v128.bitselect(t2, f64x2.mul(factor, t2), inside), polar);
		v128.store(at, v128.shuffle<f64>(y0, y1, 0, 2));
		v128.store(at, v128.shuffle<f64>(y2, y0, 0, 3), 16);
		v128.store(at, v128.shuffle<f64>(y1, y2, 1, 3), 32);
	}
	return a;
}

/** The terms of natural.ts for the contacts from..to-1, those of `from` at `values`. */
export function naturalPairs(from: i32, to: i32, mu: i32, s: i32, r: i32, u: i32, values: i32): i32 {
	let a: i32 = from;
	for (; a + 1 < to; a += 2) {
		const place: usize = (<usize>a) << 3;
		const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
		const ut: usize = ((<usize>u) << 3) + (<usize>a) * 24;
		const scale = v128.load(((<usize>s) << 3) + place);
		const friction = v128.load(((<usize>mu) << 3) + place);
		const inverse = f64x2.div(f64x2.splat(1), scale);
		const u0 = f64x2.mul(pick(ut, 24), inverse);
		const u1 = f64x2.mul(pick(ut + 8, 24), inverse);
		const u2 = f64x2.mul(pick(ut + 16, 24), inverse);
		const r0 = f64x2.mul(pick(at, 24), scale);
		const r1 = f64x2.mul(pick(at + 8, 24), scale);
		const r2 = f64x2.mul(pick(at + 16, 24), scale);
		const slip = f64x2.sqrt(f64x2.add(f64x2.mul(u1, u1), f64x2.mul(u2, u2)));
		const n = f64x2.sub(f64x2.sub(r0, u0), f64x2.mul(friction, slip));
		const t1 = f64x2.sub(r1, u1);
		const t2 = f64x2.sub(r2, u2);
		const square = f64x2.add(f64x2.mul(t1, t1), f64x2.mul(t2, t2));
		const inside = isInside(friction, n, square);
		const length = f64x2.sqrt(square);
		const along = f64x2.add(n, f64x2.mul(friction, length));
		const polar = v128.andnot(f64x2.le(along, f64x2.splat(0)), inside);
		const normal = faceOf(friction, along);
		const factor = f64x2.div(f64x2.mul(friction, normal), length);
		const e0 = f64x2.sub(r0, v128.andnot(v128.bitselect(n, normal, inside), polar));
		const e1 = f64x2.sub(r1, v128.andnot(v128.bitselect(t1, f64x2.mul(factor, t1), inside), polar));
		const e2 = f64x2.sub(r2, v128.andnot(v128.bitselect(t2, f64x2.mul(factor, t2), inside), polar));
		const terms: usize = (<usize>(values + a - from)) << 3;
		v128.store(terms, squares(e0, e1, e2));
		v128.store(terms, squares(r0, r1, r2), 512);
		v128.store(terms, squares(u0, u1, u2), 1024);
	}
	return a;
}
