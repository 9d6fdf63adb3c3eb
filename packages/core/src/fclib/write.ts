/**
 * Whole problems as FCLIB files, laid out as libfclib lays them out: the local form where the problem has no global one,
 * otherwise the global form. Writes straight to `path`: who calls gives a temporary name and renames.
 */
import { assert } from "../base/errors.js";
import { columnsFromBlocks } from "../problem/blocks.js";
import { globalVelocity } from "../problem/condense.js";
import { transposeCsr } from "../problem/csr.js";
import type { CsrMatrix, GlobalForm, Problem } from "../problem/problem.js";
import { factor, type SparseLu } from "../problem/sparse-lu.js";
import { writeLaws } from "./contact-laws.js";
import { GEOMETRY } from "./geometry.js";
import { Hdf5Writer, type Steps } from "./hdf5-writer.js";
import type { Hdf5Module } from "./module.js";
import { fiveOfSolution, isRollingFile, rollingDatasets } from "./rolling.js";
import { type FclibInfo, type FclibSolution, GROUPS, type InfoText } from "./types.js";

export interface WriteOptions {
	/** Where a problem has both: "global" is the default. */
	readonly form?: "local" | "global";
	readonly solution?: FclibSolution;
	readonly info?: FclibInfo;
}

/** A text for the info group. */
export function infoText(text: string): InfoText {
	return { text, bytes: new TextEncoder().encode(text) };
}

/** All at once. */
export function writeFclib(module: Hdf5Module, path: string, problem: Problem, options: WriteOptions = {}): void {
	for (const _ of writeFclibSteps(module, path, problem, options));
}

/** In steps of some megabytes, for who has to hear what else comes meanwhile. */
export function* writeFclibSteps(
	module: Hdf5Module,
	path: string,
	problem: Problem,
	options: WriteOptions = {},
): Steps {
	const form = options.form ?? (problem.global === undefined ? "local" : "global");
	const isRolling = form === "global" && isRollingFile(problem);
	const writer = new Hdf5Writer(module, path);
	try {
		const group = GROUPS[isRolling ? "rolling" : form];
		writer.group(group);
		writer.integer(`${group}/spacedim`, isRolling ? 5 : 3);
		if (isRolling) yield* writeRolling(writer, group, problem);
		else if (form === "local") yield* writeLocal(writer, group, problem);
		else yield* writeGlobal(writer, group, problem);
		writeInfo(writer, group, options.info ?? {});
		if (!isRolling) yield* writeLaws(writer, problem);
		yield* writeGeometry(writer, isRolling ? rollingDatasets(problem) : problem);
		const complete = completion(problem, form, isRolling);
		yield* writeGuesses(writer, problem, complete);
		if (options.solution) yield* writeVectors(writer, "/solution", complete(options.solution));
	} catch (error) {
		closeAfter(writer);
		throw error;
	}
	writer.close();
}

/** The first error is the one to tell. */
function closeAfter(writer: Hdf5Writer): void {
	try {
		writer.close();
	} catch {}
}

function* writeLocal(writer: Hdf5Writer, group: string, { W, q, mu, equalities }: Problem): Steps {
	assert(W !== undefined, "a local file needs W: condense the problem first");
	yield* writeColumns(writer, `${group}/W`, columnsFromBlocks(W));
	if (equalities) {
		yield* writeColumns(writer, `${group}/V`, transposeCsr(equalities.V));
		yield* writeColumns(writer, `${group}/R`, transposeCsr(equalities.R));
	}
	writer.group(`${group}/vectors`);
	yield* writer.numbers(`${group}/vectors/q`, q);
	yield* writer.numbers(`${group}/vectors/mu`, mu);
	if (equalities) yield* writer.numbers(`${group}/vectors/s`, equalities.s);
}

function* writeRolling(writer: Hdf5Writer, group: string, problem: Problem): Steps {
	const { global, mu, muRolling } = rollingDatasets(problem);
	yield* writeGlobal(writer, group, { global, mu });
	yield* writer.numbers(`${group}/vectors/mu_r`, muRolling);
}

function* writeGlobal(writer: Hdf5Writer, group: string, { global, mu }: Pick<Problem, "global" | "mu">): Steps {
	assert(global !== undefined, "a global file needs M, H, f and w");
	const { M, H, G, f, w, b }: GlobalForm = global;
	yield* writeTriplets(writer, `${group}/M`, M);
	yield* writeTriplets(writer, `${group}/H`, H);
	if (G !== undefined && b !== undefined) yield* writeTriplets(writer, `${group}/G`, G);
	writer.group(`${group}/vectors`);
	yield* writer.numbers(`${group}/vectors/f`, f);
	yield* writer.numbers(`${group}/vectors/w`, w);
	yield* writer.numbers(`${group}/vectors/mu`, mu);
	if (G !== undefined && b !== undefined) yield* writer.numbers(`${group}/vectors/b`, b);
}

/**
 * Compressed columns: the only storage that libfclib's merit function multiplies by. It takes any other for zero and says nothing. The
 * transpose is given, by rows.
 */
