/**
 * The batches of batch.ts in the space of bodies: contacts that share no body are visited in three passes, two contacts side by side in the lanes. First their velocities
 * and the cases that take no search, then the search of those that slide, then what changed goes to the bodies. What comes out has the bits of one
 * visit after another (rigid.ts).
 */
import { COUPLED, hasFriction, listSliding, PAIRS_MAX, slideListed, WAITS_FOR_EARLIER } from "./batch";
import { cross, pairVelocity } from "./bodies";
import { getInt } from "./memory";
import { RECORD, settleBoth } from "./pair";
import { SEARCH } from "./slide";

/** Numbers of scratch: the velocities of two contacts, a block, records, a list of who slides, reactions as they were, and searches. */
const RIGID_BATCH_SCRATCH: i32 = 6 + 9 + 10 * PAIRS_MAX + PAIRS_MAX + 6 * PAIRS_MAX + SEARCH * PAIRS_MAX;

/** Visits pairs from `first` on that lie before `end`, are free of each other and have friction; returns the one after the last. */
export function visitRigidBatch(
	first: i32,
	end: i32,
	flags: i32,
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
): i32 {
	const last: i32 = min(end, first + PAIRS_MAX);
	const velocities: usize = (<usize>u) << 3;
	const records: usize = velocities + 15 * 8;
	const list: usize = records + (<usize>PAIRS_MAX) * RECORD;
	const before: usize = list + (<usize>PAIRS_MAX) * 8;
	const geometry: usize = ((<usize>h) << 3) + (<usize>first) * 240;
	const ids: usize = ((<usize>body) << 2) + (<usize>first) * 16;
	const reactions: usize = ((<usize>r) << 3) + (<usize>first) * 48;
	const bodies: usize = (<usize>v) << 3;
	let next: usize = list;
	let pair: i32 = first;
	let k: usize = 0;
	for (let wanted: i32 = COUPLED; pair < last; pair += 1) {
		if ((getInt(flags + pair) & wanted) != 0 || !hasFriction(mu + 2 * pair)) break;
		wanted = COUPLED | WAITS_FOR_EARLIER;
		pairVelocity(geometry + k * 240, ids + k * 16, bodies, velocities);
		v128.store(before + k * 48, v128.load(reactions + k * 48));
		v128.store(before + k * 48, v128.load(reactions + k * 48, 16), 16);
		v128.store(before + k * 48, v128.load(reactions + k * 48, 32), 32);
		const slides: i32 = settleBoth(
			2 * pair,
			v128.load(velocities),
			v128.load(velocities, 16),
			v128.load(velocities, 32),
			alpha,
			q,
			w,
			mu,
			r,
			records + k * RECORD,
		);
		next = listSliding(next, pair, slides);
		k += 1;
	}
	slideListed(list, next, first, records, before + (<usize>PAIRS_MAX) * 48, alpha, w, mu, r, u + 6);
	for (let i: usize = 0; i < k; i += 1) {
		passOnBoth(geometry + i * 240, ids + i * 16, (<usize>m) << 3, bodies, reactions + i * 48, before + i * 48);
	}
	return pair;
}

