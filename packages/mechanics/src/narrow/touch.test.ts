/** Contact points of smooth shapes whose answer is known in closed form, and swaps to the last bit. */
import { describe, expect, it } from "vitest";
import { makeManifold, type PlacedPiece } from "./manifold.js";
import { touch } from "./touch.js";

const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

function sphere(radius: number, x: number, y: number, z: number): PlacedPiece {
	const middle = new Float64Array(3);
	const ball = identity.map((k) => k * radius);
	const convex = { kind: "sphere", vertices: new Float64Array(3), ball, radius, middle, reach: radius } as const;
	return { convex, centre: Float64Array.of(x, y, z), map: identity, isRigid: true };
}

describe("spheres", () => {
	it("touch half-way between their surfaces", () => {
		const manifold = makeManifold();
		touch(sphere(1, 0, 0, 0), sphere(2, 0, 3.5, 0), 1, manifold);
		expect(manifold.count).toBe(1);
		expect([...manifold.normal.subarray(0, 3)]).toEqual([0, 1, 0]);
		expect([...manifold.point.subarray(0, 3)]).toEqual([0, 1.25, 0]);
		expect(manifold.gap[0]).toBe(0.5);
	});

	it("do not touch beyond the margin", () => {
		const manifold = makeManifold();
		touch(sphere(1, 0, 0, 0), sphere(2, 0, 3.5, 0), 0.25, manifold);
		expect(manifold.count).toBe(0);
	});
});
