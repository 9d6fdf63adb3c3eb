/** What couples which contacts, apart from all values: what a solver may be prepared for, and what has to be the same where it is. */
import { isIndices } from "../base/reals.js";
import { diagonalPlaces } from "./diagonal-blocks.js";
import { lawsOf } from "./laws.js";
import type { Problem } from "./problem.js";

/** Copies, so that nobody changes them. */
export interface Pattern {
	readonly contacts: number;
	/** Rows of W where it is given, bodies where they are; of a problem with both, both. */
	readonly rowStart: Int32Array | undefined;
	readonly column: Int32Array | undefined;
	/** Where W has its diagonal blocks. */
	readonly diagonal: Int32Array | undefined;
	/** Room for nine values per diagonal block of W: those of a problem stand here until the next one is looked at. */
	readonly blocks: Float64Array | undefined;
	readonly body: Int32Array | undefined;
	readonly bodies: number;
	/** The law of each contact: those of a law stand side by side. */
	readonly law: Uint8Array | undefined;
}

/** The pattern of a checked problem; undefined where there is more to it (equality rows) or other than that (a global form alone). */
export function patternOf({ contacts, W, rigid, equalities, laws }: Problem): Pattern | undefined {
	if (equalities !== undefined || (W === undefined && rigid === undefined)) return undefined;
	return {
		contacts,
		rowStart: W?.rowStart.slice(0, contacts + 1),
		column: W?.column.slice(0, W.rowStart[contacts]!),
		diagonal: W && diagonalPlaces(W).at,
		blocks: W && new Float64Array(9 * contacts),
		body: rigid?.body.slice(),
		bodies: rigid?.inverseMass.length ?? 0,
		law: lawsOf({ laws })?.law.slice(),
	};
}

/**
 * Whether another problem has this pattern: then its indices need no check of their own. Nothing of it was checked: what is no array is left to
 * the check that follows.
 */
export function hasPattern({ contacts, W, rigid, equalities, laws }: Problem, pattern: Pattern): boolean {
	const { rowStart, column, body, bodies } = pattern;
	return (
		contacts === pattern.contacts &&
		equalities === undefined &&
		areEqual(W?.rowStart, rowStart) &&
		areEqual(W?.column, column) &&
		areEqual(rigid?.body, body) &&
		(rigid?.inverseMass?.length ?? 0) === bodies &&
		haveEqualLaws(laws, pattern.law)
	);
}

/** What is no array of codes is left to the check that follows. */
function haveEqualLaws(laws: Problem["laws"], own: Uint8Array | undefined): boolean {
	if (!(laws?.law instanceof Uint8Array)) return laws !== undefined || own === undefined;
	const { law } = laws;
	return own === undefined ? !law.some((code) => code !== 0) : own.every((code, a) => code === law[a]);
}

/** The given one may be longer: W may have room for more blocks than it has. */
function areEqual(given: Int32Array | undefined, own: Int32Array | undefined): boolean {
	if (given === own) return true;
	if (given === undefined || own === undefined) return false;
	if (!isIndices(given)) return true;
	if (given.length < own.length) return false;
	// All differences as bits of one number, four at a time: to look at each of them takes twice as long.
	const even = own.length - (own.length % 4);
	let differences = 0;
	for (let i = 0; i < even; i += 4) {
		const first = (given[i]! ^ own[i]!) | (given[i + 1]! ^ own[i + 1]!);
		differences |= first | (given[i + 2]! ^ own[i + 2]!) | (given[i + 3]! ^ own[i + 3]!);
	}
	for (let i = even; i < own.length; i += 1) differences |= given[i]! ^ own[i]!;
	return differences === 0;
}
