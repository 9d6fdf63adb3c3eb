/** What is known of placed pieces without the code that is checked: how far they reach, and whether a point is on their surface. */
import type { PlacedPiece } from "@stickslip/mechanics";

type Vector = ArrayLike<number>;

export function dot(a: Vector, b: Vector): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

/** The largest n . x of the piece; of planes, infinite but along their normal. */
export function reachAlong(piece: PlacedPiece, n: Vector): number {
	const { convex, centre, map } = piece;
	if (convex.plane !== undefined) return Number.POSITIVE_INFINITY;
	const [x, y, z] = transposed(map, n);
	let most = Number.NEGATIVE_INFINITY;
	const { vertices, ball } = convex;
	for (let k = 0; k < vertices.length; k += 3) {
		most = Math.max(most, x * vertices[k]! + y * vertices[k + 1]! + z * vertices[k + 2]!);
	}
	if (ball !== undefined) most += length(transposed(ball, [x, y, z]));
	return most + dot(n, centre);
}

/** Normal of a plane where it is, and its height above the origin of the pair. */
export function placedPlane(piece: PlacedPiece): { normal: number[]; height: number } {
	const normal = times(piece.map, piece.convex.plane!.normal);
	return { normal, height: piece.convex.plane!.offset + dot(normal, piece.centre) };
}

/**
 * How far a point is from being one of the piece where it reaches farthest along `outward`, as far as its ball says: the distance, in the axes of the body,
 * of what is left of it without the ball's part from the hull of the vertices.
 */
export function offSurface(piece: PlacedPiece, point: Vector, outward: Vector): number {
	const { convex, centre, map } = piece;
	if (convex.plane !== undefined) {
		const { normal, height } = placedPlane(piece);
		return Math.abs(dot(normal, point) - height);
	}
	let part = [0, 0, 0];
	if (convex.ball !== undefined) {
		const along = transposed(convex.ball, transposed(map, outward));
		const rho = length(along);
		part = times(map, times(convex.ball, along)).map((c) => c / rho);
	}
	const inBody = solve(
		map,
		[0, 1, 2].map((c) => point[c]! - part[c]! - centre[c]!),
	);
	return outsideHull(piece, inBody);
}

function outsideHull(piece: PlacedPiece, x: number[]): number {
	const { vertices, faces } = piece.convex;
	if (faces !== undefined) {
		let most = 0;
		for (let k = 0; k < faces.offset.length; k += 1) {
			most = Math.max(most, dot(faces.normal.subarray(3 * k), x) - faces.offset[k]!);
		}
		return most;
	}
	const start = vertices.subarray(0, 3);
	const axis = [0, 1, 2].map((c) => (vertices.length > 3 ? vertices[3 + c]! - start[c]! : 0));
	const from = [0, 1, 2].map((c) => x[c]! - start[c]!);
	const square = dot(axis, axis);
	const place = square > 0 ? Math.min(1, Math.max(0, dot(axis, from) / square)) : 0;
	return length(from.map((c, k) => c - place * axis[k]!));
}

function length(v: Vector): number {
	return Math.sqrt(dot(v, v));
}

export function times(m: Vector, v: Vector): number[] {
	return [0, 3, 6].map((row) => m[row]! * v[0]! + m[row + 1]! * v[1]! + m[row + 2]! * v[2]!);
}

function transposed(m: Vector, v: Vector): [number, number, number] {
	return [
		m[0]! * v[0]! + m[3]! * v[1]! + m[6]! * v[2]!,
		m[1]! * v[0]! + m[4]! * v[1]! + m[7]! * v[2]!,
		m[2]! * v[0]! + m[5]! * v[1]! + m[8]! * v[2]!,
	];
}

/** By Cramer's rule. */
function solve(m: Vector, b: Vector): number[] {
	const column = (k: number) => [m[k]!, m[3 + k]!, m[6 + k]!];
	const [u, v, w] = [column(0), column(1), column(2)];
	const determinant = dot(u, cross(v, w));
	return [dot(b, cross(v, w)), dot(u, cross(b, w)), dot(u, cross(v, b))].map((c) => c / determinant);
}

function cross(a: Vector, b: Vector): [number, number, number] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}
