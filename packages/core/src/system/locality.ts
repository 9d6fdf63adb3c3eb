/**
 * Neighbours in space side by side: contacts along a Hilbert curve through their points, by J. Skilling's transposition of coordinates
 * ("Programming the Hilbert curve", AIP Conf. Proc. 707, 2004). Where points are not known the order of ids has to do.
 */

/** Bits per axis: three axes' bits fit a number exactly. */
const BITS = 16;

/** The place along the curve of a cell with the coordinates x (overwritten). */
function curvePlace(x: Int32Array): number {
	const dimensions = x.length;
	for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) {
		const low = bit - 1;
		for (let i = 0; i < dimensions; i += 1) {
			if ((x[i]! & bit) !== 0) x[0]! ^= low;
			else {
				const swap = (x[0]! ^ x[i]!) & low;
				x[0]! ^= swap;
				x[i]! ^= swap;
			}
		}
	}
	for (let i = 1; i < dimensions; i += 1) x[i]! ^= x[i - 1]!;
	let flip = 0;
	for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) if ((x[dimensions - 1]! & bit) !== 0) flip ^= bit - 1;
	for (let i = 0; i < dimensions; i += 1) x[i]! ^= flip;
	let place = 0;
	for (let bit = BITS - 1; bit >= 0; bit -= 1) {
		for (let i = 0; i < dimensions; i += 1) place = 2 * place + ((x[i]! >> bit) & 1);
	}
	return place;
}

/** Ids 0 to count - 1 in an order in which neighbours are near; `point` has three coordinates for each. */
export function localityOrder(count: number, point: Float64Array | undefined): Int32Array {
	const order = Int32Array.from({ length: count }, (_, id) => id);
	if (point === undefined) return order;
	const low = [Infinity, Infinity, Infinity];
	let span = 0;
	const high = [-Infinity, -Infinity, -Infinity];
	for (let i = 0; i < 3 * count; i += 1) {
		low[i % 3] = Math.min(low[i % 3]!, point[i]!);
		high[i % 3] = Math.max(high[i % 3]!, point[i]!);
	}
	// One scale for all axes, so that cells are cubes.
	for (let axis = 0; axis < 3; axis += 1) span = Math.max(span, high[axis]! - low[axis]!);
	if (!(span > 0)) return order;
	const cell = new Int32Array(3);
	const place = new Float64Array(count);
	const top = 2 ** BITS - 1;
	for (let id = 0; id < count; id += 1) {
		for (let axis = 0; axis < 3; axis += 1) {
			cell[axis] = Math.min(top, Math.floor(((point[3 * id + axis]! - low[axis]!) / span) * top));
		}
		place[id] = curvePlace(cell);
	}
	return order.sort((a, b) => place[a]! - place[b]! || a - b);
}
