/**
 * `/fclib_global_rolling`: five numbers per contact, the force and the rolling moment. A problem has six in two blocks (problem/rolling.ts), so a spin
 * is added to what is read, and what is written leaves it out: exactly so where no spin is resisted.
 */
import { withoutSpins, withSpins } from "../problem/added-spins.js";
import { PARAMETERS } from "../problem/laws.js";
import type { Geometry, GlobalForm, Guess, Problem } from "../problem/problem.js";
import {
	fiveOfSix,
	forBothBlocks,
	forFirstBlocks,
	ROLLING,
	ROLLING_FRICTION,
	rollingLaws,
	SPIN_FRICTION,
	sixOfFive,
} from "../problem/rolling.js";
import type { FclibFile } from "./fclib-file.js";
import { readPoints } from "./geometry.js";
import type { FclibSolution } from "./types.js";

interface Friction {
	readonly mu: Float64Array;
	readonly muRolling: Float64Array;
}

/** What follows from the datasets, but for q. */
export function rollingParts(
	file: FclibFile,
	given: GlobalForm,
	{ mu, muRolling }: Friction,
	place: string,
): Pick<Problem, "contacts" | "mu" | "laws" | "geometry"> & { readonly global: GlobalForm } {
	const { contacts, hdf5, group, name } = file;
	const wrong = muRolling.findIndex((value) => !(value >= 0));
	if (wrong >= 0) {
		hdf5.fail(`${group}/vectors/mu_r[${wrong}]`, `is ${muRolling[wrong]}`, "give lengths that are not negative");
	}
	const friction = new Float64Array(2 * contacts);
	for (let k = 0; k < contacts; k += 1) friction[2 * k] = mu[k]!;
	const { point, body } = readPoints(file);
	const geometry: Geometry = {
		...(point && { point: forBothBlocks(point, 3) }),
		...(body && { body: forBothBlocks(body, 2) }),
	};
	return {
		contacts: 2 * contacts,
		mu: friction,
		laws: rollingLaws(muRolling),
		global: withSpins(given, name, place),
		...((point ?? body) && { geometry }),
	};
}

/** A guess of a file, with the velocities of added spins zero. */
export function sixOfGuess({ r, u, v, l }: Guess, contacts: number): Guess {
	const velocity = v && new Float64Array(v.length + contacts);
	velocity?.set(v!);
	return { r: sixOfFive(r), ...(u && { u: sixOfFive(u) }), ...(velocity && { v: velocity }), ...(l && { l }) };
}

/** Whether the problem is one that the five numbers hold: all contacts roll, and no spin is resisted. */
export function isRollingFile({ laws, global }: Problem): boolean {
	if (laws === undefined || global === undefined || laws.law.some((law) => law !== ROLLING)) return false;
	for (let k = SPIN_FRICTION; k < laws.parameters.length; k += 2 * PARAMETERS)
		if (laws.parameters[k] !== 0) return false;
	return true;
}

/** The datasets of such a problem. */
export function rollingDatasets({ global, mu, laws, geometry }: Problem): Friction & {
	readonly global: GlobalForm;
	readonly geometry: Geometry;
} {
	const { point, body } = geometry ?? {};
	return {
		global: withoutSpins(global!),
		mu: forFirstBlocks(mu, 1),
		muRolling: Float64Array.from(
			{ length: mu.length / 2 },
			(_, k) => laws!.parameters[2 * PARAMETERS * k + ROLLING_FRICTION]!,
		),
		geometry: { ...(point && { point: forFirstBlocks(point, 3) }), ...(body && { body: forFirstBlocks(body, 2) }) },
	};
}

/** A solution as such a file has it. */
export function fiveOfSolution({ u, r, v, l }: FclibSolution, { addedFreedoms = 0 }: GlobalForm): FclibSolution {
	return {
		u: fiveOfSix(u),
		r: fiveOfSix(r),
		...(v && { v: v.slice(0, v.length - addedFreedoms) }),
		...(l && { l }),
	};
}
