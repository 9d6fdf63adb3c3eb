/** The relaxed law with its relaxation removed is Coulomb's: the same bits as where every contact is of Coulomb's law from the start. */
import { expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { LAWS, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";

function ofLaw(problem: Problem, law: (typeof LAWS)[number]): Problem {
	const { contacts } = problem;
	const codes = new Uint8Array(contacts).fill(LAWS.indexOf(law));
	return { ...problem, laws: { law: codes, parameters: new Float64Array(PARAMETERS * contacts) } };
}

test.each(["apgd", "spg"])("%s: kept, and removed", (method) => {
	const problem = generate("planks", { contacts: 120, seed: 4 });
	const run = (given: Problem, relaxation: "keep" | "remove") =>
		solve(given, { method, tolerance: 1e-4, set: { relaxation } }).report;
	const exact = run(problem, "keep");
	const relaxed = ofLaw(problem, "relaxed");
	const removed = run(relaxed, "remove");
	expect(removed.status).toBe("solved");
	expect([removed.hash, removed.energy, removed.iterations]).toEqual([exact.hash, exact.energy, exact.iterations]);
	const kept = run(relaxed, "keep");
	expect(kept.status).toBe("solved");
	expect(kept.hash).not.toBe(exact.hash);
});