function* writeColumns(writer: Hdf5Writer, path: string, transpose: CsrMatrix): Steps {
	const used = transpose.rowStart[transpose.rows] ?? 0;
	writeHeader(writer, path, { rows: transpose.columns, columns: transpose.rows }, used, -1);
	yield* writer.numbers(`${path}/p`, transpose.rowStart);
	yield* writer.numbers(`${path}/i`, transpose.column.subarray(0, used));
	yield* writer.numbers(`${path}/x`, transpose.values.subarray(0, used));
}

/** Triplets (i = row, p = column), as real global files have them: Siconos reads no compressed rows there. */
function* writeTriplets(writer: Hdf5Writer, path: string, matrix: CsrMatrix): Steps {
	const used = matrix.rowStart[matrix.rows] ?? 0;
	const row = new Int32Array(used);
	for (let k = 0; k < matrix.rows; k += 1) row.fill(k, matrix.rowStart[k], matrix.rowStart[k + 1]);
	writeHeader(writer, path, matrix, used, used);
	yield* writer.numbers(`${path}/p`, matrix.column.subarray(0, used));
	yield* writer.numbers(`${path}/i`, row);
	yield* writer.numbers(`${path}/x`, matrix.values.subarray(0, used));
}

type Size = Pick<CsrMatrix, "rows" | "columns">;

function writeHeader(writer: Hdf5Writer, path: string, matrix: Size, used: number, nz: number): void {
	writer.group(path);
	writer.integer(`${path}/nzmax`, used);
	writer.integer(`${path}/m`, matrix.rows);
	writer.integer(`${path}/n`, matrix.columns);
	writer.integer(`${path}/nz`, nz);
}

/** Always written: libfclib complains about a file without it. */
function writeInfo(writer: Hdf5Writer, group: string, { title, description, mathInfo }: FclibInfo): void {
	writer.group(`${group}/info`);
	const nothing = new Uint8Array(0);
	writer.text(`${group}/info/title`, title?.bytes ?? nothing);
	writer.text(`${group}/info/description`, description?.bytes ?? nothing);
	writer.text(`${group}/info/math_info`, mathInfo?.bytes ?? nothing);
}

function* writeGeometry(writer: Hdf5Writer, { geometry, rigid }: Pick<Problem, "geometry" | "rigid">): Steps {
	const body = rigid?.body ?? geometry?.body;
	if (body === undefined && geometry?.point === undefined) return;
	writer.group(GEOMETRY);
	if (geometry?.point) yield* writer.numbers(`${GEOMETRY}/point`, geometry.point, 3);
	if (body) yield* writer.numbers(`${GEOMETRY}/body`, body, 2);
	if (rigid === undefined) return;
	yield* writer.numbers(`${GEOMETRY}/frame`, rigid.frame, 9);
	yield* writer.numbers(`${GEOMETRY}/arm`, rigid.arm, 6);
	yield* writer.numbers(`${GEOMETRY}/inverse_mass`, rigid.inverseMass);
	yield* writer.numbers(`${GEOMETRY}/inverse_inertia`, rigid.inverseInertia, 6);
}

function* writeGuesses(writer: Hdf5Writer, problem: Problem, complete: Complete): Steps {
	const guesses = problem.guesses ?? [];
	if (guesses.length === 0) return;
	writer.group("/guesses");
	writer.integer("/guesses/number_of_guesses", guesses.length);
	for (const [k, guess] of guesses.entries()) {
		const u = guess.u ?? new Float64Array(3 * problem.contacts);
		yield* writeVectors(writer, `/guesses/${k + 1}`, complete({ ...guess, u }));
	}
}

type Complete = (vectors: FclibSolution) => FclibSolution;

/**
 * What libfclib demands of a solution or guess beside u and r: l where there are equality rows (zero unless given), and in the
 * global form v, which follows from r and l.
 */
function completion(problem: Problem, form: "local" | "global", isRolling: boolean): Complete {
	const rows = problem.equalities?.count ?? 0;
	const { global } = problem;
	let lu: SparseLu | undefined;
	return ({ u, r, v, l = new Float64Array(rows) }) => {
		const mixed = rows > 0 ? { l } : {};
		if (form === "local" || global === undefined) return { u, r, ...mixed };
		const velocity = (): Float64Array => {
			lu ??= factor(global.M, problem.name, "M");
			return globalVelocity(global, lu, r, l);
		};
		const vectors = { u, r, v: v ?? velocity(), ...mixed };
		return isRolling ? fiveOfSolution(vectors, global) : vectors;
	};
}

function* writeVectors(writer: Hdf5Writer, path: string, { u, r, v, l }: FclibSolution): Steps {
	writer.group(path);
	if (v) yield* writer.numbers(`${path}/v`, v);
	yield* writer.numbers(`${path}/u`, u);
	yield* writer.numbers(`${path}/r`, r);
	if (l) yield* writer.numbers(`${path}/l`, l);
}
