/**
 * A body's share of a block of W, sign (frame_a frame_b^T / m + (arm_a x frame_a) I^-1 (arm_b x frame_b)^T), two entries at a time: those of
 * a row in columns 0 and 1, rows 0 and 1 of column 2, and the last. Every entry keeps its bits when a and b are exchanged.
 * src/kernels/rigid-block.ts is the same in plain TypeScript, to the bit.
 */

@inline
function both(at: usize): v128 {
	return v128.load_lane<f64>(at + 24, v128.load64_zero(at), 1);
}

/** Two entries without the sign: of frame and levers f, l of one contact and g, n of the other. */
@inline
function entries(inverse: v128, m: usize, fx: v128, fy: v128, fz: v128, lx: v128, ly: v128, lz: v128, gx: v128, gy: v128, gz: v128, nx: v128, ny: v128, nz: v128): v128 {
	const moved = f64x2.mul(inverse, f64x2.add(f64x2.add(f64x2.mul(fx, gx), f64x2.mul(fy, gy)), f64x2.mul(fz, gz)));
	const turned = f64x2.add(f64x2.add(f64x2.mul(v128.load64_splat(m), f64x2.mul(lx, nx)), f64x2.mul(v128.load64_splat(m, 8), f64x2.mul(ly, ny))), f64x2.mul(v128.load64_splat(m, 16), f64x2.mul(lz, nz)));
	const xy = f64x2.mul(v128.load64_splat(m, 24), f64x2.add(f64x2.mul(lx, ny), f64x2.mul(ly, nx)));
	const xz = f64x2.mul(v128.load64_splat(m, 32), f64x2.add(f64x2.mul(lx, nz), f64x2.mul(lz, nx)));
	const yz = f64x2.mul(v128.load64_splat(m, 40), f64x2.add(f64x2.mul(ly, nz), f64x2.mul(lz, ny)));
	return f64x2.add(moved, f64x2.add(turned, f64x2.add(f64x2.add(xy, xz), yz)));
}

/** Adds it to the block at `to`; the body's inverse inertia (xx, yy, zz, xy, xz, yz) stands at m, and its inverse mass is given. */
export function addBlock(to: i32, sign: f64, inverse: f64, m: i32, f: i32, l: i32, g: i32, n: i32): void {
	const block: usize = (<usize>to) << 3;
	const inertia: usize = (<usize>m) << 3;
	const frame: usize = (<usize>f) << 3;
	const lever: usize = (<usize>l) << 3;
	const other: usize = (<usize>g) << 3;
	const turn: usize = (<usize>n) << 3;
	const signs = f64x2.splat(sign);
	const mass = f64x2.splat(inverse);
	const gx = both(other);
	const gy = both(other + 8);
	const gz = both(other + 16);
	const nx = both(turn);
	const ny = both(turn + 8);
	const nz = both(turn + 16);
	for (let row: usize = 0; row < 72; row += 24) {
		const added = entries(mass, inertia, v128.load64_splat(frame + row), v128.load64_splat(frame + row, 8), v128.load64_splat(frame + row, 16), v128.load64_splat(lever + row), v128.load64_splat(lever + row, 8), v128.load64_splat(lever + row, 16), gx, gy, gz, nx, ny, nz);
		v128.store(block + row, f64x2.add(v128.load(block + row), f64x2.mul(signs, added)));
	}
	const hx = v128.load64_splat(other, 48);
	const hy = v128.load64_splat(other, 56);
	const hz = v128.load64_splat(other, 64);
	const ox = v128.load64_splat(turn, 48);
	const oy = v128.load64_splat(turn, 56);
	const oz = v128.load64_splat(turn, 64);
	const column = f64x2.add(both(block + 16), f64x2.mul(signs, entries(mass, inertia, both(frame), both(frame + 8), both(frame + 16), both(lever), both(lever + 8), both(lever + 16), hx, hy, hz, ox, oy, oz)));
	v128.store64_lane(block, column, 0, 16);
	v128.store64_lane(block, column, 1, 40);
	const last = entries(mass, inertia, v128.load64_splat(frame, 48), v128.load64_splat(frame, 56), v128.load64_splat(frame, 64), v128.load64_splat(lever, 48), v128.load64_splat(lever, 56), v128.load64_splat(lever, 64), hx, hy, hz, ox, oy, oz);
	store<f64>(block, load<f64>(block, 64) + sign * f64x2.extract_lane(last, 0), 64);
}

/**
 * The same where the block is nothing else: stores it times the factor, which has the sign, into every second number from `to` on, and its transpose from `mirror` on, as
 * sell-block.ts does.
 */
