/** Spheres that fall on a floor between walls, for tests of the loop over steps. */
import { Random } from "@stickslip/core";
import { makeBodies } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import type { CompiledShape } from "../shapes/convex.js";
import type { SimulationSetup } from "../simulation/simulation.js";
import { makeScheme } from "../time/theta.js";
import { planeShape, sphereShape } from "./bodies.js";

/** With the mass of a homogeneous ball. */
function ball(radius: number): CompiledShape {
	const volume = (4 / 3) * Math.PI * radius * radius * radius;
	const moment = (volume * radius * radius) / 5;
	const moments = Float64Array.of(moment, moment, moment, 0, 0, 0);
	return { ...sphereShape(radius), mass: { volume, centre: new Float64Array(3), moments } };
}

export const SPHERE_RADIUS = 0.1;

/** So many spheres in layers of a few, a little apart and out of line, above a floor at z = 0 and between four walls. */
export function sphereScene(count: number, options: Partial<SimulationSetup> = {}, friction = 0.3): SimulationSetup {
	const side = 4;
	const half = side * SPHERE_RADIUS * 1.1;
	const model: Model = {
		shapes: [
			planeShape([0, 0, 1], 0),
			planeShape([1, 0, 0], -half),
			planeShape([-1, 0, 0], -half),
			planeShape([0, 1, 0], -half),
			planeShape([0, -1, 0], -half),
			ball(SPHERE_RADIUS),
		],
		materials: [{ name: "stone", density: 1000 }],
		laws: [{ friction, restitution: 0 }],
		gravity: Float64Array.of(0, 0, -10),
	};
	const random = new Random(11);
	const walls = Array.from({ length: 5 }, (_, shape) => ({ kind: "obstacle" as const, shape, material: 0 }));
	const spheres = Array.from({ length: count }, (_, i) => {
		const layer = Math.floor(i / (side * side));
		const place = (k: number) => (2 * k - side + 1) * SPHERE_RADIUS * 1.05 + random.between(-0.003, 0.003);
		const position = [
			place(i % side),
			place(Math.floor(i / side) % side),
			SPHERE_RADIUS * (1.02 + 2.1 * layer),
		] as const;
		return { shape: 5, material: 0, position };
	});
	return {
		name: "spheres",
		model,
		bodies: makeBodies(model, [...walls, ...spheres]),
		events: [],
		scheme: makeScheme({ name: "half-step" }),
		step: 1e-3,
		solver: { tolerance: 1e-4 },
		...options,
	};
}

/** One sphere between two walls that stand closer than it is wide, above no floor: taking back both overlaps has no solution. */
export function wedgedScene(name: "velocity-impulse" | "half-step"): SimulationSetup {
	const scene = sphereScene(0, { scheme: makeScheme({ name }) });
	const half = 0.999 * SPHERE_RADIUS;
	const shapes = [planeShape([1, 0, 0], -half), planeShape([-1, 0, 0], -half), ball(SPHERE_RADIUS)];
	const model: Model = { ...scene.model, shapes };
	const walls = [0, 1].map((shape) => ({ kind: "obstacle" as const, shape, material: 0 }));
	return { ...scene, model, bodies: makeBodies(model, [...walls, { shape: 2, material: 0, position: [0, 0, 0] }]) };
}
