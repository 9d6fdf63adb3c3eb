/** Every method with every law that it takes: solved to the tolerance, as the judge sees it, who knows nothing of the solver. */
import { expect, test } from "vitest";
import { methods } from "../methods/list.js";
import type { LawName } from "../problem/laws.js";
import { judge } from "../testing/judge.js";
import { withLaws } from "../testing/laws.js";
import { BOUNDS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { solve } from "./solve.js";

const problem = randomProblem({ seed: 12, contacts: 25, density: 0.2, mu: [0.05, 0.3] });
/** Without friction, for methods that take Coulomb's law only so. */
const slippery = { ...problem, mu: new Float64Array(problem.contacts) };
/** By name, of whatever law. */
const numbers = {
	cohesion: 0.2,
	cap: 0.3,
	across: 0.1,
	axis1: 0.6,
	axis2: 0.8,
	low0: -0.1,
	high0: 0.2,
	low1: 0,
	high1: 0.1,
};
/** Two blocks make a contact of this one. */
const OF_ITS_OWN: LawName = "rolling";

const cases = methods().flatMap(({ name, laws }) =>
	laws.filter((law) => law !== OF_ITS_OWN).map((law) => [name, law] as const),
);

test.each(cases)("%s, %s", (method, law) => {
	const given = withLaws(BOUNDS.includes(method) && law === "coulomb" ? slippery : problem, (a) => ({
		...numbers,
		// Every second one keeps nothing within a limit but its first row.
		...(a % 2 === 0 && { low1: Number.NEGATIVE_INFINITY, high1: Number.POSITIVE_INFINITY }),
		law,
	}));
	const { report, reaction } = solve(given, { method, tolerance: 1e-9, maxIterations: 3000 });
	expect(report.status).toBe("solved");
	expect(judge(given, reaction).natural).toBeLessThan(1e-7);
});
