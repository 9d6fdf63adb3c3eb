import { expect, test } from "vitest";
import { SavedRecord } from "../state/saved.js";
import { FirstSteps } from "./first-steps.js";

/** `ahead` after each of these first steps. */
function aheadOf(steps: readonly number[], hasSeries: boolean): number[] {
	const first = new FirstSteps(hasSeries);
	return steps.map((step) => {
		first.take(step * step);
		return first.ahead;
	});
}

test("steps that are alike twice in a row are a drift, whatever the size", () => {
	for (const hasSeries of [false, true]) {
		expect(aheadOf([1, 1.05, 1, 0.96, 2], hasSeries)).toEqual([0, 0, 8, 8, 0]);
		expect(aheadOf([1, 1, 0.5, 0.5, 0.5], hasSeries)).toEqual([0, 0, 0, 0, 8]);
	}
});

test("a series is followed to its end: after it nothing is left", () => {
	for (const c of [0.55, 0.7, 0.85]) {
		const [, , ahead] = aheadOf([1, c, c * c], true);
		// The rest of the series in units of the step that was taken last.
		let rest = 0;
		for (let k = 1; k < 400; k += 1) rest += c ** k;
		expect(ahead).toBeCloseTo(rest, 12);
		expect(aheadOf([1, c, c * c], false)).toEqual([0, 0, 0]);
	}
});

test("what is no series is not followed: too fast, uneven, or with a jump in it", () => {
	expect(aheadOf([1, 0.4, 0.16, 0.064], true)).toEqual([0, 0, 0, 0]);
	expect(aheadOf([1, 0.6, 0.6 * 0.75], true)).toEqual([0, 0, 0]);
	expect(aheadOf([1, 0.8, 2.4, 1.92, 1.6], true)).toEqual([0, 0, 0, 0, expect.closeTo(1.6 / 0.32)]);
});

test("gains are counted in a row, and a start forgets everything", () => {
	const first = new FirstSteps(true);
	for (const step of [1, 0.7, 0.49]) first.take(step * step);
	expect([first.gaining, first.ahead > 0]).toEqual([2, true]);
	const again = new FirstSteps(true);
	again.resume(new SavedRecord(structuredClone(first.state)));
	expect(again.state).toEqual(first.state);
	first.start();
	expect(first.state).toEqual(new FirstSteps(true).state);
});
