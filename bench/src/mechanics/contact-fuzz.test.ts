/** A part of the contact fuzz, and that it finds what is wrong. */
import { makeManifold, type PlacedPiece, touch } from "@stickslip/mechanics";
import { describe, expect, it } from "vitest";
import { fuzzContacts } from "./contact-fuzz.js";
import { offSurface, reachAlong } from "./independent.js";
import { checkPair } from "./pair-checks.js";
import { randomPair, randomShapes, SITUATIONS } from "./random-pairs.js";

describe("contact points of seeded pairs", () => {
	const seed = 1;
	const pairs = process.env.STICKSLIP_THOROUGH === "1" ? 30_000 : 1000;

	it(`hold of ${pairs} pairs with seed ${seed}`, () => {
		const { rows, told } = fuzzContacts(pairs, seed);
		expect(told).toEqual([]);
		// Two planes never touch: all other pairs of the five kinds come up.
		expect(rows.length).toBe(14);
	});

	it("come in all situations, the same for the same seed and number", () => {
		const shapes = randomShapes(seed);
		const situations = new Set(Array.from({ length: 100 }, (_, number) => randomPair(shapes, seed, number).situation));
		expect(situations.size).toBe(SITUATIONS.length);
		expect(randomPair(shapes, seed, 5)).toEqual(randomPair(randomShapes(seed), seed, 5));
	});
});

describe("the checks", () => {
	const sphere = (radius: number, x: number): PlacedPiece => ({
		convex: randomSphere(radius),
		centre: Float64Array.of(x, 0, 0),
		map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
		isRigid: true,
	});

	function randomSphere(radius: number): PlacedPiece["convex"] {
		const convex = randomShapes(seedOfSpheres).find(({ kind }) => kind === "sphere")!;
		return { ...convex, radius, ball: Float64Array.of(radius, 0, 0, 0, radius, 0, 0, 0, radius), reach: radius };
	}
	const seedOfSpheres = 3;

	it("know how far a sphere reaches and what is on its surface", () => {
		expect(reachAlong(sphere(2, 1), [1, 0, 0])).toBe(3);
		expect(offSurface(sphere(2, 1), [3, 0, 0], [1, 0, 0])).toBe(0);
		expect(offSurface(sphere(2, 1), [3.5, 0, 0], [1, 0, 0])).toBe(0.5);
		expect(offSurface(sphere(2, 1), [1, 2, 0], [1, 0, 0])).toBeCloseTo(2 * Math.SQRT2, 14);
	});

	it("find a piece whose ball is not what its radius says", () => {
		const odd = sphere(1, 3);
		const second = { ...odd, convex: { ...odd.convex, radius: 0.9 } };
		const manifold = makeManifold();
		touch(sphere(1, 0), second, 2, manifold);
		expect(manifold.gap[0]).toBeCloseTo(1.1, 14);
		const report = checkPair({ first: sphere(1, 0), second, situation: "near", scale: 2 }, 1, 1)!;
		expect(report.residual).toBeCloseTo(0.05, 14);
	});
});
