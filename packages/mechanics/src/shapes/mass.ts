/** Mass properties in closed form. A polyhedron is a sum of tetrahedra that have one apex in common. */
import type { Faces, MassProperties } from "./convex.js";

/** Half-axes a, b, c: volume 4/3 pi abc, moments a^2 / 5 of it. */
export function ellipsoidMass(a: number, b: number, c: number): MassProperties {
	const volume = (4 / 3) * Math.PI * a * b * c;
	return centred(volume, (volume * a * a) / 5, (volume * b * b) / 5, (volume * c * c) / 5);
}

/** A cylinder along z between two half-balls. */
export function capsuleMass(radius: number, length: number): MassProperties {
	const square = radius * radius;
	const cylinder = Math.PI * square * length;
	const ball = (4 / 3) * Math.PI * square * radius;
	const half = length / 2;
	const across = cylinder * (square / 4) + ball * (square / 5);
	// The centre of a half-ball is 3/8 of the radius beyond its face: integral of (half + z)^2.
	const along = cylinder * ((length * length) / 12) + ball * (square / 5 + (3 / 4) * radius * half + half * half);
	return centred(cylinder + ball, across, across, along);
}

export function boxMass(x: number, y: number, z: number): MassProperties {
	const volume = x * y * z;
	return centred(volume, (volume * x * x) / 12, (volume * y * y) / 12, (volume * z * z) / 12);
}

function centred(volume: number, xx: number, yy: number, zz: number): MassProperties {
	return { volume, centre: new Float64Array(3), moments: Float64Array.of(xx, yy, zz, 0, 0, 0) };
}

/**
 * Of a tetrahedron with its apex at the origin and corners a, b, c, with D = a . (b x c) and s = a + b + c: volume D / 6, first moments D s / 24, second
 * moments D (a a^T + b b^T + c c^T + s s^T) / 120. The apex is a corner of the polyhedron, so that no digits are lost far from the origin.
 */
export function polyhedronMass(vertices: Float64Array, faces: Faces): MassProperties {
	let volume = 0;
	const first = new Float64Array(3);
	const second = new Float64Array(6);
	for (let face = 0; face + 1 < faces.start.length; face += 1) {
		const from = faces.start[face]!;
		for (let at = from + 1; at + 1 < faces.start[face + 1]!; at += 1) {
			const corners = [faces.vertex[from]!, faces.vertex[at]!, faces.vertex[at + 1]!];
			volume += addTetrahedron(vertices, corners, first, second);
		}
	}
	const centre = first.map((sum) => sum / volume);
	const about = second.map((sum, k) => sum - volume * centre[ROW[k]!]! * centre[COLUMN[k]!]!);
	for (let axis = 0; axis < 3; axis += 1) centre[axis]! += vertices[axis]!;
	return { volume, centre, moments: about };
}

/** Of xx, yy, zz, xy, xz, yz. */
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

/** Adds to the moments and returns the volume; the apex is the first vertex. */
function addTetrahedron(
	vertices: Float64Array,
	corners: readonly number[],
	first: Float64Array,
	second: Float64Array,
): number {
	const [a, b, c] = corners.map((v) => [0, 1, 2].map((axis) => vertices[3 * v + axis]! - vertices[axis]!)) as [
		number[],
		number[],
		number[],
	];
	const determinant =
		a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
		a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
		a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
	const sum = [0, 1, 2].map((axis) => a[axis]! + b[axis]! + c[axis]!);
	for (let axis = 0; axis < 3; axis += 1) first[axis]! += (determinant * sum[axis]!) / 24;
	for (let k = 0; k < 6; k += 1) {
		const i = ROW[k]!;
		const j = COLUMN[k]!;
		second[k]! += (determinant * (a[i]! * a[j]! + b[i]! * b[j]! + c[i]! * c[j]! + sum[i]! * sum[j]!)) / 120;
	}
	return determinant / 6;
}

/** The same solid turned by a rotation (nine by rows) and then moved. */
export function movedMass(mass: MassProperties, rotation: Float64Array, shift: Float64Array): MassProperties {
	const r = rotation;
	const centre = new Float64Array(3);
	for (let i = 0; i < 3; i += 1) {
		centre[i] =
			shift[i]! + r[3 * i]! * mass.centre[0]! + r[3 * i + 1]! * mass.centre[1]! + r[3 * i + 2]! * mass.centre[2]!;
	}
	const [xx, yy, zz, xy, xz, yz] = mass.moments as unknown as [number, number, number, number, number, number];
	const full = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
	const moments = new Float64Array(6);
	for (let k = 0; k < 6; k += 1) {
		let sum = 0;
		for (let a = 0; a < 3; a += 1) {
			for (let b = 0; b < 3; b += 1) sum += r[3 * ROW[k]! + a]! * full[3 * a + b]! * r[3 * COLUMN[k]! + b]!;
		}
		moments[k] = sum;
	}
	return { volume: mass.volume, centre, moments };
}

/** Of several solids as one, about their common centre; where they overlap both count. */
export function sumOfMasses(parts: readonly MassProperties[]): MassProperties {
	const centre = new Float64Array(3);
	let volume = 0;
	for (const part of parts) {
		volume += part.volume;
		for (let axis = 0; axis < 3; axis += 1) centre[axis]! += part.volume * part.centre[axis]!;
	}
	for (let axis = 0; axis < 3; axis += 1) centre[axis]! /= volume;
	const moments = new Float64Array(6);
	for (const part of parts) {
		for (let k = 0; k < 6; k += 1) {
			const i = part.centre[ROW[k]!]! - centre[ROW[k]!]!;
			const j = part.centre[COLUMN[k]!]! - centre[COLUMN[k]!]!;
			moments[k]! += part.moments[k]! + part.volume * i * j;
		}
	}
	return { volume, centre, moments };
}
