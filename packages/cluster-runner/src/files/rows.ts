/**
 * Rows of W that ranks read for themselves, out of the file whose pattern the process that started them has read. It must still be that file: its size, its
 * time of change and its beginning are checked before and after.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "@stickslip/core";
import {
	type FclibFile,
	type PlainSource,
	readRows,
	withFclib,
	withPlainFclib,
	withSamePlainFclib,
} from "@stickslip/core/fclib";
import type { MatrixOrigin, ShareOutline, ShareRows, UnreadRows } from "@stickslip/core/parallel";
import { codeOrText } from "../base/errors.js";
import { loadedHdf5, loadHdf5 } from "../base/hdf5.js";

/** Bytes at the beginning of a file, which locate everything else in it. */
const BEGINNING_BYTES = 4096;

export function sourceOf(file: number): PlainSource {
	return {
		bytes: fstatSync(file).size,
		read(at, target) {
			for (let done = 0; done < target.length; ) {
				const count = readSync(file, target, done, target.length - done, at + done);
				if (count === 0) throw new Error("the file became shorter while it was read");
				done += count;
			}
		},
	};
}

/** What an open file is now. */
export function originOf(path: string, file: number): MatrixOrigin {
	const { size, mtimeMs } = fstatSync(file);
	const beginning = new Uint8Array(Math.min(size, BEGINNING_BYTES));
	sourceOf(file).read(0, beginning);
	const digest = createHash("sha256").update(beginning).digest("hex");
	return { path: resolve(path), bytes: size, modified: mtimeMs, beginning: digest };
}

/** The same of a file by its path. */
export function originAt(path: string): MatrixOrigin {
	const file = openSync(path, "r");
	try {
		return originOf(path, file);
	} finally {
		closeSync(file);
	}
}

/** Reads from the file if it is unchanged. Throws an InputError if it is not, or cannot be read. */
export function readingSame<Result>(origin: MatrixOrigin, name: string, use: (file: FclibFile) => Result): Result {
	const file = opened(origin, name);
	try {
		requireSame(origin, file, name);
		const library = hasPlainW(file, name) ? undefined : loadedHdf5();
		const result =
			library === undefined
				? withSamePlainFclib(sourceOf(file), use, name)
				: withFclib(library, origin.path, use, name);
		requireSame(origin, file, name);
		return result;
	} finally {
		closeSync(file);
	}
}

/** Whether W can be read without HDF5. */
function hasPlainW(file: number, name: string): boolean {
	const lengths = ({ hdf5, group }: FclibFile) => ["i", "x"].map((part) => hdf5.length(`${group}/W/${part}`));
	return withPlainFclib(sourceOf(file), lengths, name) !== undefined;
}

/** Loads HDF5 where a rank's rows are packed. A file that cannot be opened is reported when it is read. */
export async function prepareOwnRows({ origin }: UnreadRows, name: string): Promise<void> {
	let file: number;
	try {
		file = openSync(origin.path, "r");
	} catch {
		return;
	}
	try {
		if (!hasPlainW(file, name)) await loadHdf5();
	} finally {
		closeSync(file);
	}
}

/** A rank's rows. */
export function readOwnRows(outline: ShareOutline, unread: UnreadRows): ShareRows {
	return readingSame(unread.origin, outline.name, (file) => readRows(file, outline, unread));
}

function opened({ path }: MatrixOrigin, name: string): number {
	try {
		return openSync(path, "r");
	} catch (error) {
		const remedy = "leave files where they are while they are solved, and solve again";
		throw new InputError(name, "file", `cannot be read by a rank (${codeOrText(error)})`, remedy);
	}
}

function requireSame(origin: MatrixOrigin, file: number, name: string): void {
	const { bytes, modified, beginning } = originOf(origin.path, file);
	if (bytes === origin.bytes && modified === origin.modified && beginning === origin.beginning) return;
	const remedy = "leave files as they are while they are solved, and solve again";
	throw new InputError(name, "file", "has changed since the solve began", remedy);
}