export function storeShare(factor: f64, inverse: f64, m: i32, f: i32, l: i32, g: i32, n: i32, to: i32, mirror: i32): void {
	const inertia: usize = (<usize>m) << 3;
	const frame: usize = (<usize>f) << 3;
	const lever: usize = (<usize>l) << 3;
	const other: usize = (<usize>g) << 3;
	const turn: usize = (<usize>n) << 3;
	const into: usize = (<usize>to) << 3;
	const across: usize = (<usize>mirror) << 3;
	const factors = f64x2.splat(factor);
	const zero = f64x2.splat(0);
	const mass = f64x2.splat(inverse);
	const gx = both(other);
	const gy = both(other + 8);
	const gz = both(other + 16);
	const nx = both(turn);
	const ny = both(turn + 8);
	const nz = both(turn + 16);
	for (let row: usize = 0, at: usize = into, from: usize = across; row < 72; row += 24, at += 48, from += 16) {
		const whole = entries(mass, inertia, v128.load64_splat(frame + row), v128.load64_splat(frame + row, 8), v128.load64_splat(frame + row, 16), v128.load64_splat(lever + row), v128.load64_splat(lever + row, 8), v128.load64_splat(lever + row, 16), gx, gy, gz, nx, ny, nz);
		// Zeros are positive, as those of a sum from zero on.
		const scaled = f64x2.add(zero, f64x2.mul(factors, whole));
		v128.store64_lane(from, scaled, 0);
		v128.store64_lane(from, scaled, 1, 48);
		v128.store64_lane(at, scaled, 0);
		v128.store64_lane(at, scaled, 1, 16);
	}
	const hx = v128.load64_splat(other, 48);
	const hy = v128.load64_splat(other, 56);
	const hz = v128.load64_splat(other, 64);
	const ox = v128.load64_splat(turn, 48);
	const oy = v128.load64_splat(turn, 56);
	const oz = v128.load64_splat(turn, 64);
	const column = f64x2.add(zero, f64x2.mul(factors, entries(mass, inertia, both(frame), both(frame + 8), both(frame + 16), both(lever), both(lever + 8), both(lever + 16), hx, hy, hz, ox, oy, oz)));
	v128.store64_lane(across, column, 0, 96);
	v128.store64_lane(across, column, 1, 112);
	v128.store64_lane(into, column, 0, 32);
	v128.store64_lane(into, column, 1, 80);
	const last = entries(mass, inertia, v128.load64_splat(frame, 48), v128.load64_splat(frame, 56), v128.load64_splat(frame, 64), v128.load64_splat(lever, 48), v128.load64_splat(lever, 56), v128.load64_splat(lever, 64), hx, hy, hz, ox, oy, oz);
	const corner: f64 = 0 + factor * f64x2.extract_lane(last, 0);
	store<f64>(across, corner, 128);
	store<f64>(into, corner, 128);
}

/** The same for a contact with itself: the half from the diagonal on, and its mirror image. */
export function addOwnBlock(to: i32, inverse: f64, m: i32, f: i32, l: i32): void {
	const block: usize = (<usize>to) << 3;
	const inertia: usize = (<usize>m) << 3;
	const frame: usize = (<usize>f) << 3;
	const lever: usize = (<usize>l) << 3;
	const mass = f64x2.splat(inverse);
	const fx = both(frame);
	const fy = both(frame + 8);
	const fz = both(frame + 16);
	const lx = both(lever);
	const ly = both(lever + 8);
	const lz = both(lever + 16);
	// (0, 0) and (0, 1)
	const first = f64x2.add(v128.load(block), entries(mass, inertia, v128.load64_splat(frame), v128.load64_splat(frame, 8), v128.load64_splat(frame, 16), v128.load64_splat(lever), v128.load64_splat(lever, 8), v128.load64_splat(lever, 16), fx, fy, fz, lx, ly, lz));
	// (0, 2) and (1, 2)
	const column = f64x2.add(both(block + 16), entries(mass, inertia, fx, fy, fz, lx, ly, lz, v128.load64_splat(frame, 48), v128.load64_splat(frame, 56), v128.load64_splat(frame, 64), v128.load64_splat(lever, 48), v128.load64_splat(lever, 56), v128.load64_splat(lever, 64)));
	const hx = both(frame + 24);
	const hy = both(frame + 32);
	const hz = both(frame + 40);
	const ox = both(lever + 24);
	const oy = both(lever + 32);
	const oz = both(lever + 40);
	// (1, 1) and (2, 2)
	const rest = entries(mass, inertia, hx, hy, hz, ox, oy, oz, hx, hy, hz, ox, oy, oz);
	v128.store(block, first);
	v128.store64_lane(block, first, 1, 24);
	v128.store64_lane(block, column, 0, 16);
	v128.store64_lane(block, column, 0, 48);
	v128.store64_lane(block, column, 1, 40);
	v128.store64_lane(block, column, 1, 56);
	store<f64>(block, load<f64>(block, 32) + f64x2.extract_lane(rest, 0), 32);
	store<f64>(block, load<f64>(block, 64) + f64x2.extract_lane(rest, 1), 64);
}
