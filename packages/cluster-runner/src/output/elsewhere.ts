/** An answer that cannot be written to its place is not lost: it is written to the run's folder, to the current one, or to that of temporary files. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { makeFolder } from "./targets.js";

/** In a run's folder. */
const ANSWERS = "answers";
/** How many names are tried in one folder. */
const NAMES_MAX = 10_000;

/** The answer was written, but to another place. */
export class ElsewhereError extends InputError {
	constructor(
		error: InputError,
		readonly written: string,
	) {
		super(error.source, error.place, error.problem, `it was written to ${written} instead`);
	}
}

/** Calls `write` with `path`, and if that fails with other paths. Throws an ElsewhereError if one of them worked, otherwise the first error. */
export async function writeSomewhere(
	path: string,
	runFolder: string | undefined,
	write: (path: string) => void | Promise<void>,
): Promise<void> {
	try {
		makeFolder(path);
		return await write(path);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const folders = [...(runFolder === undefined ? [] : [join(runFolder, ANSWERS)]), process.cwd(), tmpdir()];
		for (const folder of folders.filter((each) => each !== resolve(dirname(path)))) {
			const written = await tried(folder, basename(path), write);
			if (written !== undefined) throw new ElsewhereError(error, written);
		}
		throw error;
	}
}

/** Where it was written; undefined where that failed. */
async function tried(
	folder: string,
	name: string,
	write: (path: string) => void | Promise<void>,
): Promise<string | undefined> {
	try {
		const path = freeName(folder, name);
		makeFolder(path);
		await write(path);
		return path;
	} catch {
		return undefined;
	}
}

/** An existing file there must not be replaced. */
function freeName(folder: string, name: string): string {
	const extension = extname(name);
	for (let number = 1; number <= NAMES_MAX; number += 1) {
		const each = number === 1 ? name : `${basename(name, extension)}-${number}${extension}`;
		if (!existsSync(join(folder, each))) return join(folder, each);
	}
	throw new Error(`there are ${NAMES_MAX} files ${name} in ${folder}`);
}
