/**
 * A law of contact written once more for tests, from its set alone: how far a reaction is outside, F, points of the set, and pairs (R, U)
 * that keep the law by construction: R is chosen in K, -F in its normal cone there, and U follows from F.
 */
import type { Random } from "../base/random.js";
import type { LawName } from "../problem/laws.js";
import type { Triple } from "./judge.js";

/** What the kernels take: as many numbers as a contact has parameters. */
export type Parameters = readonly number[];

export interface LawSample<Numbers extends readonly number[] = Triple> {
	readonly name: LawName;
	/** Whether K is a cone: then R and F are at right angles. */
	readonly isCone: boolean;
	/** Whether F(U) = U: then R is the only solution of a contact with a positive definite W. */
	readonly isMonotone: boolean;
	parameters(random: Random): Parameters;
	/** How far R is outside of K, of the order of the distance; not positive inside. */
	outside(p: Parameters, r: Numbers): number;
	/** F(U) */
	force(p: Parameters, u: Numbers): Numbers;
	/** Points of K, on its boundary as well as inside. */
	point(p: Parameters, random: Random): Numbers;
	/** R and U with -F(U) in the normal cone of K at R. */
	pair(p: Parameters, random: Random): { readonly r: Numbers; readonly u: Numbers };
}

export function sign(random: Random): number {
	return random.between(-1, 1);
}

/** A number of any size that occurs. */
export function size(random: Random): number {
	return 10 ** random.between(-2, 1);
}

/** A unit vector across the normal. */
export function direction(random: Random): readonly [number, number] {
	const angle = random.between(0, 2 * Math.PI);
	return [Math.cos(angle), Math.sin(angle)];
}

export function choose<T>(random: Random, list: readonly T[]): T {
	return list[Math.floor(random.uniform() * list.length)]!;
}
