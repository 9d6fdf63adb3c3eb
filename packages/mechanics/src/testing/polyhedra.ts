/** Pieces of tests, placed, and what an independent look says of two polyhedra. */
import type { Random } from "@stickslip/core";
import { type Manifold, makeManifold, type PlacedPiece } from "../narrow/manifold.js";
import { compileShape } from "../shapes/compile.js";
import type { Shape, Vector } from "../shapes/shape.js";

/** The rotation by an angle about an axis that need not be a unit vector. */
export function rotation(axis: Vector, angle: number): Float64Array {
	const length = Math.hypot(...axis);
	const [x, y, z] = axis.map((c) => c / length) as [number, number, number];
	const [c, s, d] = [Math.cos(angle), Math.sin(angle), 1 - Math.cos(angle)];
	return Float64Array.of(
		...[c + d * x * x, d * x * y - s * z, d * x * z + s * y],
		...[d * x * y + s * z, c + d * y * y, d * y * z - s * x],
		...[d * x * z - s * y, d * y * z + s * x, c + d * z * z],
	);
}

export function place(shape: Shape, centre: Vector = [0, 0, 0], map = rotation([0, 0, 1], 0)): PlacedPiece {
	const isRigid = Math.abs(Math.hypot(map[0]!, map[1]!, map[2]!) - 1) < 1e-12;
	return { convex: compileShape(shape).pieces[0]!, centre: Float64Array.from(centre), map, isRigid };
}

export function box(x: number, y: number, z: number): Shape {
	return { kind: "box", size: [x, y, z] };
}

export function randomRotation(random: Random): Float64Array {
	const axis = [0, 1, 2].map(() => random.between(-1, 1)) as unknown as Vector;
	return rotation(axis, random.between(0, 2 * Math.PI));
}

/** The hull of points on an ellipsoid, so that each is a corner. */
export function randomPolyhedron(random: Random, corners: number, radii: Vector): Shape {
	const vertices = Array.from({ length: corners }, () => {
		const p = [0, 1, 2].map(() => random.between(-1, 1)) as [number, number, number];
		const length = Math.hypot(...p);
		return p.map((c, k) => (c / length) * radii[k]!) as unknown as Vector;
	});
	return { kind: "polyhedron", vertices };
}

export interface TouchPoint {
	readonly normal: readonly number[];
	readonly point: readonly number[];
	readonly gap: number;
	readonly feature: number;
}

export function pointsOf(manifold: Manifold): TouchPoint[] {
	return Array.from({ length: manifold.count }, (_, k) => ({
		normal: [...manifold.normal.subarray(3 * k, 3 * k + 3)],
		point: [...manifold.point.subarray(3 * k, 3 * k + 3)],
		gap: manifold.gap[k]!,
		feature: manifold.feature[k]!,
	}));
}

export const manifold = makeManifold();

/** min over the second - max over the first along a direction. */
export function separationAlong(first: PlacedPiece, second: PlacedPiece, n: readonly number[]): number {
	return (
		-reach(first, n) -
		reach(
			second,
			n.map((c) => -c),
		)
	);
}

function reach({ convex, centre, map }: PlacedPiece, n: readonly number[]): number {
	let most = Number.NEGATIVE_INFINITY;
	for (let v = 0; v < convex.vertices.length; v += 3) {
		let height = 0;
		for (let i = 0; i < 3; i += 1) {
			let c = centre[i]!;
			for (let j = 0; j < 3; j += 1) c += map[3 * i + j]! * convex.vertices[v + j]!;
			height += n[i]! * c;
		}
		most = Math.max(most, height);
	}
	return most;
}
