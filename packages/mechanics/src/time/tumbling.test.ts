import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { ellipsoidModel } from "../testing/ellipsoids.js";
import { fly } from "../testing/flight.js";
import { makeScheme } from "./theta.js";

const model = ellipsoidModel([0.9, 0.5, 1]);
const tumble = () =>
	makeBodies(model, [{ shape: 0, material: 0, spin: [2, -1, 3], orientation: [0.5, 0.5, -0.5, 0.5] }]);

function energy({ spin, angularMomentum }: ReturnType<typeof tumble>): number {
	return 0.5 * (spin[0]! * angularMomentum[0]! + spin[1]! * angularMomentum[1]! + spin[2]! * angularMomentum[2]!);
}

describe("a body that tumbles", () => {
	it("keeps its momentum to the bit and its energy without drift", () => {
		const bodies = tumble();
		const start = energy(bodies);
		const momentum = bodies.angularMomentum.slice();
		let [low, high] = [start, start];
		fly(makeScheme({ name: "half-step" }), model, bodies, 1e-2, 20_000, () => {
			low = Math.min(low, energy(bodies));
			high = Math.max(high, energy(bodies));
		});
		expect(bodies.angularMomentum).toEqual(momentum);
		expect((high - low) / start).toBeLessThan(1e-3);
		expect((high - low) / start).toBeGreaterThan(0);
	});

	it("keeps its energy to rounding where that is asked for", () => {
		const bodies = tumble();
		const start = energy(bodies);
		fly(makeScheme({ name: "half-step", rotation: "conserving" }), model, bodies, 1e-2, 20_000);
		expect(Math.abs(energy(bodies) / start - 1)).toBeLessThan(1e-12);
	});
});
