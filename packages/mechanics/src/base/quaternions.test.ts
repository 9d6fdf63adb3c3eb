import { describe, expect, it } from "vitest";
import { fromRotationVector, multiply, normalise, toMatrix } from "./quaternions.js";

describe("quaternions", () => {
	const [q, p, map] = [new Float64Array(4), new Float64Array(4), new Float64Array(9)];

	it("turn by the angle about the axis, with the series for small angles as without", () => {
		for (const angle of [1e-9, 1e-3, 0.0199999, 0.0200001, 1, 3, 100]) {
			fromRotationVector(Float64Array.of(0, 0, angle), q, 0);
			toMatrix(q, 0, map, 0);
			const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
			const expected = [cosine, -sine, 0, sine, cosine, 0, 0, 0, 1];
			expect([...map]).toEqual(expected.map((x) => expect.closeTo(x, 14)));
		}
		fromRotationVector(Float64Array.of(0, 0, 0), q, 0);
		expect([...q]).toEqual([1, 0, 0, 0]);
	});

	it("are composed as rotations are, the right one first", () => {
		fromRotationVector(Float64Array.of(0.5 * Math.PI, 0, 0), q, 0);
		fromRotationVector(Float64Array.of(0, 0, 0.5 * Math.PI), p, 0);
		multiply(q, 0, q, 0, p, 0);
		toMatrix(q, 0, map, 0);
		// x goes to y about z, and y to z about x.
		expect([map[0], map[3], map[6]]).toEqual([0, 0, 1].map((x) => expect.closeTo(x, 15)));
	});

	it("are made of unit length where that can be", () => {
		q.set([0, 3, 0, 4]);
		expect(normalise(q, 0)).toBe(true);
		expect([...q]).toEqual([0, 0.6, 0, 0.8].map((x) => expect.closeTo(x, 15)));
		for (const bad of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e200]) expect(normalise(q.fill(bad), 0)).toBe(false);
	});
});
