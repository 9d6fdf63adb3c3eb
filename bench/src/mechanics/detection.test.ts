/** The bench of detection at a tiny size: beds touch, and phases have times that add up. */
import { expect, test } from "vitest";
import { BEDS } from "./beds.js";
import { bedCase, detectionRow, drumCase } from "./detection.js";
import { drumAfter, filledDrumState } from "./drum-states.js";

test.each(BEDS)("%s", (bed) => {
	const { contacts, bodies, runs, detect, setup, rest, beside, solve, iterations, worth } = detectionRow(
		bedCase(bed, 60),
		0.01,
	);
	expect(runs).toBe(3);
	expect(bodies).toBeGreaterThan(20);
	expect(contacts).toBeGreaterThan(bodies);
	for (const time of [detect, setup, rest, solve, iterations, worth]) expect(time).toBeGreaterThan(0);
	expect(beside).toBeGreaterThan(0.999 * (detect + setup + rest));
});

test("drums go on from where they stand", () => {
	const starts = [...drumAfter(20, "pseudo-rigid", [300, 320]), filledDrumState(60)];
	const { contacts, runs, beside, solve, ratio } = detectionRow(drumCase("drum", starts, 3), 0.01);
	expect(runs).toBe(3);
	expect(contacts).toBeGreaterThan(20);
	expect(ratio).toBeCloseTo(beside / solve, 12);
});