/** The change of a pair's reactions goes to the velocities of its bodies. */
function passOnBoth(h: usize, ids: usize, m: usize, v: usize, now: usize, before: usize): void {
	const x01 = f64x2.sub(v128.load(now), v128.load(before));
	const x23 = f64x2.sub(v128.load(now, 16), v128.load(before, 16));
	const x45 = f64x2.sub(v128.load(now, 32), v128.load(before, 32));
	const zero = f64x2.splat(0);
	if (!v128.any_true(v128.or(v128.or(f64x2.ne(x01, zero), f64x2.ne(x23, zero)), f64x2.ne(x45, zero)))) return;
	const x0 = v128.shuffle<f64>(x01, x23, 0, 3);
	const x1 = v128.shuffle<f64>(x01, x45, 1, 2);
	const x2 = v128.shuffle<f64>(x23, x45, 0, 3);
	const p0 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h), x0), f64x2.mul(v128.load(h, 48), x1)), f64x2.mul(v128.load(h, 96), x2));
	const p1 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h, 16), x0), f64x2.mul(v128.load(h, 64), x1)), f64x2.mul(v128.load(h, 112), x2));
	const p2 = f64x2.add(f64x2.add(f64x2.mul(v128.load(h, 32), x0), f64x2.mul(v128.load(h, 80), x1)), f64x2.mul(v128.load(h, 128), x2));
	const a: u64 = load<u64>(ids);
	const b: u64 = load<u64>(ids, 8);
	pushBoth(m, v, <usize>(<u32>a), <usize>(<u32>b), h + 144, f64x2.neg(p0), f64x2.neg(p1), f64x2.neg(p2));
	pushBoth(m, v, <usize>(a >> 32), <usize>(b >> 32), h + 192, p0, p1, p2);
}

/** Adds to the velocities of bodies a and b what the impulses p, one in each lane, do to them at their arms. */
@inline
function pushBoth(masses: usize, velocities: usize, a: usize, b: usize, arm: usize, p0: v128, p1: v128, p2: v128): void {
	const a0 = v128.load(arm);
	const a1 = v128.load(arm, 16);
	const a2 = v128.load(arm, 32);
	const t0 = cross(a1, p2, a2, p1);
	const t1 = cross(a2, p0, a0, p2);
	const t2 = cross(a0, p1, a1, p0);
	const ma: usize = masses + a * 56;
	const mb: usize = masses + b * 56;
	const ma01 = v128.load(ma);
	const mb01 = v128.load(mb);
	const ma23 = v128.load(ma, 16);
	const mb23 = v128.load(mb, 16);
	const ma45 = v128.load(ma, 32);
	const mb45 = v128.load(mb, 32);
	const inverse = v128.shuffle<f64>(ma01, mb01, 0, 2);
	const xx = v128.shuffle<f64>(ma01, mb01, 1, 3);
	const yy = v128.shuffle<f64>(ma23, mb23, 0, 2);
	const zz = v128.shuffle<f64>(ma23, mb23, 1, 3);
	const xy = v128.shuffle<f64>(ma45, mb45, 0, 2);
	const xz = v128.shuffle<f64>(ma45, mb45, 1, 3);
	const yz = v128.load_lane<f64>(mb, v128.load64_zero(ma, 48), 1, 48);
	const d0 = f64x2.mul(inverse, p0);
	const d1 = f64x2.mul(inverse, p1);
	const d2 = f64x2.mul(inverse, p2);
	const w0 = f64x2.add(f64x2.add(f64x2.mul(xx, t0), f64x2.mul(xy, t1)), f64x2.mul(xz, t2));
	const w1 = f64x2.add(f64x2.add(f64x2.mul(xy, t0), f64x2.mul(yy, t1)), f64x2.mul(yz, t2));
	const w2 = f64x2.add(f64x2.add(f64x2.mul(xz, t0), f64x2.mul(yz, t1)), f64x2.mul(zz, t2));
	const va: usize = velocities + a * 48;
	v128.store(va, f64x2.add(v128.load(va), v128.shuffle<f64>(d0, d1, 0, 2)));
	v128.store(va, f64x2.add(v128.load(va, 16), v128.shuffle<f64>(d2, w0, 0, 2)), 16);
	v128.store(va, f64x2.add(v128.load(va, 32), v128.shuffle<f64>(w1, w2, 0, 2)), 32);
	const vb: usize = velocities + b * 48;
	v128.store(vb, f64x2.add(v128.load(vb), v128.shuffle<f64>(d0, d1, 1, 3)));
	v128.store(vb, f64x2.add(v128.load(vb, 16), v128.shuffle<f64>(d2, w0, 1, 3)), 16);
	v128.store(vb, f64x2.add(v128.load(vb, 32), v128.shuffle<f64>(w1, w2, 1, 3)), 32);
}
