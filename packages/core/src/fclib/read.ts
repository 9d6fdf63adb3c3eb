/** The problem of an FCLIB file, checked, ready to be solved: local as W and q, global as M, H and q (see problem/condense.ts for W). */
import { reduce } from "../problem/condense.js";
import type { CsrMatrix, Equalities, GlobalForm, Guess, Problem } from "../problem/problem.js";
import { withMoments } from "../problem/rolling.js";
import { factor } from "../problem/sparse-lu.js";
import { type MatrixOrigin, UnreadMatrix } from "../problem/unread-matrix.js";
import { validateProblem } from "../problem/validate.js";
import { CONTACT_LAWS, readLaws } from "./contact-laws.js";
import { type FclibFile, guessCount, readGuess, refusalOf, requireThreeDimensional } from "./fclib-file.js";
import { readGeometry, requireSameW } from "./geometry.js";
import { matrixHeader, readBlocks, readCsr } from "./matrix.js";
import { rollingParts, sixOfGuess } from "./rolling.js";
import { readPatternOfW } from "./rows.js";

/**
 * As the file has it: W of a global problem is not formed here. Whether it is worth it is the solver's choice, and `condense`
 * forms the same W beforehand. Throws InputError, naming the dataset, for whatever a 3D method cannot take.
 */
export function readProblem(file: FclibFile): Problem {
	requireThreeDimensional(file);
	if (file.contacts === 0) {
		file.hdf5.fail(`${file.group}/vectors/mu`, "has no contacts", "nothing touches, so there is nothing to solve");
	}
	const problem =
		file.kind === "local" ? readLocal(file) : file.kind === "rolling" ? readRolling(file) : readGlobal(file);
	validateProblem(problem, (field) => placeOf(file, field));
	return problem;
}

/**
 * The same without the values of W, where ranks can read them row by row: they are checked there, and `readValues` is for whoever asks
 * for all of them. Undefined for a file of which that cannot be had: not local, with equality rows, or with bodies, which have to be compared with W.
 */
export function readUnread(file: FclibFile, origin: MatrixOrigin, readValues: () => Float64Array): Problem | undefined {
	const { hdf5, group, contacts, name } = file;
	if (file.kind !== "local" || refusalOf(file) !== undefined || contacts === 0) return undefined;
	if (hdf5.has(`${group}/V`) || hdf5.has(`${group}/R`)) return undefined;
	const { geometry, rigid } = readGeometry(file);
	const pattern = rigid === undefined ? readPatternOfW(file) : undefined;
	if (pattern === undefined) return undefined;
	const guesses = readGuesses(file, 0);
	const laws = readLaws(file);
	const problem = {
		name,
		contacts,
		q: vector(file, "q", 3 * contacts),
		mu: vector(file, "mu", contacts),
		...(laws && { laws }),
		W: new UnreadMatrix(pattern, origin, readValues),
		...(geometry && { geometry }),
		...(guesses && { guesses }),
	};
	validateProblem(problem, (field) => placeOf(file, field), { readersCheckBlocks: true });
	return problem;
}

/** All values of W, as `readProblem` has them. */
export function readValuesOfW({ hdf5, group, contacts }: FclibFile): Float64Array {
	return readBlocks(hdf5, `${group}/W`, contacts).values;
}

/** The dataset behind a field of the problem. */
function placeOf({ group, kind }: FclibFile, field: string): string {
	if (field === "W") return `${group}/W`;
	if (field === "q") return kind === "local" ? `${group}/vectors/q` : "q = H^T M^-1 f + w";
	if (field === "mu") return `${group}/vectors/mu`;
	if (field.startsWith("laws.")) return `${CONTACT_LAWS}/${field.slice(5)}`;
	if (field.startsWith("rigid.") || field.startsWith("geometry."))
		return `/geometry/${field.slice(field.indexOf(".") + 1)}`;
	return field;
}

