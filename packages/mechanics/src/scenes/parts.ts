/** What several scenes are put together from: floors, walls, places that are far enough apart, random directions. */
import type { Random } from "@stickslip/core";
import { cosine, sine } from "../base/elementary.js";
import type { Polyhedron, Quaternion, Shape, Vector } from "../shapes/shape.js";
import type { SceneDescription, SceneObstacle } from "./description.js";

export const GRAVITY: Vector = [0, 0, -9.81];

/** Seen from the front, a little from the right and from above. */
export const VIEW = { direction: [-0.4, 1, -0.35], up: [0, 0, 1] } as const satisfies SceneDescription["view"];

/** The half-space below z = 0, as a shape and an obstacle of that name. */
export const floorShape: Shape = { kind: "plane", normal: [0, 0, 1], offset: 0 };

export function obstacle(name: string, material: string, position: Vector = [0, 0, 0]): SceneObstacle {
	return { name, shape: name, material, position };
}

/** Planes that hold what is inside |x| < halfX and |y| < halfY: shapes by the names left, right, front and back. */
export function wallShapes(halfX: number, halfY: number): Record<"left" | "right" | "front" | "back", Shape> {
	return {
		left: { kind: "plane", normal: [1, 0, 0], offset: -halfX },
		right: { kind: "plane", normal: [-1, 0, 0], offset: -halfX },
		front: { kind: "plane", normal: [0, 1, 0], offset: -halfY },
		back: { kind: "plane", normal: [0, -1, 0], offset: -halfY },
	};
}

/** So many places by layers from below, `spacing` apart, in a box about the z axis; the lowest ones at `bottom`. */
export function lattice(count: number, spacing: number, halfX: number, halfY: number, bottom: number): Vector[] {
	const columns = Math.max(1, Math.floor((2 * halfX) / spacing));
	const rows = Math.max(1, Math.floor((2 * halfY) / spacing));
	const places: Vector[] = [];
	for (let k = 0; k < count; k += 1) {
		const column = k % columns;
		const row = Math.floor(k / columns) % rows;
		const layer = Math.floor(k / (columns * rows));
		places.push([(column - (columns - 1) / 2) * spacing, (row - (rows - 1) / 2) * spacing, bottom + layer * spacing]);
	}
	return places;
}

/** Cosine and sine of k / n of a full turn. */
export function turnOf(k: number, n: number): { readonly cosine: number; readonly sine: number } {
	const angle = (2 * Math.PI * k) / n;
	return { cosine: cosine(angle), sine: sine(angle) };
}

/** The prism between two heights whose cross-section has these corners, counter-clockwise or not. */
export function prism(corners: readonly (readonly [number, number])[], bottom: number, top: number): Polyhedron {
	const vertices = [bottom, top].flatMap((z) => corners.map(([x, y]): Vector => [x, y, z]));
	return { kind: "polyhedron", vertices };
}

/** The rotation by an angle about y. */
export function aboutY(angle: number): Quaternion {
	return [cosine(angle / 2), 0, sine(angle / 2), 0];
}

/** Turns z to -y: what stands along z lies across. */
export const LYING: Quaternion = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

/** The place, moved by at most `reach` along each axis. */
export function jittered([x, y, z]: Vector, reach: number, random: Random): Vector {
	return [x + random.between(-reach, reach), y + random.between(-reach, reach), z + random.between(-reach, reach)];
}

/** Uniform among all rotations: a point of the ball in four dimensions, scaled to its sphere. */
export function randomOrientation(random: Random): Quaternion {
	for (;;) {
		const q = Array.from({ length: 4 }, () => random.between(-1, 1)) as [number, number, number, number];
		const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		if (square > 1 || square < 0.01) continue;
		const length = Math.sqrt(square);
		return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
	}
}

/** The cube root, by Newton's method: Math.cbrt differs in last bits between engines. */
export function cubeRoot(value: number): number {
	if (!(value > 0)) return 0;
	let scale = 1;
	while (value * scale * scale * scale < 1) scale *= 2;
	while (value * scale * scale * scale >= 8) scale /= 2;
	const mantissa = value * scale * scale * scale;
	let root = 1.5;
	for (let k = 0; k < 8; k += 1) root -= (root - mantissa / (root * root)) / 3;
	return root / scale;
}
