/** Points in space: three coordinates each, as the problem's geometry has them. */
import { InputError } from "@stickslip/core";

/** The two ends of each axis. */
export interface Box {
	readonly low: readonly [number, number, number];
	readonly high: readonly [number, number, number];
}

/** Throws unless there are three finite coordinates for each of so many vertices. */
export function checkPoints(points: Float64Array, vertices: number): void {
	if (points.length !== 3 * vertices)
		throw new InputError("partition", "points", `${points.length} numbers for ${vertices} vertices`, "give three each");
	let at = 0;
	while (at < points.length && Number.isFinite(points[at]!)) at += 1;
	if (at === points.length) return;
	throw new InputError("partition", `points ${Math.floor(at / 3)}`, `${points[at]} is not finite`, "leave points out");
}

/** Around the listed points; all of them where no list is given. */
export function boxOf(points: Float64Array, list?: Int32Array): Box {
	let lowX = Infinity;
	let lowY = Infinity;
	let lowZ = Infinity;
	let highX = -Infinity;
	let highY = -Infinity;
	let highZ = -Infinity;
	const count = list?.length ?? points.length / 3;
	for (let i = 0; i < count; i += 1) {
		const at = 3 * (list === undefined ? i : list[i]!);
		const x = points[at]!;
		const y = points[at + 1]!;
		const z = points[at + 2]!;
		if (x < lowX) lowX = x;
		if (x > highX) highX = x;
		if (y < lowY) lowY = y;
		if (y > highY) highY = y;
		if (z < lowZ) lowZ = z;
		if (z > highZ) highZ = z;
	}
	return { low: [lowX, lowY, lowZ], high: [highX, highY, highZ] };
}

/** The axes from the widest to the narrowest. */
export function axesByWidth({ low, high }: Box): number[] {
	return [0, 1, 2].sort((a, b) => high[b]! - low[b]! - (high[a]! - low[a]!) || a - b);
}
