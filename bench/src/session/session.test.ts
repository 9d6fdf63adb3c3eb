/** The bench of sessions at a tiny size: answers are compared, and what is beyond the iterations is a part of the whole. */
import { openSession, type Session } from "@stickslip/core";
import { expect, test } from "vitest";
import { beyondIterations } from "./beyond.js";

test("each solve takes some time beyond its iterations", async () => {
	const session = await openSession();
	const { contacts, solves, least, median, ninety, iterations } = await beyondIterations(session, 40, 0.02);
	expect(contacts).toBeGreaterThanOrEqual(40);
	expect(solves).toBeGreaterThanOrEqual(8);
	expect(iterations).toBeGreaterThan(0);
	expect([0, least, median, ninety].every((time, i, all) => i === 0 || time >= all[i - 1]!)).toBe(true);
	await session.close();
});

test("an answer that is not that of solve is an error", async () => {
	const session = await openSession();
	const wrong: Session = {
		ranks: 1,
		failure: undefined,
		prepare: (problem, options) => session.prepare(problem, { ...options, tolerance: 1e-9 }),
		solve: (problem, options) => session.solve(problem, options),
		close: () => session.close(),
	};
	await expect(beyondIterations(wrong, 40, 0.02)).rejects.toThrow(/another answer/);
	await wrong.close();
});
