/** An open FCLIB file: which kind it is, and the parts that all kinds share (dimension, info, solution, guesses). */
import { InputError } from "../base/errors.js";
import { Hdf5File } from "./hdf5-file.js";
import { Hdf5Library } from "./hdf5-library.js";
import { NotPlainError, PlainHdf5, type PlainSource } from "./hdf5-plain.js";
import type { Hdf5Module } from "./module.js";
import { type FclibInfo, type FclibKind, type FclibSolution, GROUPS, type InfoText } from "./types.js";

/** More guesses than this in one file are a mistake. */
const GUESSES_MAX = 1000;

export interface FclibFile {
	readonly hdf5: Hdf5File;
	readonly name: string;
	readonly kind: FclibKind;
	/** Path of the problem's group. */
	readonly group: string;
	readonly dimension: number;
	readonly contacts: number;
}

/** Opens a file for `use` and closes it in any case; `name` is what error lines call it. */
export function withFclib<T>(module: Hdf5Module, path: string, use: (file: FclibFile) => T, name = path): T {
	return using(new Hdf5File(new Hdf5Library(module, path, name), name), use);
}

/**
 * As `withFclib`, without HDF5, for sound files of the plain kind that libfclib and this program write (hdf5-plain.ts). Undefined where the file
 * is any other, or `use` finds anything wrong in it: then HDF5 has to read it, and says in its words what is wrong.
 */
export function withPlainFclib<T>(
	bytes: PlainSource,
	use: (file: FclibFile) => T,
	name: string,
): { readonly result: T } | undefined {
	try {
		return { result: using(new Hdf5File(new PlainHdf5(bytes), name), use) };
	} catch (error) {
		if (error instanceof NotPlainError || error instanceof InputError) return undefined;
		throw error;
	}
}

/** Of a file that was plain and sound when somebody else read it: whatever is wrong with it now is told, and anything unusual is a change. */
export function withSamePlainFclib<T>(bytes: PlainSource, use: (file: FclibFile) => T, name: string): T {
	try {
		return using(new Hdf5File(new PlainHdf5(bytes), name), use);
	} catch (error) {
		if (!(error instanceof NotPlainError)) throw error;
		const remedy = "leave files as they are while they are solved, and solve again";
		throw new InputError(name, "file", "is not what it was when the solve began", remedy);
	}
}

function using<T>(hdf5: Hdf5File, use: (file: FclibFile) => T): T {
	try {
		return use(identify(hdf5));
	} catch (error) {
		if (error instanceof RangeError) {
			throw new InputError(hdf5.name, "file", "needs more memory than is available", "use a machine with more memory");
		}
		throw error;
	} finally {
		hdf5.close();
	}
}

function identify(hdf5: Hdf5File): FclibFile {
	const kinds = (Object.keys(GROUPS) as FclibKind[]).filter((kind) => hdf5.kind(GROUPS[kind]) === "group");
	const [kind] = kinds;
	if (kind === undefined) {
		hdf5.fail("/", "contains no problem", "give an FCLIB file: /fclib_local, /fclib_global or /fclib_global_rolling");
	}
	if (kinds.length > 1) hdf5.fail("/", `has ${kinds.length} problems`, "write one problem per file");
	const group = GROUPS[kind];
	const dimension = hdf5.integer(`${group}/spacedim`);
	const allowed = kind === "rolling" ? [3, 5] : [2, 3];
	if (!allowed.includes(dimension)) {
		hdf5.fail(
			`${group}/spacedim`,
			`is ${dimension}`,
			`a ${kind} problem has ${allowed.join(" or ")} components per contact`,
		);
	}
	const contacts = hdf5.length(`${group}/vectors/mu`);
	return { hdf5, name: hdf5.name, kind, group, dimension, contacts };
}

/** Undefined when a 3D method takes the file, otherwise what it is instead. */
export function refusalOf({ kind, dimension }: FclibFile): string | undefined {
	const isSolved = dimension === (kind === "rolling" ? 5 : 3);
	return isSolved ? undefined : `is a plane problem (${dimension} components per contact)`;
}

/** Throws unless a 3D method takes the file. */
export function requireThreeDimensional(file: FclibFile): void {
	const refusal = refusalOf(file);
	if (refusal === undefined) return;
	const remedy = "only 3D problems are solved; `stickslip info` describes this one";
	file.hdf5.fail(`${file.group}/spacedim`, refusal, remedy);
}

export function readInfo({ hdf5, group }: FclibFile): FclibInfo {
	const text = (name: string): InfoText | undefined => {
		const path = `${group}/info/${name}`;
		if (!hdf5.has(path)) return undefined;
		const bytes = hdf5.text(path);
		return { text: decoded(bytes), bytes };
	};
	const title = text("title");
	const description = text("description");
	const mathInfo = text("math_info");
	return { ...(title && { title }), ...(description && { description }), ...(mathInfo && { mathInfo }) };
}

/** UTF-8 where it is, otherwise Latin 1, in which any bytes are a text. */
function decoded(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
	}
}

export function guessCount({ hdf5 }: FclibFile): number {
	if (hdf5.kind("/guesses") !== "group") return 0;
	const path = "/guesses/number_of_guesses";
	const count = hdf5.integer(path);
	if (count < 0 || count > GUESSES_MAX) hdf5.fail(path, `is ${count}`, `write 0 to ${GUESSES_MAX} guesses`);
	return count;
}

/** Guess 1, 2, ...: the names of FCLIB's groups. */
export function readGuess(file: FclibFile, number: number, equalityRows: number): FclibSolution {
	return readVectors(file, `/guesses/${number}`, equalityRows);
}

export function readSolution(file: FclibFile, equalityRows: number): FclibSolution | undefined {
	return file.hdf5.kind("/solution") === "group" ? readVectors(file, "/solution", equalityRows) : undefined;
}

function readVectors({ hdf5, contacts, dimension }: FclibFile, path: string, equalityRows: number): FclibSolution {
	const vector = (name: string, length?: number): Float64Array => hdf5.reals(`${path}/${name}`, length);
	const u = vector("u", dimension * contacts);
	const r = vector("r", dimension * contacts);
	const v = hdf5.has(`${path}/v`) ? { v: vector("v") } : {};
	const l = equalityRows > 0 && hdf5.has(`${path}/l`) ? { l: vector("l", equalityRows) } : {};
	return { u, r, ...v, ...l };
}
