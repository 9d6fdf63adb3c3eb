/**
 * Rolling contacts in the arrays of a problem: two adjacent blocks of three each, the force (N, T1, T2) and the moment (spin about N, rolling about T1
 * and T2), both with the law `rolling`. In a run of such blocks every second one is the moment of the one before. Friction mu and the parameters
 * stand with the force.
 */
import { type ContactLaws, lawCode, PARAMETERS } from "./laws.js";
import type { Problem } from "./problem.js";

export const ROLLING = lawCode("rolling");

/** Where the parameters of a rolling contact stand: mu_r and mu_s, lengths. */
export const ROLLING_FRICTION = 1;
export const SPIN_FRICTION = 2;

/** By block, 1 where it is the moment of the one before; undefined where nothing rolls. */
export function momentBlocks({ law }: ContactLaws): Uint8Array | undefined {
	if (!law.includes(ROLLING)) return undefined;
	const isMoment = new Uint8Array(law.length);
	for (let a = 1; a < law.length; a += 1) {
		if (law[a] === ROLLING && law[a - 1] === ROLLING && isMoment[a - 1] === 0) isMoment[a] = 1;
	}
	return isMoment;
}

/** The problem with what its laws say of its bodies: which of their blocks are moments. */
export function withMoments<Given extends Pick<Problem, "rigid" | "laws">>(problem: Given): Given {
	const { rigid, laws } = problem;
	if (rigid === undefined || laws === undefined || rigid.moment !== undefined) return problem;
	const moment = momentBlocks(laws);
	return moment === undefined ? problem : { ...problem, rigid: { ...rigid, moment } };
}

/**
 * Of blocks whose frames and levers (nine numbers of a block, 18 of both its sides) have been written: what moments push nothing with, and what they turn with
 * whatever their arms are.
 */
export function turnMoments(moment: Uint8Array | undefined, frame: Float64Array, lever: Float64Array): void {
	if (moment === undefined) return;
	for (let a = 0; a < moment.length; a += 1) {
		if (moment[a] === 0) continue;
		for (let k = 0; k < 9; k += 1) lever[18 * a + k] = lever[18 * a + 9 + k] = frame[9 * a + k]!;
		frame.fill(0, 9 * a, 9 * a + 9);
	}
}

/** Contacts as people count them: a rolling one once. */
export function countContacts({ contacts, laws }: Pick<Problem, "contacts" | "laws">): number {
	if (laws === undefined) return contacts;
	let rolling = 0;
	for (const law of laws.law) if (law === ROLLING) rolling += 1;
	return contacts - rolling / 2;
}

/** All contacts rolling: of each its rolling friction and its spinning friction, 0 where there is none. */
export function rollingLaws(muRolling: Float64Array, muSpinning?: Float64Array): ContactLaws {
	const parameters = new Float64Array(2 * PARAMETERS * muRolling.length);
	for (let k = 0; k < muRolling.length; k += 1) {
		parameters[2 * PARAMETERS * k + ROLLING_FRICTION] = muRolling[k]!;
		parameters[2 * PARAMETERS * k + SPIN_FRICTION] = muSpinning?.[k] ?? 0;
	}
	return { law: new Uint8Array(2 * muRolling.length).fill(ROLLING), parameters };
}

/** `width` numbers per contact as numbers per block: those of both blocks of a contact alike. */
export function forBothBlocks<Numbers extends Float64Array | Int32Array>(values: Numbers, width: number): Numbers {
	const both = values.constructor as new (length: number) => Numbers;
	const into = new both(2 * values.length);
	for (let k = 0; k < values.length / width; k += 1) {
		for (let i = 0; i < width; i += 1)
			into[2 * width * k + i] = into[2 * width * k + width + i] = values[width * k + i]!;
	}
	return into;
}

/** The same of the first block of each contact alone. */
export function forFirstBlocks<Numbers extends Float64Array | Int32Array>(values: Numbers, width: number): Numbers {
	const half = values.constructor as new (length: number) => Numbers;
	const into = new half(values.length / 2);
	for (let k = 0; k < into.length / width; k += 1) {
		for (let i = 0; i < width; i += 1) into[width * k + i] = values[2 * width * k + i]!;
	}
	return into;
}

/** Where each of a file's five numbers stands among the six. */
const SIX_OF_FIVE = [0, 1, 2, 4, 5] as const;

/** Five numbers per contact (force, rolling moment) as six: no spin. */
export function sixOfFive(values: Float64Array): Float64Array {
	const six = new Float64Array((values.length / 5) * 6);
	for (let k = 0; k < values.length; k += 1) six[sixthColumn(k)] = values[k]!;
	return six;
}

/** The inverse: the spin is left out. */
export function fiveOfSix(values: Float64Array): Float64Array {
	const five = new Float64Array((values.length / 6) * 5);
	for (let k = 0; k < five.length; k += 1) five[k] = values[sixthColumn(k)]!;
	return five;
}

/** Where number k of five per contact stands among six. */
export function sixthColumn(k: number): number {
	const contact = Math.floor(k / 5);
	return 6 * contact + SIX_OF_FIVE[k - 5 * contact]!;
}
