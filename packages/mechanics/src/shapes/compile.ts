/** From descriptions of shapes to convex pieces about the centre of mass, with their mass properties. */
import { InputError } from "@stickslip/core";
import { normalise, toMatrix } from "../base/quaternions.js";
import type { CompiledShape, Convex, Faces, MassProperties } from "./convex.js";
import { type HullFault, hullFaces } from "./hull.js";
import { boxMass, capsuleMass, ellipsoidMass, movedMass, polyhedronMass, sumOfMasses } from "./mass.js";
import type { ConvexShape, Plane, Shape, Union, Vector } from "./shape.js";

/** Where a description stands, for messages: the file or "shape", and the path inside. */
interface Place {
	readonly source: string;
	readonly path: string;
}

/** A piece in the axes of its description, and what it weighs. */
interface Solid {
	readonly piece: Convex;
	readonly mass: MassProperties;
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Throws an InputError where the description is not one of a solid. */
export function compileShape(shape: Shape, source = "shape", path = ""): CompiledShape {
	const place = { source, path };
	if (shape.kind === "plane") {
		const piece = planePiece(shape, place);
		return { description: shape, pieces: [piece], reach: piece.reach };
	}
	const solids = shape.kind === "union" ? unionSolids(shape, place) : [solid(shape, place)];
	const mass = shape.kind === "union" ? sumOfMasses(solids.map((one) => one.mass)) : solids[0]!.mass;
	const shift = mass.centre.map((c) => -c);
	const pieces = solids.map((one) => movedPiece(one.piece, IDENTITY, shift));
	const reach = Math.max(...pieces.map((piece) => lengthOf(piece.middle) + piece.reach));
	return { description: shape, pieces, mass, reach };
}

function unionSolids(union: Union, place: Place): Solid[] {
	if (union.pieces.length === 0) refuse(place, "pieces", "no pieces", "give at least one");
	return union.pieces.map(({ shape, position, orientation }, k) => {
		const own = inside(place, `pieces[${k}]`);
		const shift = Float64Array.from(position ?? [0, 0, 0]);
		const q = Float64Array.from(orientation ?? [1, 0, 0, 0]);
		if (!isFiniteVector(shift)) refuse(own, "position", `[${shift.join(", ")}]`, "give three finite numbers");
		if (q.length !== 4 || !normalise(q, 0))
			refuse(own, "orientation", `[${q.join(", ")}]`, "give a quaternion w, x, y, z that is not zero");
		const rotation = new Float64Array(9);
		toMatrix(q, 0, rotation, 0);
		const one = solid(shape, inside(own, "shape"));
		return { piece: movedPiece(one.piece, rotation, shift), mass: movedMass(one.mass, rotation, shift) };
	});
}

function solid(shape: Exclude<ConvexShape, Plane>, place: Place): Solid {
	switch (shape.kind) {
		case "sphere": {
			const r = positive(shape.radius, place, "radius");
			return { piece: roundPiece("sphere", [0, 0, 0], [r, r, r], r), mass: ellipsoidMass(r, r, r) };
		}
		case "ellipsoid": {
			const radii = positives(shape.radii, place, "radii");
			return { piece: roundPiece("ellipsoid", [0, 0, 0], radii), mass: ellipsoidMass(...radii) };
		}
		case "capsule": {
			const r = positive(shape.radius, place, "radius");
			const half = positive(shape.length, place, "length") / 2;
			const ends = [0, 0, -half, 0, 0, half];
			return { piece: roundPiece("capsule", ends, [r, r, r], r), mass: capsuleMass(r, shape.length) };
		}
		case "box":
			return boxSolid(positives(shape.size, place, "size"));
		case "polyhedron":
			return polyhedronSolid(shape.vertices, place);
		default:
			return refuse(place, "kind", `"${(shape as { kind: string }).kind}"`, "give a kind of shape that has a volume");
	}
}

function roundPiece(
	kind: "sphere" | "ellipsoid" | "capsule",
	points: readonly number[],
	radii: Vector,
	radius?: number,
): Convex {
	const vertices = Float64Array.from(points);
	const ball = Float64Array.of(radii[0], 0, 0, 0, radii[1], 0, 0, 0, radii[2]);
	const reach = Math.max(...radii) + lengthOf(vertices.subarray(0, 3));
	return { kind, vertices, ball, ...(radius !== undefined && { radius }), middle: new Float64Array(3), reach };
}

function boxSolid(size: Vector): Solid {
	const vertices = new Float64Array(24);
	for (let corner = 0; corner < 8; corner += 1) {
		for (let axis = 0; axis < 3; axis += 1)
			vertices[3 * corner + axis] = (corner >> axis) % 2 === 1 ? size[axis]! / 2 : -size[axis]! / 2;
	}
	// The faces of the unit cube, so that no box is too thin.
	const cube = hullFaces(vertices.map((c) => (c > 0 ? 1 : -1))) as Faces;
	const offset = cube.offset.map((_, face) => {
		const axis = [0, 1, 2].find((k) => cube.normal[3 * face + k] !== 0)!;
		return size[axis]! / 2;
	});
	const halfEdges = Float64Array.of(size[0] / 2, 0, 0, 0, size[1] / 2, 0, 0, 0, size[2] / 2);
	const piece: Convex = {
		kind: "polyhedron",
		vertices,
		faces: { ...cube, offset },
		halfEdges,
		middle: new Float64Array(3),
		reach: lengthOf(vertices.subarray(0, 3)),
	};
	return { piece, mass: boxMass(...size) };
}

function polyhedronSolid(corners: readonly Vector[], place: Place): Solid {
	const vertices = new Float64Array(3 * corners.length);
	for (const [k, corner] of corners.entries()) {
		if (corner.length !== 3 || !isFiniteVector(corner))
			refuse(place, `vertices[${k}]`, `[${corner.join(", ")}]`, "give three finite numbers");
		vertices.set(corner, 3 * k);
	}
	const faces = hullFaces(vertices);
	if (isFault(faces)) {
		const [vertex] = faces.vertices;
		const where = vertex === undefined ? "vertices" : `vertices[${vertex}]`;
		return refuse(place, where, faces.problem, faces.remedy);
	}
	const [middle, reach] = ballAround(vertices);
	return { piece: { kind: "polyhedron", vertices, faces, middle, reach }, mass: polyhedronMass(vertices, faces) };
}

function isFault(faces: Faces | HullFault): faces is HullFault {
	return "problem" in faces;
}

function planePiece(plane: Plane, place: Place): Convex {
	const normal = Float64Array.from(plane.normal);
	const length = lengthOf(normal);
	if (normal.length !== 3 || !(length > 0 && length < Number.POSITIVE_INFINITY))
		refuse(place, "normal", `[${plane.normal.join(", ")}]`, "give three finite numbers, not all zero");
	if (!Number.isFinite(plane.offset)) refuse(place, "offset", `${plane.offset}`, "give a finite number");
	const unit = normal.map((c) => c / length);
	const offset = plane.offset / length;
	return {
		kind: "plane",
		vertices: unit.map((c) => c * offset),
		plane: { normal: unit, offset },
		middle: new Float64Array(3),
		reach: Number.POSITIVE_INFINITY,
	};
}

/** The same piece turned and then moved. */
function movedPiece(piece: Convex, rotation: Float64Array, shift: Float64Array): Convex {
	const { ball, faces, halfEdges } = piece;
	const vertices = turned(piece.vertices, rotation, shift);
	return {
		...piece,
		vertices,
		middle: turned(piece.middle, rotation, shift),
		...(ball && { ball: product(rotation, ball) }),
		...(halfEdges && { halfEdges: turned(halfEdges, rotation) }),
		...(faces && { faces: movedFaces(faces, rotation, shift) }),
	};
}

function movedFaces(faces: Faces, rotation: Float64Array, shift: Float64Array): Faces {
	const normal = turned(faces.normal, rotation);
	const offset = faces.offset.map((height, face) => {
		let moved = height;
		for (let axis = 0; axis < 3; axis += 1) moved += normal[3 * face + axis]! * shift[axis]!;
		return moved;
	});
	return { ...faces, normal, offset };
}

function turned(points: Float64Array, r: Float64Array, shift: Float64Array = new Float64Array(3)): Float64Array {
	const out = new Float64Array(points.length);
	for (let at = 0; at < points.length; at += 3) {
		for (let i = 0; i < 3; i += 1) {
			const row = r[3 * i]! * points[at]! + r[3 * i + 1]! * points[at + 1]! + r[3 * i + 2]! * points[at + 2]!;
			out[at + i] = row + shift[i]!;
		}
	}
	return out;
}

function product(a: Float64Array, b: Float64Array): Float64Array {
	return a.map((_, at) => {
		const row = at - (at % 3);
		const column = at % 3;
		return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
	});
}

/** A ball about the middle of the bounding box. */
function ballAround(vertices: Float64Array): [Float64Array, number] {
	const middle = new Float64Array(3);
	for (let axis = 0; axis < 3; axis += 1) {
		const along = vertices.filter((_, at) => at % 3 === axis);
		middle[axis] = (Math.min(...along) + Math.max(...along)) / 2;
	}
	let reach = 0;
	for (let at = 0; at < vertices.length; at += 3) {
		reach = Math.max(reach, lengthOf(vertices.subarray(at, at + 3).map((c, axis) => c - middle[axis]!)));
	}
	return [middle, reach];
}

function lengthOf(v: Float64Array): number {
	return Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
}

function isFiniteVector(v: ArrayLike<number>): boolean {
	return v.length === 3 && Number.isFinite(v[0]) && Number.isFinite(v[1]) && Number.isFinite(v[2]);
}

function positive(value: number, place: Place, name: string): number {
	if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
	return refuse(place, name, `${value}`, "give a positive number");
}

function positives(values: Vector, place: Place, name: string): Vector {
	if (isFiniteVector(values) && values.every((value) => value > 0)) return values;
	return refuse(place, name, `[${values.join(", ")}]`, "give three positive numbers");
}

function inside(place: Place, name: string): Place {
	return { source: place.source, path: place.path === "" ? name : `${place.path}.${name}` };
}

function refuse(place: Place, name: string, problem: string, remedy: string): never {
	throw new InputError(place.source, inside(place, name).path, problem, remedy);
}
