/**
 * What has to hold of any problem with laws whose solution is known (lawful-problems.ts): measures find none at the solution, methods come to
 * one, and the same problem renumbered, turned and in other units is solved as well. A seed is a problem, and a list of what did not hold.
 */
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { methods } from "../methods/list.js";
import { type LawName, lawOf } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import type { Solution } from "../solve/report.js";
import { solve } from "../solve/solve.js";
import { difference } from "./dense.js";
import { type Lawful, lawfulProblem, unlawful } from "./lawful-problems.js";
import { inUnits, permuted, withTurnedTangents } from "./transform.js";
import { unsolvableOf } from "./unsolvable-problems.js";

/** A tolerance of energy, and what is left of laws then: the largest reaction may weigh little in energy. */
const TOLERANCE = 1e-9;
const LAWFUL = 1e-6;
/** Rounding of a measure at a solution whose q = U - W R was rounded. */
const ROUNDING = 1e-12;
const ITERATIONS = 20_000;

const LAWS: readonly LawName[] = [
	"coulomb",
	"frictionless",
	"bilateral",
	"relaxed",
	"cohesive",
	"anisotropic",
	"capped",
	"box",
	"rolling",
	"preloaded",
];
/** One law each, all that are monotone, and all. */
const SETS: readonly (readonly LawName[])[] = [
	...LAWS.map((law) => [law]),
	["frictionless", "bilateral", "relaxed", "capped", "box"],
	LAWS,
];
/** Of those besides auto that take the laws, one by one. */
function otherMethod({ laws }: Problem, seed: number): string {
	const names = new Set(Array.from(laws!.law, (code) => lawOf(code)!.name));
	const able = methods().filter(
		({ name, laws: taken }) => name !== "auto" && [...names].every((law) => taken.includes(law)),
	);
	return able[new Random(seed, 3).below(able.length)]!.name;
}

/** The problem of a seed: dense or sparse, symmetric or not, masses alike or up to a million times one another, or those of a pile. */
function lawfulOf(seed: number): Lawful {
	const random = new Random(seed);
	const laws = SETS[seed % SETS.length]!;
	const kind = random.below(5);
	if (kind === 0) return lawfulProblem({ seed, contacts: 30 + random.below(30), laws, pile: "spheres" });
	return lawfulProblem({
		seed,
		contacts: 2 + random.below(20),
		laws,
		density: kind === 1 ? 0.3 : 1,
		skew: kind === 2 ? 0.05 : 0,
		spread: kind === 3 ? 1e6 : 1,
	});
}

/** What does not hold of the problem of a seed, each in words. */
export function checkLawful(seed: number): { readonly laws: readonly LawName[]; readonly faults: readonly string[] } {
	const lawful = lawfulOf(seed);
	const { problem, samples, reaction } = lawful;
	const faults: string[] = [];
	const fault = (text: string): void => void faults.push(`seed ${seed}, ${problem.name}: ${text}`);
	checkSolution(problem, reaction, "", fault);
	const plain = solve(problem, { tolerance: TOLERANCE, maxIterations: ITERATIONS });
	const isSolved = plain.report.status === "solved";
	if (!isSolved) fault(`auto: ${plain.report.status}, energy ${plain.report.energy}`);
	const left = unlawful(lawful, plain.reaction);
	if (isSolved && !(left <= LAWFUL)) fault(`auto: solved, but laws are broken by ${left}`);
	// A positive definite W and laws with F = U have one solution.
	const isUnique = problem.rigid === undefined && samples.every(({ sample }) => sample.isMonotone);
	const off = difference(plain.reaction, reaction);
	if (isSolved && isUnique && !(off <= 1e-3)) fault(`auto: another solution, off by ${off}`);
	checkOther(problem, otherMethod(problem, seed), fault);
	checkSeenOtherwise(lawful, seed, fault);
	return { laws: lawful.laws, faults };
}

