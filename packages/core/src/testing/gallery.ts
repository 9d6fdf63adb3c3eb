/** The gallery that tests go through: a small problem of every kind that a solver must take. */
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import { blockOnSlope, slope, stack } from "./closed-forms.js";
import { randomProblem, twice } from "./random-problems.js";

/** A generated pile with W as well as bodies, so that a test can judge it. */
export function pile(name: string, contacts: number, seed = 1): Problem {
	const made = generate(name, { contacts, seed });
	return { ...made, W: assembleRigid(made.rigid) };
}

export const gallery: readonly Problem[] = [
	slope(0.3, 0.5).problem,
	slope(0.6, 0.5).problem,
	slope(0.2, 0).problem,
	blockOnSlope(0.2, 0.4).problem,
	blockOnSlope(0.5, 0.4).problem,
	stack([1, 2, 3, 4, 5]).problem,
	randomProblem({ seed: 1, contacts: 12 }),
	{ ...randomProblem({ seed: 2, contacts: 30, density: 0.2, spread: 1e4 }), name: "sparse, badly scaled" },
	{ ...randomProblem({ seed: 3, contacts: 9, skew: 0.1 }), name: "unsymmetric" },
	{ ...randomProblem({ seed: 4, contacts: 10, mu: 0 }), name: "without friction" },
	{ ...randomProblem({ seed: 5, contacts: 8, mu: [1, 1.5] }), name: "mu above one" },
	{ ...randomProblem({ seed: 6, contacts: 11, equalityRows: 5 }), name: "with equality rows" },
	twice(randomProblem({ seed: 7, contacts: 7 })),
	{ ...randomProblem({ seed: 8, contacts: 5 }), q: new Float64Array(15), name: "nothing moves" },
	pile("spheres", 100),
];
