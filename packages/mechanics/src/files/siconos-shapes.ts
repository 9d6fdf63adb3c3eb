/** Shapes of Siconos 4.4 with Bullet as ours. There the axis of capsules and cylinders is y, and a capsule's length counts its round ends. */
import { cosine, sine } from "../base/elementary.js";
import { HULL_POINTS_MAX, hullFaces } from "../shapes/hull.js";
import type { ConvexShape, Plane, Quaternion, Vector } from "../shapes/shape.js";
import type { SiconosShape } from "./siconos-file.js";

/** A shape that has a volume. */
export type Solid = Exclude<ConvexShape, Plane>;

/** What a shape becomes, and what of it could not be kept. */
export interface ImportedShape {
	readonly shape: Solid;
	/** Turns its axes into those of the shape in the file. */
	readonly orientation?: Quaternion;
	readonly lost?: string;
}

/** Sides of a prism that stands for a cylinder. */
const SIDES = 32;
/** Turns z to y. */
const UPRIGHT: Quaternion = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0];

/** Why it cannot be, as text, where it cannot. */
export function importShape(shape: SiconosShape): ImportedShape | string {
	const imported = shape.type === "convex" ? importConvex(shape) : importPrimitive(shape);
	if (typeof imported === "string" || !(shape.outsideMargin > 0)) return imported;
	return { ...imported, lost: `its outside margin of ${shape.outsideMargin}` };
}

function importConvex({ rows, values }: SiconosShape): ImportedShape | string {
	if (values.length !== 3 * rows) return `a convex shape with ${rows} points and ${values.length} coordinates`;
	if (rows > HULL_POINTS_MAX) return `a convex shape with ${rows} points, more than ${HULL_POINTS_MAX},`;
	let vertices = Array.from({ length: rows }, (_, k) => pointOf(values, 3 * k));
	// Any points are allowed there: those that are no corners of the hull are left out.
	for (;;) {
		const hull = hullFaces(Float64Array.from(vertices.flat()));
		if (!("problem" in hull)) return { shape: { kind: "polyhedron", vertices } };
		if (hull.vertices.length === 0) return `a convex shape: ${hull.problem}`;
		const faults = new Set(hull.vertices);
		vertices = vertices.filter((_, k) => !faults.has(k));
	}
}

function importPrimitive({ type, primitive, values }: SiconosShape): ImportedShape | string {
	const [a = 0, b = 0, c = 0] = values;
	switch (type === "primitive" ? primitive : undefined) {
		case "Sphere":
			return { shape: { kind: "sphere", radius: a } };
		case "Box":
			return { shape: { kind: "box", size: [a, b, c] } };
		case "Capsule":
			return b > 2 * a
				? { shape: { kind: "capsule", radius: a, length: b - 2 * a }, orientation: UPRIGHT }
				: `a capsule of radius ${a} and length ${b}`;
		case "Cylinder": {
			const vertices = [...circle(a, -b / 2), ...circle(a, b / 2)];
			return { shape: { kind: "polyhedron", vertices }, lost: `its roundness: it is a prism of ${SIDES} sides` };
		}
		default:
			return type === "primitive" ? `the primitive ${primitive}` : `a shape of type ${type}`;
	}
}

/** Points about the y axis. */
function circle(radius: number, y: number): Vector[] {
	return Array.from({ length: SIDES }, (_, k): Vector => {
		const angle = (2 * Math.PI * k) / SIDES;
		return [radius * cosine(angle), y, radius * sine(angle)];
	});
}

function pointOf(values: Float64Array, at: number): Vector {
	return [values[at]!, values[at + 1]!, values[at + 2]!];
}
