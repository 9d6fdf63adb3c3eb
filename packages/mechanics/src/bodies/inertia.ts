/** Mass, moments and principal axes of a body, from its shape and material or as its description gives them. */
import { InputError } from "@stickslip/core";
import { eigen } from "../base/symmetric.js";
import type { Bodies } from "./bodies.js";
import { refuseBody } from "./check.js";
import type { BodyDescription } from "./make.js";
import type { Model } from "./model.js";

export function placeInertia(
	model: Model,
	bodies: Bodies,
	i: number,
	description: BodyDescription,
	path: string,
): void {
	const shape = model.shapes[description.shape]!;
	const { density } = model.materials[description.material]!;
	if (shape.mass === undefined) throw refuseBody(path, "shape", description.shape, "planes are for obstacles only");
	const { volume, moments } = shape.mass;
	if (description.kind === "pseudo-rigid" && (description.mass ?? description.inertia) !== undefined) {
		throw refuseBody(path, "mass", description.mass, "leave mass and inertia of a pseudo-rigid body to its density");
	}
	const mass = description.mass ?? (density === undefined ? undefined : density * volume);
	if (mass === undefined) {
		const { name } = model.materials[description.material]!;
		const remedy = `give materials.${name}.density${description.kind === "pseudo-rigid" ? "" : ", or the body a mass"}`;
		throw new InputError("scene", `${path}/material`, `material ${name} has no density`, remedy);
	}
	bodies.mass[i] = mass;
	for (let k = 0; k < 6; k += 1) bodies.moments[6 * i + k] = (mass / volume) * moments[k]!;
	if (description.inertia !== undefined) momentsOfInertia(description.inertia, bodies.moments, 6 * i);
	principalAxes(bodies, i);
}

/** Second moments from an inertia: trace(inertia) / 2 - inertia. */
function momentsOfInertia(inertia: readonly number[], moments: Float64Array, at: number): void {
	const half = 0.5 * (inertia[0]! + inertia[1]! + inertia[2]!);
	for (let k = 0; k < 6; k += 1) moments[at + k] = (k < 3 ? half : 0) - inertia[k]!;
}

const values = new Float64Array(3);
const vectors = new Float64Array(9);

/** Inertia and moments have the same axes; about one of them the inertia is the sum of the moments along the two others. */
function principalAxes(bodies: Bodies, i: number): void {
	eigen(bodies.moments, 6 * i, values, vectors);
	bodies.inertia[3 * i] = values[1]! + values[2]!;
	bodies.inertia[3 * i + 1] = values[0]! + values[2]!;
	bodies.inertia[3 * i + 2] = values[0]! + values[1]!;
	fromMatrix(vectors, bodies.axes, 4 * i);
}

/** The unit quaternion of a rotation matrix, from the largest of its four numbers. */
function fromMatrix(m: Float64Array, q: Float64Array, i: number): void {
	const trace = m[0]! + m[4]! + m[8]!;
	const squares = [1 + trace, 1 + 2 * m[0]! - trace, 1 + 2 * m[4]! - trace, 1 + 2 * m[8]! - trace];
	const largest = squares.indexOf(Math.max(...squares));
	const root = Math.sqrt(squares[largest]!);
	const half = 0.5 / root;
	const w = [m[7]! - m[5]!, m[2]! - m[6]!, m[3]! - m[1]!];
	const sums = [m[3]! + m[1]!, m[2]! + m[6]!, m[7]! + m[5]!];
	const rows = [
		[0.5 * root, half * w[0]!, half * w[1]!, half * w[2]!],
		[half * w[0]!, 0.5 * root, half * sums[0]!, half * sums[1]!],
		[half * w[1]!, half * sums[0]!, 0.5 * root, half * sums[2]!],
		[half * w[2]!, half * sums[1]!, half * sums[2]!, 0.5 * root],
	];
	q.set(rows[largest]!, i);
}
