/** Between a problem's own order and units and a system's: for tests that look at vectors from outside. */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";

/** Three numbers per block by id; blocks that are left out are zero. */
export function storeById(system: System, values: Float64Array, to: Vector, power: 1 | -1): void {
	const { ids } = system.share;
	system.store(
		Float64Array.from({ length: 3 * ids.length }, (_, i) => values[3 * ids[Math.floor(i / 3)]! + (i % 3)] ?? 0),
		to,
		power,
	);
}

export function loadById(system: System, from: Vector, power: 1 | -1): Float64Array {
	const placed = system.load(from, power);
	const values = new Float64Array(placed.length);
	for (const [at, id] of system.share.ids.entries()) values.set(placed.subarray(3 * at, 3 * at + 3), 3 * id);
	return values;
}