function readLocal(file: FclibFile): Problem {
	const { hdf5, group, contacts, name } = file;
	const q = vector(file, "q", 3 * contacts);
	const mu = vector(file, "mu", contacts);
	const W = readBlocks(hdf5, `${group}/W`, contacts);
	const equalities = readEqualities(file);
	const laws = readLaws(file);
	const { geometry, rigid } = withMoments({ ...readGeometry(file), ...(laws && { laws }) });
	if (rigid) requireSameW(file, rigid, { W });
	const guesses = readGuesses(file, equalities?.count ?? 0);
	return {
		name,
		contacts,
		q,
		mu,
		...(laws && { laws }),
		W,
		...(rigid && { rigid }),
		...(equalities && { equalities }),
		...(geometry && { geometry }),
		...(guesses && { guesses }),
	};
}

function readGlobal(file: FclibFile): Problem {
	const { contacts, name, group } = file;
	const global = readGlobalForm(file);
	const mu = vector(file, "mu", contacts);
	const lu = factor(global.M, name, `${group}/M`);
	const reduced = reduce(name, global, lu);
	const laws = readLaws(file);
	const { geometry, rigid } = withMoments({ ...readGeometry(file), ...(laws && { laws }) });
	if (rigid) requireSameW(file, rigid, { global, lu });
	const guesses = readGuesses(file, global.b?.length ?? 0);
	return {
		name,
		contacts,
		mu,
		...(laws && { laws }),
		global,
		...reduced,
		...(rigid && { rigid }),
		...(geometry && { geometry }),
		...(guesses && { guesses }),
	};
}

/** M, H, f, w and, where there are any, G and b. */
function readGlobalForm(file: FclibFile): GlobalForm {
	const { hdf5, group, contacts, dimension } = file;
	const freedoms = hdf5.length(`${group}/vectors/f`);
	// The only length that nothing else tells beforehand: M has to agree before as much is read.
	matrixHeader(hdf5, `${group}/M`, freedoms, freedoms);
	const f = vector(file, "f");
	const w = vector(file, "w", dimension * contacts);
	const M = readCsr(hdf5, `${group}/M`, f.length, f.length);
	const H = readCsr(hdf5, `${group}/H`, f.length, dimension * contacts);
	if (!hdf5.has(`${group}/G`)) return { M, H, f, w };
	const b = vector(file, "b");
	const G = readCsr(hdf5, `${group}/G`, f.length, b.length);
	return { M, H, f, w, G, b };
}

/** Five numbers per contact become six in two blocks: everything else is as in a global problem. */
function readRolling(file: FclibFile): Problem {
	const { contacts, name, group } = file;
	const mu = vector(file, "mu", contacts);
	const muRolling = vector(file, "mu_r", contacts);
	const place = `${group}/M`;
	const given = readGlobalForm(file);
	const { global, ...parts } = rollingParts(file, given, { mu, muRolling }, place);
	const reduced = reduce(name, global, factor(global.M, name, place));
	const guesses = readGuesses(file, global.b?.length ?? 0);
	return {
		name,
		global,
		...parts,
		...reduced,
		...(guesses && { guesses: guesses.map((guess) => sixOfGuess(guess, contacts)) }),
	};
}

function readEqualities({ hdf5, group, contacts }: FclibFile): Equalities | undefined {
	const V = `${group}/V`;
	const R = `${group}/R`;
	if (hdf5.has(V) !== hdf5.has(R)) {
		hdf5.fail(hdf5.has(V) ? R : V, "is missing, although the other is given", "write V, R and s, or none of them");
	}
	if (!hdf5.has(V)) return undefined;
	const s = hdf5.reals(`${group}/vectors/s`);
	const matrices: { V: CsrMatrix; R: CsrMatrix } = {
		V: readCsr(hdf5, V, 3 * contacts, s.length),
		R: readCsr(hdf5, R, s.length, s.length),
	};
	return s.length === 0 ? undefined : { count: s.length, ...matrices, s };
}

function readGuesses(file: FclibFile, equalityRows: number): Guess[] | undefined {
	const count = guessCount(file);
	if (count === 0) return undefined;
	return Array.from({ length: count }, (_, k) => {
		return readGuess(file, k + 1, equalityRows);
	});
}

function vector({ hdf5, group }: FclibFile, name: string, length?: number): Float64Array {
	return hdf5.reals(`${group}/vectors/${name}`, length);
}
