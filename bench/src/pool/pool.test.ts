/** The bench of the pool at a tiny size: answers are compared, and all that is measured is a number. */
import { expect, test } from "vitest";
import { poolRun } from "./pool.js";
import { problemsOf } from "./problems.js";

test("a few problems on two ranks", async () => {
	expect(problemsOf("spheres", 60)).toHaveLength(60);
	const { problems, one, two, pool, speedups, overhead } = await poolRun("spheres", "threads", 8, 2);
	expect(problems).toBe(8);
	expect(Math.min(one, two, pool, ...speedups)).toBeGreaterThan(0);
	expect(speedups[0]).toBeLessThanOrEqual(speedups[2]);
	expect(Number.isFinite(overhead)).toBe(true);
});
