import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { ellipsoidModel } from "../testing/ellipsoids.js";
import { fly, orders } from "../testing/flight.js";
import { SCHEME_NAMES } from "./scheme.js";
import { makeScheme } from "./theta.js";

const model = ellipsoidModel([0.9, 0.5, 1], { gravity: Float64Array.of(0, 1, -10) });

describe("a body that flies", () => {
	const thrown = () => makeBodies(model, [{ shape: 0, material: 0, position: [1, 2, 3], velocity: [4, 5, 6] }]);
	const heightAt = (t: number) => 3 + 6 * t - 5 * t * t;

	it("keeps to its parabola, which a scheme of order 2 does exactly", () => {
		const bodies = thrown();
		fly(makeScheme({ name: "half-step" }), model, bodies, 1 / 64, 64);
		expect([...bodies.position]).toEqual([5, 7.5, 4]);
		expect([...bodies.velocity]).toEqual([4, 6, -4]);
	});

	it("is off by the first power of the step where theta is not a half", () => {
		for (const options of [{ name: "velocity-impulse" }, { name: "moreau", theta: 0.75 }] as const) {
			const errors = [16, 32, 64].map((steps) => {
				const bodies = thrown();
				fly(makeScheme(options), model, bodies, 1 / steps, steps);
				return Math.abs(bodies.position[2]! - heightAt(1));
			});
			for (const order of orders(errors)) expect(order).toBeCloseTo(1, 6);
		}
	});
});

describe("a body that tumbles", () => {
	/** Of an orientation after a second, and of the energy on the way. */
	function tumble(steps: number, options: Parameters<typeof makeScheme>[0]) {
		const bodies = makeBodies(model, [
			{
				shape: 0,
				material: 0,
				spin: [2, -1, 3],
				orientation: [0.5, 0.5, -0.5, 0.5],
				inertia: [3, 2, 2.5, 0.3, -0.2, 0.1],
			},
		]);
		fly(makeScheme(options), { ...model, gravity: new Float64Array(3) }, bodies, 1 / steps, steps);
		return [...bodies.map, ...bodies.spin];
	}

	it("turns as it should with order 2 at theta a half, about axes that are not its own", () => {
		const exact = tumble(20_000, { name: "half-step", rotation: "conserving" });
		for (const rotation of ["explicit", "conserving"] as const) {
			for (const name of SCHEME_NAMES) {
				const errors = [20, 40, 80].map((steps) => {
					const end = tumble(steps, { name, rotation });
					return Math.max(...end.map((x, k) => Math.abs(x - exact[k]!)));
				});
				for (const order of orders(errors)) expect(order).toBeGreaterThan(1.9);
				expect(errors[2]!).toBeLessThan(2e-3);
			}
		}
	});

	it("spins about a principal axis as a wheel does, exactly", () => {
		for (const rotation of ["explicit", "conserving"] as const) {
			const bodies = makeBodies(model, [{ shape: 0, material: 0, spin: [0, 0, Math.PI] }]);
			fly(makeScheme({ name: "half-step", rotation }), model, bodies, 0.01, 100);
			// The conserving turn is a Cayley transform: the angle is 2 atan(angle / 2).
			const angle = rotation === "explicit" ? Math.PI : 400 * Math.atan(Math.PI / 400);
			expect(bodies.map[0]).toBeCloseTo(Math.cos(angle), 12);
			expect(bodies.map[3]).toBeCloseTo(Math.sin(angle), 12);
		}
	});

	it("needs no principal axes where all are", () => {
		const ball = ellipsoidModel([1, 1, 1]);
		const bodies = makeBodies(ball, [{ shape: 0, material: 0, spin: [1, 2, 2] }]);
		fly(makeScheme({ name: "half-step" }), ball, bodies, 0.1, 10);
		// A turn by 3 about (1, 2, 2) / 3 leaves that axis where it is.
		for (let d = 0; d < 3; d += 1) {
			const row = bodies.map.slice(3 * d, 3 * d + 3);
			expect((row[0]! + 2 * row[1]! + 2 * row[2]!) / 3).toBeCloseTo([1, 2, 2][d]! / 3, 14);
		}
		expect(bodies.map[0]! + bodies.map[4]! + bodies.map[8]!).toBeCloseTo(1 + 2 * Math.cos(3), 13);
		expect([...bodies.spin]).toEqual([1, 2, 2].map((x) => expect.closeTo(x, 14)));
	});

	it("holds still until it is released", () => {
		const bodies = makeBodies(model, [{ shape: 0, material: 0, isHeld: true, position: [1, 2, 3] }]);
		const scheme = makeScheme({ name: "half-step" });
		fly(scheme, model, bodies, 0.1, 10);
		expect([...bodies.position, ...bodies.velocity]).toEqual([1, 2, 3, 0, 0, 0]);
		expect(scheme.inverseMasses.mass[0]).toBe(0);
		expect([...scheme.inverseMasses.inertia.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
		bodies.isHeld[0] = 0;
		fly(scheme, model, bodies, 0.5, 2);
		expect(bodies.position[2]).toBe(-2);
	});

	it("is refused where its velocity has become no number", () => {
		for (const field of ["velocity", "angularMomentum"] as const) {
			const bodies = makeBodies(model, [{ shape: 0, material: 0 }]);
			bodies[field][1] = Number.NaN;
			expect(() => fly(makeScheme({ name: "half-step" }), model, bodies, 0.5, 1)).toThrow(
				"simulation: body 0 at t = 0.25: where it is, or how it is turned, is no finite number; take a smaller step",
			);
		}
	});
});
