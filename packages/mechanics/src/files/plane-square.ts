/** A square of a plane, which stands for it where it is drawn. */
import type { Vector } from "../shapes/shape.js";
import { cross, unit } from "./view.js";

/** Corners, counter-clockwise seen from where the normal points, about the point of the plane that is nearest to `near`. */
export function planeSquare(
	{ normal, offset }: { readonly normal: ArrayLike<number>; readonly offset: number },
	near: Vector,
	half: number,
): Vector[] {
	const n = unit([normal[0]!, normal[1]!, normal[2]!]);
	const [x, y, z] = n.map(Math.abs) as [number, number, number];
	// Across the normal: with the axis that it is farthest from.
	const u = unit(cross(n, x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]));
	const v = cross(n, u);
	const height = n[0] * near[0] + n[1] * near[1] + n[2] * near[2] - offset;
	const at = (axis: 0 | 1 | 2, s: number, t: number) =>
		near[axis] - height * n[axis] + half * (s * u[axis] + t * v[axis]);
	return (
		[
			[-1, -1],
			[1, -1],
			[1, 1],
			[-1, 1],
		] as const
	).map(([s, t]) => [at(0, s, t), at(1, s, t), at(2, s, t)]);
}
