/**
 * Writes a contact's frame N, T1, T2 (right-handed) at `offset`, from N alone; it turns continuously but where N_z changes its sign: T. Duff et al., "Building an orthonormal basis, revisited",
 * JCGT 6(1), 2017. Only sums, products and one quotient, so every engine gives the same bits.
 */
export function writeFrame(frame: Float64Array, offset: number, nx: number, ny: number, nz: number): void {
	const sign = nz < 0 ? -1 : 1;
	const a = -1 / (sign + nz);
	const b = nx * ny * a;
	frame[offset] = nx;
	frame[offset + 1] = ny;
	frame[offset + 2] = nz;
	frame[offset + 3] = 1 + sign * nx * nx * a;
	frame[offset + 4] = sign * b;
	frame[offset + 5] = -sign * nx;
	frame[offset + 6] = b;
	frame[offset + 7] = sign + ny * ny * a;
	frame[offset + 8] = -ny;
}
