/**
 * Whole solves in memory, from what is given to the answer: the first of a process, the ones after it, which run what is not compiled yet, and those of a process that is warm. W is given, as in
 * files, and the tolerance is natural 1e-4.
 */
import { type Problem, solve } from "@stickslip/core";
import { readFile } from "../data.js";
import { problemOf } from "./phases.js";

/** Files by folder and name, and piles of so many contacts. */
export const EARLY_PROBLEMS = [
	"fclib/NESpheres_30_1",
	"fclib/Box_Stacks-i0122-82-5_condensed",
	"fclib/Confeti-ex13-Fc3D-SBM",
	"drum/drum_N100_RG_t0.350_drop",
	"fclib/Capsules-i100-1090",
	"drum/drum_N100_PR_t1.250_rot",
	"drum/drum_N100_RG_t1.100_drop",
	"cubes/cubes_M5_N2_RG_t0.650",
	"drum/drum_N1000_RG_t0.367_drop_hard",
	"drum/drum_N1000_RG_t0.600_drop",
	"300",
	"3000",
] as const;

/** Solves after the first that are not warm. */
const EARLY_SOLVES = 5;

/** Microseconds. */
export interface EarlyTimes {
	readonly contacts: number;
	readonly iterations: number;
	readonly cold: number;
	/** The least of the second to the sixth solve. */
	readonly early: number;
	readonly warm: number;
	/** Of these, iterations. */
	readonly warmIterating: number;
}

/** Of a file, or of a pile of so many contacts. */
export async function earlyTimes(source: string, seconds: number): Promise<EarlyTimes> {
	const isPile = /^[0-9]+$/.test(source);
	return timesOfSolves(isPile ? problemOf("W given", Number(source)) : await withW(source), seconds);
}

/** Without bodies, if it has them: what is measured is of W. */
async function withW(path: string): Promise<Problem> {
	const { name, contacts, q, mu, W } = await readFile(path);
	return { name, contacts, q, mu, ...(W && { W }) };
}

export function timesOfSolves(problem: Problem, seconds: number): EarlyTimes {
	const once = () => {
		const started = performance.now();
		const { report } = solve(problem, { measure: "natural", tolerance: 1e-4 });
		return { whole: 1000 * (performance.now() - started), report };
	};
	const first = once();
	let early = Number.POSITIVE_INFINITY;
	for (let i = 0; i < EARLY_SOLVES; i += 1) early = Math.min(early, once().whole);
	let [warm, warmIterating] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const until = performance.now() + 1000 * seconds;
	do {
		const { whole, report } = once();
		warm = Math.min(warm, whole);
		warmIterating = Math.min(warmIterating, 1e6 * report.seconds);
	} while (performance.now() < until);
	const { contacts, iterations } = first.report;
	return { contacts, iterations, cold: first.whole, early, warm, warmIterating };
}
