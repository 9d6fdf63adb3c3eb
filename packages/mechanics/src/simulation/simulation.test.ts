import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { SPHERE_RADIUS, sphereScene } from "../testing/sphere-scene.js";
import { makeScheme } from "../time/theta.js";
import { Simulation } from "./simulation.js";
import type { StepStatistics } from "./statistics.js";

function run(simulation: Simulation, steps: number): StepStatistics {
	let last: StepStatistics | undefined;
	for (let i = 0; i < steps; i += 1) last = toTheEnd(simulation.step());
	return last!;
}

describe("Simulation", () => {
	it("lets one sphere fall freely as long as nothing is below it", () => {
		const simulation = new Simulation(sphereScene(1));
		// 1 mm above the floor: 14 ms.
		const { kinetic, momentum, contacts, time } = run(simulation, 10);
		const mass = 1000 * (4 / 3) * Math.PI * SPHERE_RADIUS ** 3;
		expect(time).toBeCloseTo(0.01, 12);
		expect(contacts).toBe(0);
		expect(momentum[2]).toBeCloseTo(-10 * 0.01 * mass, 10);
		expect(kinetic).toBeCloseTo((mass * 0.1 ** 2) / 2, 10);
	});

	it("brings a sphere on the floor to rest, which then carries its weight", () => {
		const simulation = new Simulation(sphereScene(1));
		const { kinetic, contacts, largestPenetration, largestSpeed } = run(simulation, 100);
		expect(contacts).toBe(1);
		expect(kinetic).toBeLessThan(1e-8);
		expect(largestSpeed).toBeLessThan(1e-4);
		expect(largestPenetration).toBeLessThan(1e-3);
		const mass = 1000 * (4 / 3) * Math.PI * SPHERE_RADIUS ** 3;
		expect(simulation.reaction[0]).toBeCloseTo(mass * 10 * 1e-3, 6);
	});

	it("settles a bed of spheres without a failed step, and its floor and walls take up what gravity gives", () => {
		const simulation = new Simulation(sphereScene(48));
		const before = run(simulation, 250);
		const after = run(simulation, 1);
		expect(after.bodies).toBe(48);
		expect(after.failedSteps).toBe(0);
		expect(after.contacts).toBeGreaterThan(48);
		const mass = 48 * 1000 * (4 / 3) * Math.PI * SPHERE_RADIUS ** 3;
		// Of what it had had if it were falling still.
		expect(after.kinetic).toBeLessThan(0.05 * ((mass * 2.5 ** 2) / 2));
		const impulse = wallImpulse(simulation);
		impulse[2]! -= mass * 10 * 1e-3;
		for (const [d, each] of impulse.entries()) {
			expect(after.momentum[d]! - before.momentum[d]!).toBeCloseTo(each, 9);
		}
	});

	it("takes the reactions of the step before as its start", () => {
		const cold = new Simulation(sphereScene(48));
		const first = run(cold, 300);
		const next = run(cold, 1);
		expect(next.iterations).toBeLessThanOrEqual(Math.max(first.iterations, 40));
		expect(next.status).toBe("solved");
	});

	it("has the same hash for the same steps, and another after one more", () => {
		const [one, other] = [new Simulation(sphereScene(20)), new Simulation(sphereScene(20))];
		run(one, 60);
		run(other, 60);
		expect(one.hash()).toBe(other.hash());
		run(other, 1);
		expect(one.hash()).not.toBe(other.hash());
	});

	it.each(["half-step", "velocity-impulse", "moreau"] as const)("runs by %s", (name) => {
		const simulation = new Simulation(sphereScene(16, { scheme: makeScheme({ name }) }));
		const { kinetic, failedSteps, largestPenetration } = run(simulation, 150);
		expect(failedSteps).toBe(0);
		expect(kinetic).toBeLessThan(0.05);
		expect(largestPenetration).toBeLessThan(0.01);
	});
});

/** Of the contacts at obstacles on the bodies, in world axes. */
function wallImpulse({ contacts, reaction, bodies }: Simulation): number[] {
	const sum = [0, 0, 0];
	for (let a = 0; a < contacts.count; a += 1) {
		if (contacts.body[2 * a]! >= bodies.obstacles) continue;
		for (let d = 0; d < 3; d += 1) {
			for (let k = 0; k < 3; k += 1) sum[d]! += contacts.frame[9 * a + 3 * k + d]! * reaction[3 * a + k]!;
		}
	}
	return sum;
}
