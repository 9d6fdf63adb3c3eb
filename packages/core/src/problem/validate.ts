/**
 * The border check of a problem, wherever it came from: sizes that agree, indices in range, finite numbers, friction that is
 * not negative, diagonal blocks that a mechanical system can have. What passes here is never checked again.
 */
import { InputError } from "../base/errors.js";
import { shown } from "../base/shown.js";
import { type AlreadyChecked, areFinite, Check, type PlaceOf } from "./check.js";
import { checkLaws } from "./check-laws.js";
import { checkDiagonal, SIGNS_REMEDY } from "./diagonal.js";
import { blocksAt } from "./diagonal-blocks.js";
import type { Equalities, Problem, RigidContacts } from "./problem.js";
import { momentBlocks } from "./rolling.js";
import { isUnread } from "./unread-matrix.js";

export interface Checked {
	/** Contacts whose diagonal block is singular: allowed, and worth a word in a report. */
	readonly singular: readonly number[];
	/** Nine values per block of a W that was given; none where its values were left unread. */
	readonly diagonal?: Float64Array;
	readonly isUnread?: boolean;
}

/** Throws InputError, naming the place and the remedy, for the first thing that is wrong. */
export function validateProblem(
	problem: Problem,
	placeOf: PlaceOf = (field) => field,
	known: AlreadyChecked = {},
): Checked {
	if (problem === null || typeof problem !== "object") {
		throw new InputError("problem", "problem", `is ${String(problem)}`, "give an object with contacts, W, q and mu");
	}
	const name = nameOf(problem);
	const check = new Check(name, placeOf, known);
	const { contacts, W, rigid, global, equalities } = problem;
	if (!(Number.isInteger(contacts) && contacts >= 0))
		check.fail("contacts", `is ${shown(contacts)}`, "give a whole number");
	if (contacts === 0) check.fail("contacts", "there are none", "nothing touches, so there is nothing to solve");
	if (known.kernelChecks) {
		check.room("q", problem.q, 3 * contacts);
		check.room("mu", problem.mu, contacts);
	} else {
		check.reals("q", problem.q, 3 * contacts);
		check.friction("mu", problem.mu, contacts);
	}
	if (problem.laws !== undefined) checkLaws(check, problem.laws, contacts);
	if (W === undefined && rigid === undefined && global === undefined) {
		check.fail("W", "is missing", "give W, or rigid bodies, or the global form");
	}
	const isLeft = known.readersCheckBlocks === true && isUnread(W);
	if (known.kernelChecks && W !== undefined) check.blockRoom("W", W, contacts);
	const isLooked = W !== undefined && !isLeft && known.kernelChecks !== true;
	const places = isLooked ? check.blocks("W", W, contacts) : undefined;
	if (rigid !== undefined) check.rigid(rigid, contacts);
	if (rigid !== undefined && problem.laws !== undefined) checkMoments(check, rigid, problem);
	const rows = equalities === undefined ? 0 : countOf(check, equalities);
	if (global !== undefined) check.global(global, contacts, rows);
	if (equalities !== undefined) {
		check.csr("equalities.V", equalities.V, 3 * contacts, rows);
		check.csr("equalities.R", equalities.R, rows, rows);
		check.reals("equalities.s", equalities.s, rows);
		check.resisted("equalities.R", equalities.R);
	}
	checkGeometry(check, problem);
	checkGuesses(check, problem, rows);
	if (isLeft) return { singular: [], diagonal: new Float64Array(0), isUnread: true };
	if (W === undefined || places === undefined) return { singular: [] };
	const diagonal = blocksAt(W.values, places, known.pattern?.blocks);
	// Of a block that is not finite it is no use to say that it is indefinite.
	if (known.storeChecksBlocks && !areFinite(diagonal, diagonal.length)) {
		check.finite("W.values", W.values, 9 * W.rowStart[contacts]!);
	}
	return { singular: checkDiagonal(diagonal, name, placeOf("W"), SIGNS_REMEDY), diagonal };
}

/** What reports and messages call a problem; in JavaScript nobody has to name one. */
export function nameOf({ name }: { readonly name?: unknown }): string {
	return typeof name === "string" && name !== "" ? name : "problem";
}

/** Moments follow from the laws: whoever gives them too has to say the same. They turn the bodies that their forces push. */
function checkMoments(check: Check, { moment, body }: RigidContacts, { laws, contacts }: Problem): void {
	const isMoment = laws && momentBlocks(laws);
	for (let a = 0; a < contacts; a += 1) {
		if (moment !== undefined && moment[a] !== (isMoment?.[a] ?? 0)) {
			const remedy = "leave it out: by the laws each second block of rolling contacts is a moment";
			check.fail("rigid.moment", `is ${moment[a]}`, remedy, a);
		}
		if (isMoment?.[a] !== 1) continue;
		for (let k = 2 * a; k < 2 * a + 2; k += 1) {
			if (body[k] === body[k - 2]) continue;
			const remedy = "give the moment of a rolling contact the bodies of its force";
			check.fail("rigid.body", `is ${body[k]}, and ${body[k - 2]} of the force before it`, remedy, k);
		}
	}
}

function countOf(check: Check, equalities: Equalities): number {
	check.object("equalities", equalities, "count, V, R and s");
	const { count } = equalities;
	if (Number.isInteger(count) && count >= 0) return count;
	check.fail("equalities.count", count === undefined ? "is missing" : `is ${shown(count)}`, "give the number of rows");
}

function checkGeometry(check: Check, { contacts, geometry }: Problem): void {
	if (geometry === undefined) return;
	check.object("geometry", geometry, "point, body or both");
	const { point, body } = geometry;
	if (point !== undefined) check.reals("geometry.point", point, 3 * contacts);
	if (body !== undefined) check.indices("geometry.body", body, 2 * contacts, -1, 2 ** 31 - 1);
}

function checkGuesses(check: Check, { contacts, global, guesses = [] }: Problem, rows: number): void {
	if (!Array.isArray(guesses)) check.fail("guesses", `is ${shown(guesses)}`, "give a list of objects with r");
	for (const [index, guess] of guesses.entries()) {
		const field = `guesses[${index}]`;
		check.object(field, guess, "r, three numbers per contact");
		const { r, u, l, v } = guess;
		check.reals(`${field}.r`, r, 3 * contacts);
		if (u !== undefined) check.reals(`${field}.u`, u, 3 * contacts);
		if (l !== undefined) check.reals(`${field}.l`, l, rows);
		if (v !== undefined && global) check.reals(`${field}.v`, v, global.f.length);
	}
}
