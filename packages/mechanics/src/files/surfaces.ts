/** Surfaces of shapes as corners and polygons, to be looked at: polyhedra as they are, balls as triangles of a subdivided icosahedron. */
import type { CompiledShape, Convex } from "../shapes/convex.js";
import { planeSquare } from "./plane-square.js";

export interface Surface {
	/** In the axes of the body, three per corner. */
	readonly points: Float64Array;
	/** Corners of cell after cell, counter-clockwise seen from outside: those from `start[cell]` on. */
	readonly start: Int32Array;
	readonly corner: Int32Array;
	/** Numbers that the cells take in a mixed topology: a kind each, corners, and their number where they are not three. */
	readonly nodes: number;
}

/** Of an icosahedron with edges of 2: cyclic permutations of (0, +-1, +-golden). */
const GOLDEN = (1 + Math.sqrt(5)) / 2;

interface Mesh {
	readonly points: number[];
	readonly cells: number[][];
}

export interface SurfaceOptions {
	/** Half the edge of the square that stands for a plane. */
	readonly planeSize: number;
	/** How often each triangle of an icosahedron is divided in four to stand for a ball. */
	readonly subdivisions: number;
}

export function surfaceOf(shape: CompiledShape, options: SurfaceOptions): Surface {
	const points: number[] = [];
	const cells: number[][] = [];
	for (const piece of shape.pieces) {
		const mesh = meshOf(piece, options);
		const base = points.length / 3;
		for (const value of mesh.points) points.push(value);
		for (const cell of mesh.cells) cells.push(cell.map((corner) => base + corner));
	}
	const start = new Int32Array(cells.length + 1);
	for (const [index, cell] of cells.entries()) start[index + 1] = start[index]! + cell.length;
	const corner = Int32Array.from(cells.flat());
	const nodes = corner.length + cells.length + cells.filter(({ length }) => length !== 3).length;
	return { points: Float64Array.from(points), start, corner, nodes };
}

function meshOf(piece: Convex, { planeSize, subdivisions }: SurfaceOptions): Mesh {
	if (piece.plane !== undefined)
		return { points: planeSquare(piece.plane, [0, 0, 0], planeSize).flat(), cells: [[0, 1, 2, 3]] };
	if (piece.faces === undefined) return ballAround(piece, unitBall(subdivisions));
	const { start, vertex } = piece.faces;
	const cells = Array.from({ length: start.length - 1 }, (_, face) => [
		...vertex.subarray(start[face]!, start[face + 1]!),
	]);
	return { points: [...piece.vertices], cells };
}

/** Each corner of the ball at that vertex which is farthest out in its direction: of a capsule the two halves move apart. */
function ballAround({ vertices, ball = new Float64Array(9) }: Convex, { points: unit, cells }: Mesh): Mesh {
	const points: number[] = [];
	for (let at = 0; at < unit.length; at += 3) {
		const [x, y, z] = [unit[at]!, unit[at + 1]!, unit[at + 2]!];
		let best = 0;
		let most = -Infinity;
		for (let vertex = 0; vertex < vertices.length; vertex += 3) {
			const out = x * vertices[vertex]! + y * vertices[vertex + 1]! + z * vertices[vertex + 2]!;
			if (out > most) [most, best] = [out, vertex];
		}
		for (let row = 0; row < 3; row += 1) {
			const along = ball[3 * row]! * x + ball[3 * row + 1]! * y + ball[3 * row + 2]! * z;
			points.push(vertices[best + row]! + along);
		}
	}
	return { points, cells };
}

/** An icosahedron whose triangles are divided so many times, on the unit sphere. */
function unitBall(subdivisions: number): Mesh {
	const points: number[] = [];
	const add = (x: number, y: number, z: number): number => {
		const length = Math.sqrt(x * x + y * y + z * z);
		points.push(x / length, y / length, z / length);
		return points.length / 3 - 1;
	};
	for (const s of [-1, 1]) {
		for (const t of [-GOLDEN, GOLDEN]) {
			add(0, s, t);
			add(s, t, 0);
			add(t, 0, s);
		}
	}
	let cells = icosahedronFaces(points);
	for (let round = 0; round < subdivisions; round += 1) cells = divided(points, cells, add);
	return { points, cells };
}

/** Three corners at the least distance from each other, turned outwards. */
function icosahedronFaces(points: readonly number[]): number[][] {
	const at = (corner: number) => [points[3 * corner]!, points[3 * corner + 1]!, points[3 * corner + 2]!] as const;
	const isNear = (one: number, other: number) => {
		const [a, b] = [at(one), at(other)];
		return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.4;
	};
	const faces: number[][] = [];
	for (let i = 0; i < 12; i += 1) {
		for (let j = i + 1; j < 12; j += 1) {
			for (let k = j + 1; k < 12; k += 1) {
				if (!isNear(i, j) || !isNear(j, k) || !isNear(i, k)) continue;
				const [a, b, c] = [at(i), at(j), at(k)];
				const volume =
					a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
				faces.push(volume > 0 ? [i, j, k] : [i, k, j]);
			}
		}
	}
	return faces;
}

function divided(
	points: readonly number[],
	cells: readonly number[][],
	add: (x: number, y: number, z: number) => number,
): number[][] {
	const middles = new Map<string, number>();
	const middle = (i: number, j: number): number => {
		const key = i < j ? `${i} ${j}` : `${j} ${i}`;
		let found = middles.get(key);
		if (found === undefined) {
			const sum = (axis: number) => points[3 * i + axis]! + points[3 * j + axis]!;
			found = add(sum(0), sum(1), sum(2));
			middles.set(key, found);
		}
		return found;
	};
	return cells.flatMap(([a = 0, b = 0, c = 0]) => {
		const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
		return [
			[a, ab, ca],
			[b, bc, ab],
			[c, ca, bc],
			[ab, bc, ca],
		];
	});
}
