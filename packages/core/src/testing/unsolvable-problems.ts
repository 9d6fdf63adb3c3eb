/** Problems with laws that have no solution, or hardly one: a solve has to end as a status with the best iterate in numbers. */
import { Random } from "../base/random.js";
import { type LawName, lawCode, lawOf, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import { blocksOf } from "./dense.js";
import { lawfulProblem } from "./lawful-problems.js";

export interface Unsolvable {
	readonly problem: Problem;
	readonly isSolvable: boolean;
}

/** A law for each of two contacts at one place that push against each other, or hold what has two velocities: W (1, -1; -1, 1), q < 0 for both. */
function wedged(law: LawName, numbers: readonly number[], random: Random): Unsolvable {
	const mass = 10 ** random.between(-3, 3);
	const dense = new Float64Array(36);
	for (let i = 0; i < 3; i += 1) {
		for (const [row, column, sign] of [
			[i, i, 1],
			[3 + i, 3 + i, 1],
			[i, 3 + i, i === 0 ? -1 : 0.5],
			[3 + i, i, i === 0 ? -1 : 0.5],
		] as const)
			dense[6 * row + column] = sign / mass;
	}
	const parameters = new Float64Array(2 * PARAMETERS);
	for (const a of [0, 1]) parameters.set(numbers, PARAMETERS * a);
	return {
		problem: {
			name: `wedged by two contacts, ${law}`,
			contacts: 2,
			q: Float64Array.of(-random.between(0.1, 1), 0.1, 0, -random.between(0.1, 1), 0, 0.2),
			mu: Float64Array.of(0.5, 0.5),
			laws: { law: new Uint8Array(2).fill(lawCode(law)), parameters },
			W: blocksOf(dense, 2),
		},
		isSolvable: false,
	};
}

/** A problem that has a solution, with numbers that hardly any has. */
function extreme(seed: number, law: LawName, random: Random): Unsolvable {
	const { problem } = lawfulProblem({ seed, contacts: 5, laws: [law] });
	const sizes = [0, 1e-300, 1e-12, 1e12, 1e100];
	const parameters = problem.laws!.parameters.map((value, k) => {
		const doc = lawOf(lawCode(law))!.doc.parameters[(k % PARAMETERS) - 1];
		if (doc === undefined || doc.name.startsWith("axis") || random.uniform() < 0.5) return value;
		// Squares of friction take part in sums of all contacts: beyond its square root numbers overflow.
		return Math.sign(value || 1) * sizes[random.below(doc.kind === "reaction" ? 5 : 4)]!;
	});
	// Limits that have changed places are put in order.
	for (let k = 0; law === "box" && k < 15; k += 1) {
		const [low, high] = [PARAMETERS * Math.floor(k / 3) + 1 + (k % 3), PARAMETERS * Math.floor(k / 3) + 4 + (k % 3)];
		const [one, other] = [parameters[low]!, parameters[high]!];
		parameters[low] = Math.min(one, other);
		parameters[high] = Math.max(one, other);
	}
	const mu = problem.mu.map((value) => (random.uniform() < 0.3 ? sizes[random.below(4)]! : value));
	const q = random.uniform() < 0.3 ? new Float64Array(problem.q.length) : problem.q;
	const name = `extreme numbers, ${law}, seed ${seed}`;
	return { problem: { ...problem, name, q, mu, laws: { law: problem.laws!.law, parameters } }, isSolvable: true };
}

const WEDGES: readonly (readonly [LawName, readonly number[]])[] = [
	["coulomb", []],
	["frictionless", []],
	["bilateral", []],
	["relaxed", []],
	["cohesive", [0, 0.1]],
	["anisotropic", [0, 0.2, 1, 0]],
	["box", [0, 0, -1, -1, Number.POSITIVE_INFINITY, 1, 1]],
];
const EXTREMES: readonly LawName[] = ["relaxed", "cohesive", "anisotropic", "capped", "box", "rolling", "preloaded"];

export function unsolvableOf(seed: number): Unsolvable {
	const random = new Random(seed);
	const [law, numbers] = WEDGES[seed % WEDGES.length]!;
	if (seed % 2 === 0) return wedged(law, numbers, random);
	return extreme(seed, EXTREMES[Math.floor(seed / 2) % EXTREMES.length]!, random);
}
