/**
 * 6x6 blocks by columns: two rows are the lanes of a register. src/kernels/six.ts is the same in plain TypeScript, to the bit: each number of
 * a product has its six terms taken away one after another.
 */

/** One column: (c0, c1, c2) -= A b. */
@inline
function column(a: usize, b: usize, to: usize): void {
	let c0 = v128.load(to);
	let c1 = v128.load(to, 16);
	let c2 = v128.load(to, 32);
	const b0 = v128.load64_splat(b, 0);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 0), b0));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 16), b0));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 32), b0));
	const b1 = v128.load64_splat(b, 8);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 48), b1));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 64), b1));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 80), b1));
	const b2 = v128.load64_splat(b, 16);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 96), b2));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 112), b2));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 128), b2));
	const b3 = v128.load64_splat(b, 24);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 144), b3));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 160), b3));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 176), b3));
	const b4 = v128.load64_splat(b, 32);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 192), b4));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 208), b4));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 224), b4));
	const b5 = v128.load64_splat(b, 40);
	c0 = f64x2.sub(c0, f64x2.mul(v128.load(a, 240), b5));
	c1 = f64x2.sub(c1, f64x2.mul(v128.load(a, 256), b5));
	c2 = f64x2.sub(c2, f64x2.mul(v128.load(a, 272), b5));
	v128.store(to, c0);
	v128.store(to, c1, 16);
	v128.store(to, c2, 32);
}

/** C <- C - A B. */
@inline
export function subtractProduct(a: i32, b: i32, c: i32): void {
	const left: usize = (<usize>a) << 3;
	const right: usize = (<usize>b) << 3;
	const to: usize = (<usize>c) << 3;
	column(left, right + 0, to + 0);
	column(left, right + 48, to + 48);
	column(left, right + 96, to + 96);
	column(left, right + 144, to + 144);
	column(left, right + 192, to + 192);
	column(left, right + 240, to + 240);
}

/** x <- x - A y. */
@inline
export function subtractTimes(a: i32, y: i32, x: i32): void {
	column((<usize>a) << 3, (<usize>y) << 3, (<usize>x) << 3);
}
