/** The bench with a handful of particles for a moment: a case runs to its row, and none of its steps fails. */
import { expect, it } from "vitest";
import { drumCases, runDrum } from "./drum.js";

/** One of each kind of body and of each method. */
const few = drumCases.filter(({ name }) =>
	["rigid, pqn", "pseudo-rigid, gauss-seidel", "rigid, auto, natural 1e-3"].includes(name),
);

it.each(few.map((each) => [each.name, each] as const))("%s", (_, each) => {
	const row = runDrum({ ...each, options: { ...each.options, step: 4e-3 } }, 135, 12);
	expect(row).toMatchObject({ case: each.name, steps: 135, failed: 0, held: "" });
	expect(Number(row.contacts)).toBeGreaterThan(5);
	expect(Number(row.iterations)).toBeGreaterThan(0);
	const shares = [row.detect, row.setup, row.solve, row.rest].map(Number);
	expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1)).toBeLessThan(0.03);
});
