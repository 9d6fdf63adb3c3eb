/**
 * Neighbours in space side by side: contacts along a Hilbert curve through their points, by J. Skilling's transposition of coordinates
 * ("Programming the Hilbert curve", AIP Conf. Proc. 707, 2004). Where points are not known the order of ids has to do.
 */

/** Bits per axis: three axes' bits fit a number exactly. */
const BITS = 16;

/** The axes' bits of a place, spread so that two more fit between any two of them: 16 bits in, two halves of 8 out. */
const SPREAD = Int32Array.from({ length: 256 }, (_, byte) => {
	let spread = 0;
	for (let bit = 0; bit < 8; bit += 1) spread |= ((byte >> bit) & 1) << (3 * bit);
	return spread;
});

/** The place along the curve of the cell (x, y, z), its upper 24 bits at [0] and its lower ones at [1]. */
function curvePlace(x: number, y: number, z: number, place: Int32Array): void {
	for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) {
		const low = bit - 1;
		if ((x & bit) !== 0) x ^= low;
		if ((y & bit) !== 0) x ^= low;
		else {
			const swap = (x ^ y) & low;
			x ^= swap;
			y ^= swap;
		}
		if ((z & bit) !== 0) x ^= low;
		else {
			const swap = (x ^ z) & low;
			x ^= swap;
			z ^= swap;
		}
	}
	y ^= x;
	z ^= y;
	let flip = 0;
	for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) if ((z & bit) !== 0) flip ^= bit - 1;
	x ^= flip;
	y ^= flip;
	z ^= flip;
	place[0] = (SPREAD[x >> 8]! << 2) | (SPREAD[y >> 8]! << 1) | SPREAD[z >> 8]!;
	place[1] = (SPREAD[x & 255]! << 2) | (SPREAD[y & 255]! << 1) | SPREAD[z & 255]!;
}

/** Ids by two keys of 24 bits, the upper one first, those of a key as they were: counting sorts by 12 bits each. */
function sortByPlace(ids: Int32Array, upper: Int32Array, lower: Int32Array): Int32Array<ArrayBufferLike> {
	const next = new Int32Array(4097);
	let from: Int32Array<ArrayBufferLike> = ids;
	let to: Int32Array<ArrayBufferLike> = new Int32Array(ids.length);
	for (const [key, shift] of [
		[lower, 0],
		[lower, 12],
		[upper, 0],
		[upper, 12],
	] as const) {
		next.fill(0);
		for (let id = 0; id < key.length; id += 1) next[((key[id]! >> shift) & 4095) + 1]! += 1;
		for (let k = 0; k < 4096; k += 1) next[k + 1]! += next[k]!;
		for (let at = 0; at < from.length; at += 1) {
			const id = from[at]!;
			const k = (key[id]! >> shift) & 4095;
			to[next[k]!] = id;
			next[k]! += 1;
		}
		[from, to] = [to, from];
	}
	return from;
}

/** Ids 0 to count - 1 in an order in which neighbours are near; `point` has three coordinates for each. */
export function localityOrder(count: number, point: Float64Array | undefined): Int32Array {
	const order = new Int32Array(count);
	for (let id = 0; id < count; id += 1) order[id] = id;
	if (point === undefined || count === 0) return order;
	const low = [point[0]!, point[1]!, point[2]!];
	const high = [...low];
	for (let id = 0; id < count; id += 1) {
		for (let axis = 0; axis < 3; axis += 1) {
			const x = point[3 * id + axis]!;
			if (x < low[axis]!) low[axis] = x;
			if (x > high[axis]!) high[axis] = x;
		}
	}
	// One scale for all axes, so that cells are cubes.
	let span = 0;
	for (let axis = 0; axis < 3; axis += 1) span = Math.max(span, high[axis]! - low[axis]!);
	if (!(span > 0)) return order;
	const top = 2 ** BITS - 1;
	const cell = (id: number, axis: number): number =>
		Math.min(top, Math.floor(((point[3 * id + axis]! - low[axis]!) / span) * top));
	const upper = new Int32Array(count);
	const lower = new Int32Array(count);
	const place = new Int32Array(2);
	for (let id = 0; id < count; id += 1) {
		curvePlace(cell(id, 0), cell(id, 1), cell(id, 2), place);
		upper[id] = place[0]!;
		lower[id] = place[1]!;
	}
	return sortByPlace(order, upper, lower);
}
