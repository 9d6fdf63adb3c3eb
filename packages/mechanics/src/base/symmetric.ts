/** Symmetric matrices of three rows as six numbers: xx, yy, zz, xy, xz, yz. */

/** The inverse; false where the matrix is singular or not finite. */
export function invert(s: Float64Array, i: number, out: Float64Array, o: number): boolean {
	const [xx, yy, zz] = [s[i]!, s[i + 1]!, s[i + 2]!];
	const [xy, xz, yz] = [s[i + 3]!, s[i + 4]!, s[i + 5]!];
	const cxx = yy * zz - yz * yz;
	const cxy = xz * yz - xy * zz;
	const cxz = xy * yz - xz * yy;
	const scale = 1 / (xx * cxx + xy * cxy + xz * cxz);
	if (!Number.isFinite(scale)) return false;
	out[o] = scale * cxx;
	out[o + 1] = scale * (xx * zz - xz * xz);
	out[o + 2] = scale * (xx * yy - xy * xy);
	out[o + 3] = scale * cxy;
	out[o + 4] = scale * cxz;
	out[o + 5] = scale * (xy * xz - xx * yz);
	return true;
}

const ROTATIONS_MAX = 60;

/**
 * Eigenvalues and eigenvectors (columns of a rotation, by rows) by rotations of Jacobi, largest entry first; a diagonal matrix keeps its order and axes.
 */
export function eigen(s: Float64Array, i: number, values: Float64Array, vectors: Float64Array): void {
	const a = [s[i]!, s[i + 3]!, s[i + 4]!, s[i + 3]!, s[i + 1]!, s[i + 5]!, s[i + 4]!, s[i + 5]!, s[i + 2]!];
	for (let k = 0; k < 9; k += 1) vectors[k] = k % 4 === 0 ? 1 : 0;
	for (let round = 0; round < ROTATIONS_MAX; round += 1) {
		let [p, q] = [0, 1];
		if (Math.abs(a[2]!) > Math.abs(a[3 * p + q]!)) [p, q] = [0, 2];
		if (Math.abs(a[5]!) > Math.abs(a[3 * p + q]!)) [p, q] = [1, 2];
		const off = a[3 * p + q]!;
		const scale = Math.abs(a[4 * p]!) + Math.abs(a[4 * q]!);
		if (!(Math.abs(off) > 2 ** -50 * scale)) break;
		const ratio = (a[4 * q]! - a[4 * p]!) / (2 * off);
		const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
		const cosine = 1 / Math.sqrt(tangent * tangent + 1);
		rotate(a, vectors, p, q, cosine, tangent * cosine);
	}
	for (let k = 0; k < 3; k += 1) values[k] = a[4 * k]!;
}

/** a = J^T a J and v = v J with the rotation J in the plane of p and q. */
function rotate(a: number[], v: Float64Array, p: number, q: number, cosine: number, sine: number): void {
	for (let k = 0; k < 3; k += 1) {
		const [kp, kq] = [a[3 * k + p]!, a[3 * k + q]!];
		a[3 * k + p] = cosine * kp - sine * kq;
		a[3 * k + q] = sine * kp + cosine * kq;
		const [vp, vq] = [v[3 * k + p]!, v[3 * k + q]!];
		v[3 * k + p] = cosine * vp - sine * vq;
		v[3 * k + q] = sine * vp + cosine * vq;
	}
	for (let k = 0; k < 3; k += 1) {
		const [pk, qk] = [a[3 * p + k]!, a[3 * q + k]!];
		a[3 * p + k] = cosine * pk - sine * qk;
		a[3 * q + k] = sine * pk + cosine * qk;
	}
	a[3 * p + q] = 0;
	a[3 * q + p] = 0;
}
