/** The bench of starts at a tiny size. */
import { makeScene } from "@stickslip/mechanics";
import { expect, test } from "vitest";
import { startsRow, warmProblems } from "./starts.js";

test("problems of steps with their starts, and what each rule makes of them", () => {
	const scene = () => makeScene("spheres", { bodies: 40 });
	const found = warmProblems({ scene, from: 150, to: 190, every: 5 });
	expect(found.length).toBeGreaterThan(3);
	for (const { problem, start } of found) expect(start).toHaveLength(3 * problem.contacts);
	const { zero, always, worseThanZero, half, better } = startsRow("spheres", 1e-4, found) as Record<string, number>;
	for (const mean of [always, worseThanZero, half, zero]) expect(mean).toBeGreaterThanOrEqual(better!);
	expect(always).toBeLessThan(zero!);
});
