/** The bench of steps at a tiny size: turns follow one another as one run does, and rows say what was reached. */
import { expect, test } from "vitest";
import { drumAfter } from "./drum-states.js";
import { type MeasuredStep, measureTurn, stepsRow } from "./steps.js";

test("two turns are the steps of one, with a solve from zero of each problem", () => {
	const [{ setup, state }] = drumAfter(30, "rigid", [200]) as [ReturnType<typeof drumAfter>[0]];
	const whole = measureTurn(setup, state, 4, 2).steps;
	const first = measureTurn(setup, state, 2, 1);
	const second = measureTurn(setup, first.state, 2, 1);
	const facts = ({ told, zeroIterations }: MeasuredStep) => [told.step, told.contacts, told.iterations, zeroIterations];
	expect([...first.steps, ...second.steps].map(facts)).toEqual(whole.map(facts));
	for (const { told, zero, zeroIterations, phases } of whole) {
		expect(told.contacts).toBeGreaterThan(0);
		expect(zeroIterations).toBeGreaterThan(0);
		expect(zero).toBeGreaterThan(0);
		for (const milliseconds of Object.values(phases)) expect(milliseconds).toBeLessThan(1000);
	}
});

test("what is beside the solve and what a start is worth", () => {
	const targets = { beside: 1.3, zero: 3 };
	const told = { contacts: 10, iterations: 5, retries: 0 } as MeasuredStep["told"];
	const step = (setup: number, zero: number): MeasuredStep => {
		return { phases: { detect: 1, setup, solve: 4, rest: 0.25 }, told, zero, zeroIterations: 20 };
	};
	const row = (setup: number, zero: number) => stepsRow({ bodies: 9, after: 0, targets }, 1, [step(setup, zero)]);
	expect(row(0.75, 18)).toMatchObject({ beside: 1.25, gain: 3, gainWithoutDetection: 3.6, held: "yes" });
	expect(row(1.75, 21)).toMatchObject({ beside: 1.5, gain: 3, held: "NO" });
	expect(row(0.75, 9)).toMatchObject({ beside: 1.25, gain: 1.5, held: "NO" });
});
