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
	throw new InputError(
		"partition",
		`points ${Math.floor(at / 3)}`,
		`${points[at]} is no coordinate`,
		"leave points out",
	);
}

/** Around the listed points; all of them where no list is given. */
export function boxOf(points: Float64Array, list?: Int32Array): Box {
	const low: [number, number, number] = [Infinity, Infinity, Infinity];
	const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
	const count = list?.length ?? points.length / 3;
	for (let i = 0; i < count; i += 1) {
		const v = list === undefined ? i : list[i]!;
		for (let axis = 0; axis < 3; axis += 1) {
			const x = points[3 * v + axis]!;
			if (x < low[axis]!) low[axis] = x;
			if (x > high[axis]!) high[axis] = x;
		}
	}
	return { low, high };
}

/** The axes from the widest to the narrowest. */
export function axesByWidth({ low, high }: Box): number[] {
	return [0, 1, 2].sort((a, b) => high[b]! - low[b]! - (high[a]! - low[a]!) || a - b);
}
