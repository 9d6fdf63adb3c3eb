import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import type { ContactSolver } from "../ranks/contact-solver.js";
import { TileSolver } from "../ranks/tile-solver.js";
import { SPHERE_RADIUS, sphereScene, wedgedScene } from "../testing/sphere-scene.js";
import { makeScheme } from "../time/theta.js";
import { type SolveAttempt, StepFailure } from "./retrying-solver.js";
import { Simulation } from "./simulation.js";
import { dealState } from "./state.js";
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

	it("does not take back overlaps of a body that is wedged, where there is no other solution", () => {
		const options: number[] = [];
		const ahead = new Simulation(wedgedScene("velocity-impulse"), {
			onSolve: ({ failures }) => options.push(failures),
		});
		const step = run(ahead, 1);
		expect(step).toMatchObject({ status: "solved", contacts: 2, failedSteps: 0, retries: 3 });
		expect(options).toEqual([0, 1, 2, 3]);
		expect(Math.abs(step.momentum[0]!)).toBeLessThan(1e-6);
		// The other scheme takes nothing back, and has nothing to try again.
		expect(run(new Simulation(wedgedScene("half-step")), 1)).toMatchObject({ status: "solved", retries: 0 });
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
		expect([...other.run(60)].map(({ step }) => step)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
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

describe("the state of a simulation", () => {
	it("gives the bits of the run that nobody disturbed", () => {
		const setup = sphereScene(24);
		const whole = new Simulation(setup);
		run(whole, 70);
		const state = whole.state();
		const before = whole.extremes;
		run(whole, 30);
		const resumed = new Simulation(setup);
		resumed.resume(dealState(state, 0, 1));
		expect(resumed.steps).toBe(70);
		expect(resumed.extremes).toEqual(before);
		expect(before.speed!.time).toBeLessThan(0.07);
		const last = run(resumed, 30);
		expect(last.step).toBe(100);
		expect(resumed.extremes).toEqual(whole.extremes);
		expect(resumed.hash()).toBe(whole.hash());
	});

	it("of an earlier version has no extremes: they are those since", () => {
		const whole = new Simulation(sphereScene(24));
		run(whole, 20);
		const { extremes: _, ...scalars } = whole.state().scalars;
		const resumed = new Simulation(sphereScene(24));
		resumed.resume(dealState({ ...whole.state(), scalars }, 0, 1));
		expect(resumed.extremes).toEqual({});
		const { largestSpeed } = run(resumed, 1);
		expect(resumed.extremes.speed).toMatchObject({ value: largestSpeed, time: 0.021 });
	});

	it("is refused where it is of something else", () => {
		const state = new Simulation(sphereScene(5)).state();
		const other = new Simulation(sphereScene(5, { name: "drum" }));
		expect(() => other.resume(dealState(state, 0, 1))).toThrow(/scene: is "spheres", not drum/);
		const spoilt = { ...state, scalars: { ...state.scalars, more: 1 } };
		expect(() => new Simulation(sphereScene(5)).resume(dealState(spoilt, 0, 1))).toThrow(/more: is unknown/);
	});
});

describe("a step whose solve fails", () => {
	/** Fails so many times, with errors that fall from solve to solve unless they are given. */
	function failing(times: number, errors: readonly number[] = []): { solver: ContactSolver; starts: boolean[] } {
		const tiles = new TileSolver();
		const starts: boolean[] = [];
		const solver: ContactSolver = {
			*solve(step, options, domain) {
				const solution = yield* tiles.solve(step, options, domain);
				// The relaxed problem is no attempt: it makes a start.
				if (step.problem.laws) return solution;
				starts.push(step.start !== undefined);
				if (starts.length > times) return solution;
				const error = errors[starts.length - 1] ?? 1 / starts.length;
				return { ...solution, report: { ...solution.report, status: "stalled", error } };
			},
		};
		return { solver, starts };
	}

	it("is solved again, and told of", () => {
		const told: number[] = [];
		const { solver } = failing(1);
		const note = ({ step, report, whole }: SolveAttempt) => {
			if (report.status === "solved") return;
			told.push(step);
			expect(whole()!.problem.contacts).toBeGreaterThan(0);
		};
		const simulation = new Simulation(sphereScene(4), { solver, onSolve: note });
		const steps = Array.from({ length: 40 }, () => run(simulation, 1));
		expect(told.length).toBe(1);
		expect(steps.flatMap(({ retries }, i) => (retries > 0 ? [[i, retries]] : []))).toEqual([[told[0], 1]]);
		expect(steps.at(-1)!.failedSteps).toBe(0);
	});

	it("stops the run where no remedy helps", () => {
		const { solver } = failing(1000);
		const simulation = new Simulation(sphereScene(4), { solver });
		expect(() => run(simulation, 40)).toThrow(StepFailure);
	});

	it("is counted where the run goes on all the same", () => {
		const { solver } = failing(1000);
		const simulation = new Simulation(sphereScene(4), { solver, onFailure: "continue" });
		const { failedSteps, status } = run(simulation, 40);
		expect(status).toBe("stalled");
		expect(failedSteps).toBeGreaterThan(5);
	});

	it("goes on with its best solve, which one whose error is no number never is", () => {
		for (const errors of [
			[Number.NaN, 0.5, 0.25],
			[0.25, Number.NaN, 0.5],
			[0.5, 0.25, Number.NaN],
		]) {
			const { solver } = failing(1000, errors);
			const simulation = new Simulation(sphereScene(4), { solver, onFailure: "continue" });
			const seen = Array.from({ length: 30 }, () => run(simulation, 1)).filter(({ retries }) => retries > 0);
			expect(seen).toMatchObject([{ retries: 2, error: 0.25 }, ...seen.slice(1)]);
		}
	});
});
