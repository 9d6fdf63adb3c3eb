import { Random } from "@stickslip/core";
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

/** Of a body that is round, and of others whose axes are principal ones or not. */
const INERTIAS = [
	[2, 2, 2, 0, 0, 0],
	[3, 2, 2.5, 0, 0, 0],
	[3, 2, 2.5, 0.3, -0.2, 0.1],
] as const;

describe("many bodies", () => {
	it("turn as each does by itself, slow ones and fast ones, round ones and those that are held", () => {
		const random = new Random(3);
		const within = (size: number) => random.between(-size, size);
		const states = Array.from({ length: 150 }, (_, i) => {
			const inertia = INERTIAS[i % INERTIAS.length]!;
			const size = i % 5 === 0 ? 1000 : 10;
			const spin = [within(size), within(size), within(size)] as const;
			const orientation = [within(1), within(1), within(1), within(1)] as const;
			return { shape: 0, material: 0, spin, orientation, inertia };
		});
		const scheme = makeScheme({ name: "half-step" });
		const turned = (of: typeof states, held: readonly number[]) => {
			const bodies = makeBodies(model, of);
			for (const i of held) bodies.isHeld[i] = 1;
			fly(scheme, model, bodies, 1e-2, 5);
			return bodies;
		};
		const all = turned(states, [10, 149]);
		for (const [i, state] of states.entries()) {
			const alone = turned([state], i === 10 || i === 149 ? [0] : []);
			expect(all.orientation.subarray(4 * i, 4 * i + 4)).toEqual(alone.orientation);
			expect(all.map.subarray(9 * i, 9 * i + 9)).toEqual(alone.map);
		}
	});
});
