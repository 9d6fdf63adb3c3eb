/**
 * What a diagonal block of W may be: W_aa is the inertia that a contact feels, so its symmetric part is positive definite, or
 * semi-definite where a direction is blocked altogether. A zero block (nothing moves) and an indefinite one (pushing pulls)
 * belong to no mechanical system, and every method divides by what they lack.
 */

import { InputError } from "../base/errors.js";

export type DiagonalKind = "definite" | "singular" | "zero" | "indefinite";

/** Part of the largest diagonal entry below which a pivot counts as zero: rounding in how W was made. */
const ZERO_PIVOT = 1e-12;
/** Part below which a negative pivot is more than rounding. */
const NEGATIVE_PIVOT = 1e-8;

/** Where no pivot is below this, in whatever order, none is anywhere near zero: the least eigenvalue is a ninth of their product or more. */
const CLEAR_PIVOT = 1e-3;

const s = new Float64Array(9);

/** Whether elimination in the order given leaves no doubt that the block is definite, whatever its units: so it is for nearly all of them. */
function isClear(blocks: Float64Array, at: number): boolean {
	const xx = blocks[at]!;
	const yy = blocks[at + 4]!;
	const zz = blocks[at + 8]!;
	const xy = (blocks[at + 1]! + blocks[at + 3]!) / 2;
	const xz = (blocks[at + 2]! + blocks[at + 6]!) / 2;
	const yz = (blocks[at + 5]! + blocks[at + 7]!) / 2;
	if (!(xx > 0)) return false;
	const second = yy - (xy / xx) * xy;
	if (!(second > 0)) return false;
	const mixed = yz - (xy / xx) * xz;
	const third = zz - (xz / xx) * xz - (mixed / second) * mixed;
	// What entries have to be below; one that is not a number is not, and with pivots above zero yy and zz are too.
	const most = Math.min(xx, second, third) / CLEAR_PIVOT;
	return (
		xx < most &&
		yy < most &&
		zz < most &&
		Math.abs(blocks[at + 1]!) < most &&
		Math.abs(blocks[at + 2]!) < most &&
		Math.abs(blocks[at + 3]!) < most &&
		Math.abs(blocks[at + 5]!) < most &&
		Math.abs(blocks[at + 6]!) < most &&
		Math.abs(blocks[at + 7]!) < most
	);
}

/** Classifies the nine values at `at` by elimination with the largest diagonal entry as pivot, which is stable where nothing is negative. */
export function classify(blocks: Float64Array, at: number): DiagonalKind {
	if (isClear(blocks, at)) return "definite";
	let largest = 0;
	for (let i = 0; i < 3; i += 1) {
		for (let j = 0; j < 3; j += 1) {
			s[3 * i + j] = (blocks[at + 3 * i + j]! + blocks[at + 3 * j + i]!) / 2;
			largest = Math.max(largest, Math.abs(blocks[at + 3 * i + j]!));
		}
	}
	if (largest === 0) return "zero";
	for (let i = 0; i < 9; i += 1) s[i]! /= largest;
	const left = [0, 1, 2];
	let kind: DiagonalKind = "definite";
	while (left.length > 0) {
		const p = left.reduce((best, i) => (s[4 * i]! > s[4 * best]! ? i : best));
		if (left.some((i) => s[4 * i]! < -NEGATIVE_PIVOT)) return "indefinite";
		left.splice(left.indexOf(p), 1);
		if (s[4 * p]! <= ZERO_PIVOT) {
			// The rest has a zero diagonal: it is zero, or it is indefinite.
			const off = [...left, p].some((i) => left.some((j) => i !== j && Math.abs(s[3 * i + j]!) > NEGATIVE_PIVOT));
			return off ? "indefinite" : "singular";
		}
		for (const i of left) {
			const factor = s[3 * i + p]! / s[4 * p]!;
			for (const j of left) s[3 * i + j]! -= factor * s[3 * p + j]!;
		}
		if (left.some((i) => s[4 * i]! <= ZERO_PIVOT)) kind = "singular";
	}
	return kind;
}

/** What to do about an indefinite block of a W that was given. */
export const SIGNS_REMEDY = "check signs and order (N, T1, T2) of W";

/**
 * Diagonal blocks, nine values each: throws for a zero or indefinite one, returns which are singular. `remedy` is for an indefinite block,
 * and `ids` are the contacts that the blocks are of, where they are not those of all contacts in turn.
 */
export function checkDiagonal(
	diagonal: Float64Array,
	source: string,
	place: string,
	remedy: string,
	ids?: Int32Array,
): number[] {
	const singular: number[] = [];
	for (let block = 0; 9 * block < diagonal.length; block += 1) {
		const kind = classify(diagonal, 9 * block);
		if (kind === "singular") singular.push(block);
		if (kind !== "zero" && kind !== "indefinite") continue;
		const contact = ids?.[block] ?? block;
		const rows = `diagonal block ${contact} (rows ${3 * contact} to ${3 * contact + 2})`;
		const help = kind === "zero" ? "leave contacts out where nothing can move" : remedy;
		throw new InputError(source, `${place}, ${rows}`, `is ${kind}`, help);
	}
	return singular;
}
