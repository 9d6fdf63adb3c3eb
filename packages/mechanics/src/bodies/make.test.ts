import { describe, expect, it } from "vitest";
import { ellipsoidModel, SOFT } from "../testing/ellipsoids.js";
import { KIND } from "./bodies.js";
import { type BodyDescription, makeBodies } from "./make.js";
import { addOwnBodies, selectBodies } from "./select.js";

const model = ellipsoidModel([1, 2, 3]);
const body = (changes: Partial<BodyDescription> = {}): BodyDescription => ({ shape: 0, material: 0, ...changes });

describe("a body", () => {
	it("has the mass and inertia of its shape", () => {
		const bodies = makeBodies(model, [body()]);
		const mass = 8 * Math.PI;
		expect(bodies.mass[0]).toBeCloseTo(mass, 12);
		const inertia = [13, 10, 5].map((squares) => expect.closeTo((mass * squares) / 5, 12));
		expect([...bodies.inertia]).toEqual(inertia);
		expect([...bodies.axes]).toEqual([1, 0, 0, 0]);
	});

	it("may have a mass and an inertia of its own, about axes of its own", () => {
		// Principal moments 2, 3 and 4; the first two axes turned by a right angle and a half about the third.
		const bodies = makeBodies(model, [
			body({ mass: 7, inertia: [2.5, 2.5, 4, 0.5, 0, 0], spin: [1, 1, 0] }),
			body({ mass: 7, spin: [1, 0, 0] }),
		]);
		expect(bodies.mass[0]).toBe(7);
		expect([...bodies.inertia.subarray(0, 3)].sort()).toEqual([2, 3, 4].map((x) => expect.closeTo(x, 14)));
		// (1, 1, 0) is a principal axis with 2.5 + 0.5.
		expect([...bodies.angularMomentum.subarray(0, 3)]).toEqual([3, 3, 0].map((x) => expect.closeTo(x, 14)));
		expect(bodies.angularMomentum[3]).toBeCloseTo((7 * 13) / 5, 12);
	});

	it("stands with the origin of its shape where it is put, whatever its centre of mass", () => {
		const centre = Float64Array.of(0, 0, 1);
		const shape = { ...model.shapes[0]!, mass: { ...model.shapes[0]!.mass!, centre } };
		const half = Math.sqrt(0.5);
		const turned = body({ position: [1, 2, 3], orientation: [half, half, 0, 0] });
		const bodies = makeBodies({ ...model, shapes: [shape] }, [turned]);
		// A right angle about x takes z to -y.
		expect([...bodies.position]).toEqual([1, 1, 3].map((x) => expect.closeTo(x, 14)));
	});

	it("that is pseudo-rigid starts with rates of its spin", () => {
		const bodies = makeBodies(model, [body(), body({ kind: "pseudo-rigid", spin: [0, 0, 2] })]);
		expect([...bodies.rate.subarray(9)]).toEqual([0, -2, 0, 2, 0, 0, 0, 0, 0]);
		expect([...bodies.spin]).toEqual([0, 0, 0, 0, 0, 0]);
		expect([...bodies.kind]).toEqual([KIND.rigid, KIND.pseudoRigid]);
	});

	const refusals: readonly [string, Partial<BodyDescription>, string][] = [
		["no mass", { mass: 0 }, "scene: /bodies/0/mass: 0 cannot be"],
		["a mass that is none", { mass: Number.NaN }, "scene: /bodies/0/mass: null cannot be"],
		[
			"an inertia of a needle",
			{ inertia: [0, 1, 1, 0, 0, 0] },
			"give an inertia whose principal moments are above zero",
		],
		["an inertia that is negative", { inertia: [-1, 1, 1, 0, 0, 0] }, "principal moments are above zero"],
		["an inertia that no body has", { inertia: [1, 1, 2.1, 0, 0, 0] }, "no body has it"],
		["an inertia that no body has off its axes", { inertia: [1, 1, 1, 0.9, 0, 0] }, "no body has it"],
		["a shape that is not there", { shape: 1 }, "scene: /bodies/0/shape: 1 cannot be; name a shape from 0 to 0"],
		["a material that is not there", { material: -1 }, "name a material from 0 to 0"],
		["no orientation", { orientation: [0, 0, 0, 0] }, "scene: /bodies/0/orientation: [0,0,0,0] cannot be"],
		["a position that is not finite", { position: [0, Number.NaN, 0] }, "give 3 finite numbers"],
		["a speed while it is held", { isHeld: true, velocity: [1, 0, 0] }, "give the velocity at the release"],
		["a speed of an obstacle", { kind: "obstacle", spin: [1, 0, 0] }, "or an obstacle's motion"],
		["a pseudo-rigid body's mass", { kind: "pseudo-rigid", mass: 1 }, "to its density"],
	];
	it.each(refusals)("is refused: %s", (_, changes, message) => {
		expect(() => makeBodies(model, [body(changes)])).toThrow(message);
	});

	it("is refused where its material cannot deform", () => {
		for (const [changes, message] of [
			[{ young: undefined }, "has no young; a pseudo-rigid body needs Young's modulus"],
			[{ poisson: 0.5 }, "has 0.5 poisson; a pseudo-rigid body needs Poisson's ratio"],
			[{ damping: -1 }, "damping is zero or more"],
		] as const) {
			const { young: _, ...rest } = SOFT;
			const material = changes === undefined || "young" in changes ? rest : { ...SOFT, ...changes };
			expect(() => makeBodies({ ...model, materials: [material] }, [body({ kind: "pseudo-rigid" })])).toThrow(message);
		}
	});

	it("follows the obstacles", () => {
		expect(() => makeBodies(model, [body(), body({ kind: "obstacle" })])).toThrow("name the obstacles first");
	});
});

describe("bodies by place", () => {
	const all = makeBodies(
		model,
		[body({ kind: "obstacle" }), body(), body({ position: [1, 0, 0] }), body({ spin: [0, 0, 1] })],
		0,
	);

	it("are gathered with all that they have", () => {
		const some = selectBodies(all, [0, 3, 2], { obstacles: 1, own: 1, total: 4 });
		expect([...some.id]).toEqual([0, 3, 2]);
		expect([some.count, some.own, some.total]).toEqual([3, 1, 4]);
		expect([...some.angularMomentum.subarray(3, 6)]).toEqual([...all.angularMomentum.subarray(9, 12)]);
		expect([...some.position.subarray(6)]).toEqual([1, 0, 0]);
		expect(some.rate.length).toBe(0);
	});

	it("are added before the ghosts", () => {
		const some = selectBodies(all, [0, 1, 3], { obstacles: 1, own: 1, total: 4 });
		const added = makeBodies(model, [body({ kind: "pseudo-rigid" })], 4);
		const both = addOwnBodies(some, added);
		expect([...both.id]).toEqual([0, 1, 4, 3]);
		expect([both.obstacles, both.own, both.count]).toEqual([1, 2, 4]);
		expect([...both.rate]).toEqual(new Array(36).fill(0));
	});
});