/** What does not hold of how solves end where there is no solution, or hardly one. */
export function checkUnsolvable(seed: number): string[] {
	const { problem, isSolvable } = unsolvableOf(seed);
	const faults: string[] = [];
	for (const method of ["auto", otherMethod(problem, seed)]) {
		const fault = (text: string): void => void faults.push(`seed ${seed}, ${problem.name}: ${text}`);
		const solution = solveOr(problem, method, 300);
		if (solution === undefined) continue;
		checkEnd(solution, method, fault);
		if (!isSolvable && solution.report.status === "solved") fault(`${method}: solved, but there is no solution`);
	}
	return faults;
}

type Fault = (text: string) => void;

function checkSolution(problem: Problem, reaction: Float64Array, how: string, fault: Fault): void {
	const { report } = solve(problem, { method: "jacobi", start: reaction, maxIterations: 0 });
	const { energy, natural, merit } = report;
	const most = Math.max(energy, natural, Math.sqrt(merit));
	if (!(most <= ROUNDING)) fault(`${how}energy ${energy}, natural ${natural}, merit ${merit} at the solution`);
}

/** A method may not come to an end, but says so with numbers, or refuses the problem before it starts. */
function checkOther(problem: Problem, method: string, fault: Fault): void {
	const solution = solveOr(problem, method, 500);
	if (solution === undefined) return;
	checkEnd(solution, method, fault);
	const { status, energy } = solution.report;
	if (status === "solved" && !(energy <= TOLERANCE)) fault(`${method}: solved with energy ${energy}`);
	const { energy: before } = solve(problem, { method: "jacobi", maxIterations: 0 }).report;
	// A method that does not begin at zero may end beside it.
	if (!(energy <= Math.max(TOLERANCE, before * (1 + ROUNDING))))
		fault(`${method}: energy ${energy} of the best iterate, ${before} of the start`);
}

/** Undefined where the method does not take the problem. */
function solveOr(problem: Problem, method: string, maxIterations: number): Solution | undefined {
	try {
		return solve(problem, { method, tolerance: TOLERANCE, maxIterations });
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

/** Whatever happens, an end is a status with the best iterate in numbers. */
function checkEnd({ reaction, velocity, report }: Solution, method: string, fault: Fault): void {
	const numbers = [...reaction, ...velocity, report.energy, report.natural, report.merit];
	if (!numbers.every(Number.isFinite)) fault(`${method}: ${report.status} with numbers that are not finite`);
}

function checkSeenOtherwise({ problem, reaction }: Lawful, seed: number, fault: Fault): void {
	const { problem: renumbered, order } = permuted(problem, seed);
	const moved = Float64Array.from(reaction, (_, i) => reaction[3 * order[Math.floor(i / 3)]! + (i % 3)]!);
	const seen: [string, Problem, Float64Array][] = [["renumbered: ", renumbered, moved]];
	for (const [a, b] of [
		[1e9, 1],
		[1e-9, 1],
		[1, 1e9],
		[1, 1e-9],
	] as const) {
		const share = reaction.map((value) => (b / a) * value);
		seen.push([`W times ${a}, q times ${b}: `, inUnits(problem, a, b), share]);
	}
	// Limits of rows along T1 and T2 do not turn.
	if (!problem.name.includes("box")) {
		const { problem: turned, turn } = withTurnedTangents(problem, seed);
		seen.push(["turned: ", turned, turn(reaction)]);
	}
	for (const [how, other, answer] of seen) {
		const { energy } = solve(other, { method: "jacobi", start: answer, maxIterations: 0 }).report;
		if (!(energy <= ROUNDING)) fault(`${how}energy ${energy} at the solution`);
	}
	const [how, other] = seen[seed % seen.length]!;
	const { report } = solve(other, { tolerance: TOLERANCE, maxIterations: ITERATIONS });
	if (report.status !== "solved") fault(`${how}auto: ${report.status}, energy ${report.energy}`);
}
