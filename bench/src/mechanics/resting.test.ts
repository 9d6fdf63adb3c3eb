/** Bodies that must rest stay in place, at the default tolerance and below it: short runs of the bench. */
import * as mechanics from "@stickslip/mechanics";
import { describe, expect, test } from "vitest";
import { driftOf, influenceOf, RESTING_SCENES } from "./resting.js";

/** Metres in one second: at the default tolerance, and at 1e-3. */
const DEFAULT_MAX = 5e-5;
const STRICT_MAX = 1e-6;
const UNTIL = 1;

describe.each(RESTING_SCENES.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => {
	// Shorter steps are the bench's: they move less.
	test.each(scene.steps.filter((step) => step >= 1e-3))("steps of %f s", (step) => {
		const atDefault = driftOf(mechanics, scene, step, UNTIL);
		expect(atDefault.failed).toBe(0);
		expect(atDefault.moved).toBeLessThan(DEFAULT_MAX);
		const strict = driftOf(mechanics, scene, step, UNTIL, 1e-3);
		expect(strict.moved).toBeLessThan(STRICT_MAX);
	});
});

test("heavy blocks far away hardly change a column of grains", () => {
	expect(influenceOf(mechanics, 1e-3, UNTIL, 1e-3)).toBeLessThan(5e-9);
});
