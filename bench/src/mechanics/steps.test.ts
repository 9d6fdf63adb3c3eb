/** The bench of steps at a tiny size: rounds are alike, and rows say what was reached. */
import { expect, test } from "vitest";
import { drumAfter, type Start } from "./drum-states.js";
import { type MeasuredStep, measureSingles, measureSteps, stepsRow } from "./steps.js";

test("all rounds are the same steps, and each step's problem is solved by itself from zero", async () => {
	const [start] = drumAfter(30, "rigid", [200]) as [Start];
	const [once, measured] = [measureSteps(start, 4, 1), measureSteps(start, 4, 2)];
	const facts = ({ told }: MeasuredStep) => [told.step, told.contacts, told.iterations, told.kinetic];
	expect(measured.map(facts)).toEqual(once.map(facts));
	await measureSingles(start, measured, 1, 2);
	for (const { told, zero, zeroIterations, file, phases } of measured) {
		expect(told.contacts).toBeGreaterThan(0);
		expect(zeroIterations).toBeGreaterThan(0);
		for (const milliseconds of [zero, file]) expect(milliseconds).toBeGreaterThan(0);
		expect(Object.values(phases).every(Number.isFinite)).toBe(true);
	}
	expect(measured.map(({ command }) => Number.isFinite(command))).toEqual([true, false, true, false]);
});

test("what is beside the solve, and what single solves take beside a step", () => {
	const targets = { beside: 1.3, zero: 3 };
	const told = { contacts: 10, iterations: 5, retries: 0 } as MeasuredStep["told"];
	const step = (setup: number, zero: number): MeasuredStep => {
		const phases = { detect: 1, setup, solve: 4, rest: 0.25 };
		return { phases, told, zero, zeroIterations: 20, file: 2 * zero, command: Number.POSITIVE_INFINITY };
	};
	const row = (setup: number, zero: number) => {
		const steps = [step(setup, zero), { ...step(setup, zero), command: 300 }];
		return stepsRow({ bodies: 9, after: 0, steps: 2, rounds: 1, targets }, steps);
	};
	const held = { besideHeld: "yes", zeroHeld: "yes", fileHeld: "yes", commandHeld: "yes" };
	expect(row(0.75, 18)).toMatchObject({ beside: 1.25, zeroGain: 3, zeroGainWithoutDetection: 3.6, ...held });
	expect(row(1.75, 21)).toMatchObject({ beside: 1.5, zeroGain: 3, ...held, besideHeld: "NO" });
	expect(row(0.75, 9)).toMatchObject({ zeroGain: 1.5, fileGain: 3, commandGain: 50, ...held, zeroHeld: "NO" });
});
