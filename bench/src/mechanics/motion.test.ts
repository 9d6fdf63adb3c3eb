import { expect, it } from "vitest";
import { measureMotion } from "./motion.js";

it("tells what is held of bodies in flight", () => {
	const rows = measureMotion(10_000, 1);
	const promised = rows.filter(({ target }) => target !== "");
	expect(promised.length).toBe(7);
	// Over so few turns the mean energy is not known well enough to tell a drift.
	for (const { what, held } of promised) if (!what.includes("drift")) expect([what, held]).toEqual([what, "yes"]);
	for (const { measured } of rows) expect(measured).toBeGreaterThanOrEqual(0);
});
