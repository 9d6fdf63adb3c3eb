/** Norms and eigenvalues of M and H by hand, from bodies and from the global form of the same, and Lanczos' method against a known spectrum. */
import { describe, expect, test } from "vitest";
import { sampleProblem } from "../testing/samples.js";
import { extremeEigenvalues } from "./extreme-eigenvalues.js";
import { massesOf } from "./masses.js";
import { rigidToGlobal } from "./rigid-to-global.js";

test("one body on an obstacle: mass 2, inertia 4, 5, 8, arm (0, 0, -1), an axis-parallel frame", () => {
	const problem = {
		name: "one",
		contacts: 1,
		mu: Float64Array.of(0.5),
		q: new Float64Array(3),
		rigid: {
			body: Int32Array.of(-1, 0),
			frame: Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0),
			arm: Float64Array.of(0, 0, 0, 0, 0, -1),
			inverseMass: Float64Array.of(0.5),
			inverseInertia: Float64Array.of(0.25, 0.2, 0.125, 0, 0, 0),
		},
	};
	const { mass, coupling, smallest, largest } = massesOf(problem)!;
	expect(mass).toBeCloseTo(8, 12);
	// Each direction and each arm of length one stands in one component of U.
	expect(coupling).toBeCloseTo(1, 12);
	expect([smallest, largest]).toEqual([expect.closeTo(2, 10), expect.closeTo(8, 10)]);
});

test.each([1, 2, 3])("bodies and their global form, sample %d: the same", (seed) => {
	const { equalities: _, global: __, ...problem } = sampleProblem({ seed, contacts: 20, bodies: 8 });
	const ofBodies = massesOf(problem)!;
	const global = rigidToGlobal(problem.rigid!, problem.q, new Float64Array(48));
	const { rigid: ___, ...rest } = problem;
	const found = massesOf({ ...rest, global })!;
	expect(found.mass / ofBodies.mass).toBeCloseTo(1, 10);
	expect(found.coupling / ofBodies.coupling).toBeCloseTo(1, 10);
	expect(found.largest / ofBodies.largest).toBeCloseTo(1, 1);
});

test("without bodies nothing is known", () => {
	expect(massesOf({ name: "W", contacts: 0, mu: new Float64Array(0), q: new Float64Array(0) })).toBeUndefined();
});

describe("extreme eigenvalues", () => {
	test("of a diagonal of 1 to 100: to a percent by 40 steps, and never outside", () => {
		const apply = (x: Float64Array, y: Float64Array) => {
			for (let i = 0; i < 100; i += 1) y[i] = (i + 1) * x[i]!;
		};
		const { smallest, largest } = extremeEigenvalues(100, apply, 40);
		expect(largest).toBeGreaterThan(99);
		expect(largest).toBeLessThan(100 + 1e-9);
		expect(smallest).toBeGreaterThan(1 - 1e-9);
		expect(smallest).toBeLessThan(1.2);
	});

	test("of a matrix that is smaller than the steps, and of zero", () => {
		const twice = (x: Float64Array, y: Float64Array) => void y.set(x.map((value) => 2 * value));
		expect(extremeEigenvalues(2, twice)).toEqual({ smallest: expect.closeTo(2, 12), largest: expect.closeTo(2, 12) });
		expect(extremeEigenvalues(3, (_, y) => void y.fill(0))).toEqual({ smallest: 0, largest: 0 });
	});
});
