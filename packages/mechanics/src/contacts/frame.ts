/**
 * Writes N, T1 and T2 at `at`, from N alone: N and the axes made orthogonal to it by a rational formula (T. Duff et al., "Building an orthonormal
 * basis, revisited", JCGT 6(1), 2017), which turns continuously but where the z component of N changes its sign.
 */
export function writeFrame(frame: Float64Array, at: number, nx: number, ny: number, nz: number): void {
	const sign = nz < 0 ? -1 : 1;
	const a = -1 / (sign + nz);
	const b = nx * ny * a;
	frame[at] = nx;
	frame[at + 1] = ny;
	frame[at + 2] = nz;
	frame[at + 3] = 1 + sign * nx * nx * a;
	frame[at + 4] = sign * b;
	frame[at + 5] = -sign * nx;
	frame[at + 6] = b;
	frame[at + 7] = sign + ny * ny * a;
	frame[at + 8] = -ny;
}
