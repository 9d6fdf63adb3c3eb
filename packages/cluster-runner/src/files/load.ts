/** Loads the problems named on the command line: from files, or from standard input through a temporary file. */
import { accessSync, closeSync, constants, openSync, type Stats, statSync } from "node:fs";
import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, type Problem } from "@stickslip/core";
import {
	describeFclib,
	estimateMemory,
	type FclibDescription,
	type FclibFile,
	type FclibInfo,
	Hdf5Library,
	type Hdf5Module,
	type MemoryEstimate,
	readInfo,
	readProblem,
	readUnread,
	readValuesOfW,
	withFclib,
	withPlainFclib,
} from "@stickslip/core/fclib";
import type { MatrixOrigin } from "@stickslip/core/parallel";
import { codeOf, missingFile, unreadable } from "../base/errors.js";
import { loadHdf5 } from "../base/hdf5.js";
import { irregular } from "./links.js";
import { originAt, originOf, readingSame, sourceOf } from "./rows.js";
import { isRunFile } from "./run-files.js";
import { withTemporaryFolder } from "./temporary.js";

export interface Loaded {
	readonly problem: Problem;
	/** The description in the file, written back with the answer. */
	readonly info: FclibInfo;
}

/** Called before anything large is read; throws where that would be too large. */
type MemoryCheck = (name: string, contacts: number, estimate: MemoryEstimate) => void;

