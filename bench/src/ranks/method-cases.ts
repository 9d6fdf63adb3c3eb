/** Every method and every law on problems that it can take, with what one rank makes of them. */
import {
	condense,
	countsBroken,
	generate,
	generateRolling,
	InputError,
	LAWS,
	type LawName,
	methods,
	type Problem,
	type Report,
	solve,
} from "@stickslip/core";

/** A problem, how it is solved, and what one rank does; a refusal is the same on any number of ranks, too. */
export interface MethodCase {
	readonly method: string;
	readonly law: LawName;
	readonly name: string;
	readonly problem: Problem;
	readonly options: {
		readonly method: string;
		readonly maxIterations: number;
		readonly tolerance: number;
		readonly set?: { readonly operator: "matrix-free" };
	};
	readonly expected: Report | { readonly refused: string };
	/** What was counted otherwise than the method says. */
	readonly miscounted: string | undefined;
}

/** Few iterations are enough: a bit that differs stays different. */
const ITERATIONS = 12;
const TOLERANCE = 1e-10;

/** Rows of W, and bodies; small enough for methods that factor. */
const PILES = [
	{ kind: "spheres", contacts: 400 },
	{ kind: "planks", contacts: 500 },
	{ kind: "spheres", contacts: 2000 },
	{ kind: "planks", contacts: 900 },
] as const;

/** Numbers of laws that make a difference to the piles, whose reactions are 1e-4 to 5e-3. */
const NUMBERS: Partial<Record<LawName, string>> = {
	cohesive: "cohesion=1e-4",
	anisotropic: "across=0.1",
	capped: "cap=5e-4",
	preloaded: "preload=1e-4",
	rolling: "mu_r=0.05,mu_s=0.02",
	box: "low0=0,high0=1e-3,low1=-1e-4,high1=1e-4,low2=-1e-4,high2=1e-4",
};

function pileOf({ kind, contacts }: (typeof PILES)[number], law: LawName): Problem {
	const numbers = NUMBERS[law];
	const options = { contacts, seed: 3, law: numbers === undefined ? law : `${law}:${numbers}` };
	return law === "rolling" ? condense(generateRolling(kind, options)) : generate(kind, options);
}

/**
 * Every method on every pile by Coulomb's law, or without friction where it refuses that; every other law by `auto`; and every pair of method
 * and law on the first pile, rolling contacts once more without W.
 */
export function methodCases(piles: number = PILES.length, laws: readonly LawName[] = LAWS): MethodCase[] {
	const names = methods().map(({ name }) => name);
	return PILES.slice(0, piles).flatMap((pile, index) => {
		const cases: MethodCase[] = [];
		for (const law of laws) {
			const problem = pileOf(pile, law);
			for (const method of names) {
				const isRefused = cases.some((each) => each.method === method && "refused" in each.expected);
				const isAsked = index === 0 || law === "coulomb" || method === "auto" || (law === "frictionless" && isRefused);
				if (!isAsked) continue;
				cases.push(caseOf(`${pile.kind}-${pile.contacts}`, problem, method, law));
				if (law !== "rolling" || index > 0) continue;
				cases.push(
					caseOf(`${pile.kind}-${pile.contacts} by bodies`, problem, method, law, { operator: "matrix-free" }),
				);
			}
		}
		return cases;
	});
}

function caseOf(
	name: string,
	problem: Problem,
	method: string,
	law: LawName,
	set?: MethodCase["options"]["set"],
): MethodCase {
	const options = { method, maxIterations: ITERATIONS, tolerance: TOLERANCE, ...(set && { set }) };
	const common = { method, law, name, problem, options };
	try {
		const { report } = solve(problem, options);
		const counts = methods().find((each) => each.name === method)?.counts;
		// Of a solve with phases of several methods nothing is told together.
		const isOne = report.remedies.length === 0;
		return { ...common, expected: report, miscounted: counts && isOne ? countsBroken(counts, report) : undefined };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return { ...common, expected: { refused: error.message }, miscounted: undefined };
	}
}
