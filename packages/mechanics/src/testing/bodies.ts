/** Spheres in a model of one material, for tests of what does not depend on shapes. */
import { Random } from "@stickslip/core";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { CompiledShape } from "../shapes/convex.js";

export interface SphereState {
	readonly radius: number;
	readonly position: readonly number[];
	readonly kind?: number;
	readonly isHeld?: boolean;
}

export function sphereShape(radius: number): CompiledShape {
	const vertices = new Float64Array(3);
	const ball = Float64Array.of(radius, 0, 0, 0, radius, 0, 0, 0, radius);
	const middle = new Float64Array(3);
	return {
		description: { kind: "sphere", radius },
		pieces: [{ kind: "sphere", vertices, ball, radius, middle, reach: radius }],
		reach: radius,
	};
}

export function planeShape(normal: readonly [number, number, number], offset: number): CompiledShape {
	const plane = { normal: Float64Array.from(normal), offset };
	return {
		description: { kind: "plane", normal, offset },
		pieces: [{ kind: "plane", vertices: new Float64Array(0), plane, middle: new Float64Array(3), reach: Infinity }],
		reach: Infinity,
	};
}

export function modelOf(shapes: readonly CompiledShape[], friction = 0.5): Model {
	return {
		shapes,
		materials: [{ name: "stone", density: 1000 }],
		laws: [{ friction, restitution: 0.25 }],
		gravity: Float64Array.of(0, 0, -10),
	};
}

/** One shape per body, ids by place, all own. */
export function spheresOf(states: readonly SphereState[]): { model: Model; bodies: Bodies } {
	const model = modelOf(states.map(({ radius }) => sphereShape(radius)));
	return { model, bodies: bodiesOf(states) };
}

export function bodiesOf(states: readonly SphereState[]): Bodies {
	const count = states.length;
	const numbers = Int32Array.from(states, (_, i) => i);
	const repeated = (values: readonly number[]) =>
		Float64Array.from({ length: count * values.length }, (_, i) => values[i % values.length]!);
	const mass = Float64Array.from(states, ({ radius }) => 1000 * radius * radius * radius * 4.18879);
	return {
		obstacles: states.filter(({ kind }) => kind === KIND.obstacle).length,
		own: states.filter(({ kind }) => kind !== KIND.obstacle).length,
		count,
		total: count,
		id: numbers,
		kind: Uint8Array.from(states, ({ kind = KIND.rigid }) => kind),
		shape: numbers,
		material: new Int32Array(count),
		isHeld: Uint8Array.from(states, ({ isHeld = false }) => Number(isHeld)),
		position: Float64Array.from(states.flatMap(({ position }) => [...position])),
		orientation: repeated([1, 0, 0, 0]),
		map: repeated([1, 0, 0, 0, 1, 0, 0, 0, 1]),
		velocity: new Float64Array(3 * count),
		spin: new Float64Array(3 * count),
		angularMomentum: new Float64Array(3 * count),
		rate: new Float64Array(9 * count),
		mass,
		moments: Float64Array.from({ length: 6 * count }, (_, i) =>
			i % 6 < 3 ? 0.2 * mass[Math.floor(i / 6)]! * states[Math.floor(i / 6)]!.radius ** 2 : 0,
		),
		inertia: Float64Array.from(
			{ length: 3 * count },
			(_, i) => 0.4 * mass[Math.floor(i / 3)]! * states[Math.floor(i / 3)]!.radius ** 2,
		),
		axes: repeated([1, 0, 0, 0]),
	};
}

/** Spheres of radii whose ratio is up to `ratio`, in a box of the given edges about an origin. */
export function randomSpheres(
	seed: number,
	count: number,
	edges: readonly number[],
	ratio: number,
	origin = [0, 0, 0],
): SphereState[] {
	const random = new Random(seed);
	return Array.from({ length: count }, () => ({
		// Of all sizes about as many.
		radius: 0.5 / (1 + (ratio - 1) * random.uniform() ** 4),
		position: edges.map((edge, d) => origin[d]! + edge * random.uniform()),
	}));
}