/** Undefined if headers are wrong: reading the file reports the error. */
function estimateOf(file: FclibFile): MemoryEstimate | undefined {
	try {
		return estimateMemory(file);
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

/** Before reading; a file may be read more than once. */
function checkOnce(name: string, check: MemoryCheck | undefined): (file: FclibFile) => void {
	let isChecked = false;
	return (file) => {
		const estimate = check && !isChecked ? estimateOf(file) : undefined;
		if (estimate !== undefined) check?.(name, file.contacts, estimate);
		isChecked = true;
	};
}

/** Whether ranks will read their own rows; `packedBytes` are those of the values if HDF5 has to unpack them. */
type RanksRead = (contacts: number, packedBytes?: number) => boolean;

/**
 * The problem of an FCLIB file, or of standard input for "-"; `name` is what reports and messages call it. Where ranks of this machine will
 * solve it, `ranksRead` says so: then they read the rows of W that are given in the file, and nothing here does.
 */
export async function load(
	input: string,
	name = input,
	check?: MemoryCheck,
	ranksRead: RanksRead = () => false,
): Promise<Loaded> {
	const checked = checkOnce(name, check);
	const unread = input === "-" ? undefined : loadUnread(input, name, checked, ranksRead);
	if (unread !== undefined) return unread;
	return await reading(input, name, (file, library) => {
		checked(file);
		const packed = library && input !== "-" ? unreadPacked(file, library, input, name, ranksRead) : undefined;
		return { problem: packed ?? readProblem(file), info: readInfo(file) };
	});
}

/** Undefined if the file has to be read whole, or anything is wrong with it: then reading it reports the error. */
function loadUnread(
	path: string,
	name: string,
	check: (file: FclibFile) => void,
	ranksRead: RanksRead,
): Loaded | undefined {
	requireReadable(path, name);
	const loaded = readingPlain(path, name, (file, origin) => {
		if (!ranksRead(file.contacts)) return undefined;
		check(file);
		const same = origin();
		const problem = readUnread(file, same, () => readingSame(same, name, readValuesOfW));
		return problem && { problem, info: readInfo(file) };
	});
	return loaded?.result;
}

/** Chunks of HDF5 are unpacked whole, once for each window that touches them: larger ones would be unpacked many times. */
const CHUNK_BYTES_MAX = 2 ** 22;

/** A problem that HDF5 has to unpack, without the values of W; undefined if it has to be read whole, or anything is wrong with it. */
function unreadPacked(
	file: FclibFile,
	library: Hdf5Module,
	path: string,
	name: string,
	ranksRead: RanksRead,
): Problem | undefined {
	try {
		const matrix = `${file.group}/W`;
		if (!file.hdf5.has(matrix)) return undefined;
		if (!ranksRead(file.contacts, 8 * file.hdf5.length(`${matrix}/x`))) return undefined;
		if (!hasSmallChunks(library, path, name, matrix)) return undefined;
		const origin = originAt(path);
		return readUnread(file, origin, () => readingSame(origin, name, readValuesOfW));
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

function hasSmallChunks(library: Hdf5Module, path: string, name: string, matrix: string): boolean {
	const hdf5 = new Hdf5Library(library, path, name);
	try {
		return ["i", "x"].every((part) => {
			const { chunks, size } = hdf5.metadata(`${matrix}/${part}`);
			return (chunks ?? []).reduce((bytes, side) => bytes * side, size) <= CHUNK_BYTES_MAX;
		});
	} finally {
		hdf5.close();
	}
}

export interface Described {
	readonly description: FclibDescription;
	readonly memory?: MemoryEstimate | undefined;
	/** Present if a method could solve it. */
	readonly problem?: Problem;
}

export async function describe(input: string, name = input): Promise<Described> {
	return await reading(input, name, (file) => {
		const description = describeFclib(file);
		// A problem without contacts cannot be solved, but can be described.
		if (description.refusal !== undefined || description.contacts === 0) return { description };
		return { description, memory: estimateMemory(file), problem: readProblem(file) };
	});
}

/** `library` is HDF5 if that reads the file. */
type Use<Result> = (file: FclibFile, library?: Hdf5Module) => Result;

/** `use` may be called once more, where a file turns out to be one that HDF5 itself has to read. */
async function reading<Result>(input: string, name: string, use: Use<Result>): Promise<Result> {
	if (input !== "-") {
		requireReadable(input, name);
		return await readingFile(input, name, use);
	}
	// HDF5 needs random access, so the content of a pipe is written to a file first.
	return await withTemporaryFolder(async (folder) => {
		const path = join(folder, "stdin.hdf5");
		await takeIn(path, name);
		return await readingFile(path, name, use);
	});
}

/** Most files are plain, and are read before HDF5 would have started; errors are reported by HDF5. */
async function readingFile<Result>(path: string, name: string, use: Use<Result>): Promise<Result> {
	const plain = readingPlain(path, name, (file) => use(file));
	if (plain !== undefined) return plain.result;
	if (isRunFile(path)) {
		const remedy = "name a problem; stickslip info and picture show a run, and resume continues it";
		throw new InputError(name, "file", "is the run file of a simulation", remedy);
	}
	const library = await loadHdf5();
	return withFclib(library, path, (file) => use(file, library), name);
}

function readingPlain<Result>(
	path: string,
	name: string,
	use: (file: FclibFile, origin: () => MatrixOrigin) => Result,
) {
	let file: number;
	try {
		file = openSync(path, "r");
	} catch {
		return undefined;
	}
	try {
		return withPlainFclib(sourceOf(file), (opened) => use(opened, () => originOf(path, file)), name);
	} finally {
		closeSync(file);
	}
}

/** Standard input into a file. */
export async function takeIn(file: string | FileHandle, name: string): Promise<void> {
	if (process.stdin.isTTY) throw new InputError(name, "file", "is a terminal", "pipe an FCLIB file to it");
	try {
		await writeFile(file, process.stdin);
	} catch (error) {
		if (codeOf(error) === "EISDIR") throw new InputError(name, "file", "is a folder", "pipe an FCLIB file to it");
		if (codeOf(error) === undefined) throw error;
		const remedy = "check where it comes from, and that the folder for temporary files has room";
		throw new InputError(name, "file", `cannot be read (${codeOf(error)})`, remedy);
	}
}

/** Refuses what is not a readable file: HDF5 reports a folder as a file that cannot be locked, and waits for ever on a pipe. */
export function requireReadable(path: string, name: string): void {
	const refuse = (problem: string, remedy: string): never => {
		throw new InputError(name, "file", problem, remedy);
	};
	const there = lookAt(path, name, refuse);
	if (there.isDirectory()) refuse("is a folder", `name the files in it, e.g. "${path.replace(/[/\\]+$/, "")}/*.hdf5"`);
	if (there.isFIFO()) refuse("is a named pipe", "use - for standard input, and redirect the pipe to it with <");
	if (!there.isFile()) refuse(`is ${irregular(there) ?? "not a file"}`, "give an FCLIB file");
	if (there.size === 0) refuse("is empty", "give a complete FCLIB file");
	try {
		accessSync(path, constants.R_OK);
	} catch {
		refuse("is not readable", "ask its owner for the permission to read it");
	}
}

function lookAt(path: string, name: string, refuse: (problem: string, remedy: string) => never): Stats {
	try {
		const there = statSync(path, { throwIfNoEntry: false });
		if (there === undefined) throw missingFile(name);
		return there;
	} catch (error) {
		if (error instanceof InputError) throw error;
		if (codeOf(error) === "EACCES") return refuse("is not accessible", "ask for the permission to enter its folder");
		throw unreadable(name, error, "check the name");
	}
}
