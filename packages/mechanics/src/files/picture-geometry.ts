/** Where bodies are in space and on a page: corners, how far balls reach, and squares of the planes behind. */
import type { CompiledShape, Convex } from "../shapes/convex.js";
import type { Vector } from "../shapes/shape.js";
import { planeSquare } from "./plane-square.js";
import type { View } from "./view.js";

/** Of planes, relative to the bodies before them. */
const PLANE_WIDER = 1.15;

/** What is drawn: bodies by place, as `Bodies` and stored steps have them. */
export interface PictureBodies {
	readonly count: number;
	readonly id: Int32Array;
	readonly kind: Uint8Array | Int32Array;
	readonly shape: Int32Array;
	readonly position: Float64Array;
	readonly map: Float64Array;
}

/** Of the planes that face the eye: each a square about the middle of the bodies, a little wider than these. */
export function planesBehind(
	shapes: readonly CompiledShape[],
	bodies: PictureBodies,
	view: View,
	isShown: (place: number) => boolean,
): Vector[][] {
	const { middle, radius } = aroundBodies(shapes, bodies);
	const squares: Vector[][] = [];
	for (let place = 0; place < bodies.count; place += 1) {
		for (const { plane } of isShown(place) ? shapes[bodies.shape[place]!]!.pieces : []) {
			if (plane === undefined) continue;
			const normal = turned(plane.normal, bodies, place);
			if (view.depth(normal) <= 0.02) continue;
			const [x, y, z] = centreOf(bodies, place);
			const offset = plane.offset + normal[0] * x + normal[1] * y + normal[2] * z;
			squares.push(planeSquare({ normal, offset }, middle, PLANE_WIDER * radius));
		}
	}
	return squares;
}

/** A ball about the centres of all bodies that are no obstacles, with what they reach. */
function aroundBodies(shapes: readonly CompiledShape[], bodies: PictureBodies): { middle: Vector; radius: number } {
	const [low, high] = [[0, 0, 0].fill(Infinity), [0, 0, 0].fill(-Infinity)];
	let reach = 0;
	for (let place = 0; place < bodies.count; place += 1) {
		if (bodies.kind[place] === 0) continue;
		reach = Math.max(reach, shapes[bodies.shape[place]!]!.reach);
		for (const [axis, value] of centreOf(bodies, place).entries()) {
			low[axis] = Math.min(low[axis]!, value);
			high[axis] = Math.max(high[axis]!, value);
		}
	}
	if (!(low[0]! <= high[0]!)) return { middle: [0, 0, 0], radius: 1 };
	const half = (axis: number) => (high[axis]! - low[axis]!) / 2;
	const radius = Math.max(half(0), half(1)) + reach;
	return { middle: [low[0]! + half(0), low[1]! + half(1), low[2]! + half(2)], radius };
}

export function centreOf({ position }: PictureBodies, place: number): Vector {
	return [position[3 * place]!, position[3 * place + 1]!, position[3 * place + 2]!];
}

function turned(direction: Float64Array, { map }: PictureBodies, place: number): Vector {
	const row = (axis: number) => {
		const m = 9 * place + 3 * axis;
		return map[m]! * direction[0]! + map[m + 1]! * direction[1]! + map[m + 2]! * direction[2]!;
	};
	return [row(0), row(1), row(2)];
}

/** The vertices of a piece in space. */
export function corners({ vertices }: Convex, { position, map }: PictureBodies, place: number): Vector[] {
	const points: Vector[] = [];
	const m = 9 * place;
	for (let at = 0; at < vertices.length; at += 3) {
		const along = (row: number) =>
			position[3 * place + row]! +
			map[m + 3 * row]! * vertices[at]! +
			map[m + 3 * row + 1]! * vertices[at + 1]! +
			map[m + 3 * row + 2]! * vertices[at + 2]!;
		points.push([along(0), along(1), along(2)]);
	}
	return points;
}

/** M = (P F B)(P F B)^T of the ball of a piece: how far it reaches to each side on the page, squared. */
export function spreadSquares(
	{ ball }: Convex,
	{ map }: PictureBodies,
	place: number,
	{ right, up }: View,
): { xx: number; xy: number; yy: number } {
	let [xx, xy, yy] = [0, 0, 0];
	if (ball === undefined) return { xx, xy, yy };
	for (let column = 0; column < 3; column += 1) {
		let [x, y] = [0, 0];
		for (let row = 0; row < 3; row += 1) {
			let entry = 0;
			for (let k = 0; k < 3; k += 1) entry += map[9 * place + 3 * row + k]! * ball[3 * k + column]!;
			x += right[row]! * entry;
			y += up[row]! * entry;
		}
		xx += x * x;
		xy += x * y;
		yy += y * y;
	}
	return { xx, xy, yy };
}

export function spread(piece: Convex, bodies: PictureBodies, place: number, view: View): { xx: number; yy: number } {
	const { xx, yy } = spreadSquares(piece, bodies, place, view);
	return { xx: Math.sqrt(xx), yy: Math.sqrt(yy) };
}

export function minus([a, b, c]: Vector, [x, y, z]: Vector): Vector {
	return [a - x, b - y, c - z];
}
