/** The scenes that the bench runs on ranks, here on one: the bits that are stored for them. */
import { makeScene } from "@stickslip/mechanics";
import { expect, it } from "vitest";
import { hashedScenes, storedHashes } from "./scene-hashes.js";
import { openScene, runSteps } from "./simulate.js";

const stored = storedHashes();

it("are stored for ten scenes at least", () => {
	expect(stored.size).toBeGreaterThanOrEqual(10);
	expect([...stored.keys()]).toEqual(hashedScenes.map(({ label }) => label));
});

it.each(hashedScenes.map((each) => [each.label, each] as const))("%s", (label, { scene, options, steps }) => {
	const simulation = openScene(makeScene(scene, options));
	runSteps(simulation, steps);
	expect(simulation.hash()).toBe(stored.get(label));
});
