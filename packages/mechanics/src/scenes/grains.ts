/** Spheres that do not touch, of one size or some, at places that are given. */
import type { Random } from "@stickslip/core";
import type { Shape, Vector } from "../shapes/shape.js";
import type { SceneBody } from "./description.js";
import { jittered } from "./parts.js";

/** Between neighbouring places, in diameters of the largest sphere. */
const SPACING = 1.06;
/** So many distinct radii stand for a continuous range. */
const SIZES = 16;
/** Share of the volume that spheres dropped into a box take, enough to plan its width. */
const PACKING = 0.58;

export interface GrainSizes {
	/** Mean radius. */
	readonly radius: number;
	/** Radii are within this share of the mean. */
	readonly spread: number;
}

/** How far apart places have to be. */
export function grainSpacing({ radius, spread }: GrainSizes): number {
	return 2 * radius * (1 + spread) * SPACING;
}

/** Roughly, of a settled bed. */
export function bedVolume(count: number, { radius }: GrainSizes): number {
	return (count * 4.18879 * radius * radius * radius) / PACKING;
}

/** Each a little off its place; shapes by the names sphere, or sphere1 and so on with a spread. */
export function makeGrains(
	places: readonly Vector[],
	sizes: GrainSizes,
	random: Random,
): { shapes: Record<string, Shape>; bodies: SceneBody[] } {
	const { radius, spread } = sizes;
	const count = spread > 0 ? SIZES : 1;
	const nameOf = (k: number) => (count === 1 ? "sphere" : `sphere${k + 1}`);
	const shapes: Record<string, Shape> = {};
	for (let k = 0; k < count; k += 1) {
		const share = count === 1 ? 0 : (2 * k) / (count - 1) - 1;
		shapes[nameOf(k)] = { kind: "sphere", radius: radius * (1 + spread * share) };
	}
	const reach = 0.45 * (grainSpacing(sizes) - 2 * radius * (1 + spread));
	const bodies = places.map((place) => ({
		shape: nameOf(random.below(count)),
		material: "sphere",
		position: jittered(place, reach, random),
	}));
	return { shapes, bodies };
}
