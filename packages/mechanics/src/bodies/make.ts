/** Bodies from plain descriptions, checked. */
import { InputError } from "@stickslip/core";
import { normalise, toMatrix } from "../base/quaternions.js";
import type { Quaternion, Vector } from "../shapes/shape.js";
import { type Bodies, emptyBodies, KIND } from "./bodies.js";
import { checkInertia, refuseBody } from "./check.js";
import { placeInertia } from "./inertia.js";
import type { Model } from "./model.js";
import { setAngularMomentum } from "./principal.js";

export interface BodyDescription {
	/** Rigid unless said. */
	readonly kind?: "obstacle" | "rigid" | "pseudo-rigid";
	/** Numbers of the model. */
	readonly shape: number;
	readonly material: number;
	/** Where the origin of the shape's own axes is. */
	readonly position?: Vector;
	readonly orientation?: Quaternion;
	/** Of the centre of mass. */
	readonly velocity?: Vector;
	/** Angular velocity in world axes. */
	readonly spin?: Vector;
	/** Of rigid bodies, where it is not the shape's volume times the material's density. */
	readonly mass?: number;
	/** Of rigid bodies about the centre of mass, in the shape's axes: xx, yy, zz, xy, xz, yz. */
	readonly inertia?: readonly [number, number, number, number, number, number];
	/** Held still until an event releases it. */
	readonly isHeld?: boolean;
}

/** Obstacles first. Ids go up from `firstId`; errors name descriptions as /bodies/0 and so on, or as `pathOf` says. */
export function makeBodies(
	model: Model,
	descriptions: readonly BodyDescription[],
	firstId = 0,
	pathOf: (index: number) => string = (index) => `/bodies/${index}`,
): Bodies {
	const count = descriptions.length;
	const obstacles = descriptions.filter((description) => description.kind === "obstacle").length;
	const hasRates = descriptions.some((description) => description.kind === "pseudo-rigid");
	const bodies = emptyBodies({ obstacles, own: count - obstacles, count, total: firstId + count }, hasRates);
	for (let i = 0; i < count; i += 1) {
		const description = descriptions[i]!;
		if ((description.kind === "obstacle") !== i < obstacles) {
			throw new InputError("scene", pathOf(i), "an obstacle follows a body", "name the obstacles first");
		}
		bodies.id[i] = firstId + i;
		placeBody(model, bodies, i, description, pathOf(i));
	}
	return bodies;
}

const KINDS = { obstacle: KIND.obstacle, rigid: KIND.rigid, "pseudo-rigid": KIND.pseudoRigid } as const;

function placeBody(model: Model, bodies: Bodies, i: number, description: BodyDescription, path: string): void {
	const { kind = "rigid", position = [0, 0, 0], orientation = [1, 0, 0, 0], velocity = [0, 0, 0] } = description;
	const { spin = [0, 0, 0], isHeld = false } = description;
	const shape = model.shapes[description.shape];
	if (shape === undefined)
		throw refuseBody(path, "shape", description.shape, `name a shape from 0 to ${model.shapes.length - 1}`);
	if (model.materials[description.material] === undefined) {
		throw refuseBody(path, "material", description.material, `name a material from 0 to ${model.materials.length - 1}`);
	}
	bodies.kind[i] = KINDS[kind];
	bodies.shape[i] = description.shape;
	bodies.material[i] = description.material;
	bodies.isHeld[i] = isHeld ? 1 : 0;
	if ((isHeld || kind === "obstacle") && [...velocity, ...spin].some((x) => x !== 0)) {
		throw refuseBody(
			path,
			"velocity",
			velocity,
			"give the velocity at the release of a held body, or an obstacle's motion",
		);
	}
	put(bodies.velocity, 3 * i, velocity, path, "velocity");
	put(bodies.spin, 3 * i, spin, path, "spin");
	put(bodies.orientation, 4 * i, orientation, path, "orientation");
	if (!normalise(bodies.orientation, 4 * i))
		throw refuseBody(path, "orientation", orientation, "give four numbers, not all zero");
	toMatrix(bodies.orientation, 4 * i, bodies.map, 9 * i);
	put(bodies.position, 3 * i, position, path, "position");
	// From the origin of the shape's axes to its centre of mass.
	const centre = shape.mass?.centre;
	for (let d = 0; d < 3 && centre !== undefined; d += 1) {
		const row = 9 * i + 3 * d;
		bodies.position[3 * i + d]! +=
			bodies.map[row]! * centre[0]! + bodies.map[row + 1]! * centre[1]! + bodies.map[row + 2]! * centre[2]!;
	}
	if (kind === "obstacle") {
		bodies.axes[4 * i] = 1;
		return;
	}
	placeInertia(model, bodies, i, description, path);
	checkInertia(model, bodies, i, path, description.inertia !== undefined);
	spinBody(bodies, i);
}

/** What else follows from the spin of a body that was set. */
export function spinBody(bodies: Bodies, i: number): void {
	if (bodies.kind[i] === KIND.rigid) setAngularMomentum(bodies, i);
	else setRates(bodies, i);
}

function put(target: Float64Array, at: number, numbers: readonly number[], path: string, name: string): void {
	const width = name === "orientation" ? 4 : 3;
	if (numbers.length !== width || !numbers.every(Number.isFinite)) {
		throw refuseBody(path, name, numbers, `give ${width} finite numbers`);
	}
	target.set(numbers, at);
}

/** Of a pseudo-rigid body that spins without deforming: the rate is spin x map; its spin says no more. */
function setRates(bodies: Bodies, i: number): void {
	const { spin, map, rate } = bodies;
	const [x, y, z] = [spin[3 * i]!, spin[3 * i + 1]!, spin[3 * i + 2]!];
	for (let c = 0; c < 3; c += 1) {
		const [f0, f1, f2] = [map[9 * i + c]!, map[9 * i + 3 + c]!, map[9 * i + 6 + c]!];
		rate[9 * i + c] = y * f2 - z * f1;
		rate[9 * i + 3 + c] = z * f0 - x * f2;
		rate[9 * i + 6 + c] = x * f1 - y * f0;
	}
	spin.fill(0, 3 * i, 3 * i + 3);
}
