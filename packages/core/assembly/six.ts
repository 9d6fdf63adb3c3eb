/**
 * 6x6 blocks by columns: two rows are the lanes of a register. src/kernels/six.ts is the same in plain TypeScript, to the bit: each number of
 * a product has its six terms taken away one after another. Loops stay loops: unrolled, a product is so much code that it runs half as fast.
 */

/** One column: to -= A b. */
@inline
function column(a: usize, b: usize, to: usize): void {
	let c0 = v128.load(to);
	let c1 = v128.load(to, 16);
	let c2 = v128.load(to, 32);
	const end: usize = b + 48;
	for (; b < end; b += 8, a += 48) {
		const share = v128.load64_splat(b);
		c0 = f64x2.sub(c0, f64x2.mul(v128.load(a), share));
		c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 16), share));
		c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 32), share));
	}
	v128.store(to, c0);
	v128.store(to, c1, 16);
	v128.store(to, c2, 32);
}

/** Two columns side by side: what is loaded of A serves both. */
@inline
function columns(a: usize, b: usize, to: usize): void {
	let c0 = v128.load(to);
	let c1 = v128.load(to, 16);
	let c2 = v128.load(to, 32);
	let d0 = v128.load(to, 48);
	let d1 = v128.load(to, 64);
	let d2 = v128.load(to, 80);
	const end: usize = b + 48;
	for (; b < end; b += 8, a += 48) {
		const a0 = v128.load(a);
		const a1 = v128.load(a, 16);
		const a2 = v128.load(a, 32);
		const first = v128.load64_splat(b);
		c0 = f64x2.sub(c0, f64x2.mul(a0, first));
		c1 = f64x2.sub(c1, f64x2.mul(a1, first));
		c2 = f64x2.sub(c2, f64x2.mul(a2, first));
		const second = v128.load64_splat(b, 48);
		d0 = f64x2.sub(d0, f64x2.mul(a0, second));
		d1 = f64x2.sub(d1, f64x2.mul(a1, second));
		d2 = f64x2.sub(d2, f64x2.mul(a2, second));
	}
	v128.store(to, c0);
	v128.store(to, c1, 16);
	v128.store(to, c2, 32);
	v128.store(to, d0, 48);
	v128.store(to, d1, 64);
	v128.store(to, d2, 80);
}

/** C <- C - A B. */
@inline
export function subtractProduct(a: i32, b: i32, c: i32): void {
	const left: usize = (<usize>a) << 3;
	const right: usize = (<usize>b) << 3;
	const to: usize = (<usize>c) << 3;
	columns(left, right, to);
	columns(left, right + 96, to + 96);
	columns(left, right + 192, to + 192);
}

/** x <- x - A y. */
@inline
export function subtractTimes(a: i32, y: i32, x: i32): void {
	column((<usize>a) << 3, (<usize>y) << 3, (<usize>x) << 3);
}
