/** Beds of bodies that lie close, as settled ones do: on the places of the wide bed of spheres that `generate` lays, four layers deep, each body a little into those beside it. */
import { generate, Random } from "@stickslip/core";
import {
	type BodyDescription,
	compileShape,
	type Model,
	makeBodies,
	makeScheme,
	pairLaws,
	type Quaternion,
	type Shape,
	type SimulationSetup,
	type Vector,
} from "@stickslip/mechanics";

export const BEDS = ["spheres", "ellipsoids", "boxes"] as const;
export type Bed = (typeof BEDS)[number];

/** Radii are rounded up to so many sizes, so that bodies share shapes as they do in scenes. */
const SIZES = 16;

/** For the radius of a sphere that would just touch its neighbours. */
const shapeOf: Readonly<Record<Bed, (radius: number) => Shape>> = {
	spheres: (radius) => ({ kind: "sphere", radius }),
	ellipsoids: (radius) => ({ kind: "ellipsoid", radii: [1.15 * radius, 1.05 * radius, 0.9 * radius] }),
	boxes: (radius) => ({ kind: "box", size: [1.7 * radius, 1.6 * radius, 1.5 * radius] }),
};

interface Places {
	readonly position: Float64Array;
	readonly radius: Float64Array;
}

/** Centres and radii of a bed of spheres with about so many contacts. */
function placesOf(contacts: number): Places {
	const { rigid, geometry } = generate("spheres-layers", { contacts, seed: 3 });
	const count = rigid.inverseMass.length;
	const position = new Float64Array(3 * count);
	const radius = new Float64Array(count);
	for (let side = 0; side < rigid.body.length; side += 1) {
		const body = rigid.body[side]!;
		if (body < 0) continue;
		const arm = rigid.arm.subarray(3 * side, 3 * side + 3);
		const point = 3 * Math.floor(side / 2);
		for (let d = 0; d < 3; d += 1) position[3 * body + d] = geometry.point[point + d]! - arm[d]!;
		radius[body] = Math.sqrt(arm[0]! ** 2 + arm[1]! ** 2 + arm[2]! ** 2);
	}
	return { position, radius };
}

/** A simulation of the bed on a floor; `contacts` is about how many there are. */
export function bedOf(bed: Bed, contacts: number): SimulationSetup {
	const { position, radius } = placesOf(contacts);
	const largest = radius.reduce((most, value) => Math.max(most, value), 0);
	const shapes: Shape[] = [{ kind: "plane", normal: [0, 0, 1], offset: 0 }];
	for (let size = 1; size <= SIZES; size += 1) shapes.push(shapeOf[bed]((largest * size) / SIZES));
	const materials = [{ name: "stone", density: 2500 }];
	const model: Model = {
		shapes: shapes.map((shape) => compileShape(shape)),
		materials,
		laws: pairLaws(materials, { friction: 0.5, restitution: 0 }),
		gravity: Float64Array.of(0, 0, -9.81),
	};
	const random = new Random(5);
	const bodies: BodyDescription[] = [{ kind: "obstacle", shape: 0, material: 0 }];
	for (const [i, each] of radius.entries()) {
		const [x, y, z] = position.subarray(3 * i, 3 * i + 3);
		const orientation = [0, 0, 0, 0].map(() => random.between(-1, 1)) as unknown as Quaternion;
		const at: Vector = [x!, y!, z!];
		bodies.push({ shape: Math.ceil((SIZES * each) / largest), material: 0, position: at, orientation });
	}
	return {
		name: `${bed}, about ${contacts} contacts`,
		model,
		bodies: makeBodies(model, bodies),
		events: [],
		scheme: makeScheme({ name: "half-step" }),
		step: 1e-3,
		// Beds at rest are hard to solve to more digits; how long one iteration takes does not depend on it.
		solver: { tolerance: 0.1 },
	};
}
