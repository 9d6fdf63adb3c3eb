/** Files that are there whole or not at all: written under a temporary name in the same folder, then renamed. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "@stickslip/core";

/** Replaces a text file in one step. */
export function replaceFile(path: string, text: string): void {
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
	try {
		const file = openSync(temporary, "wx");
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw cannotWrite(path, error);
	}
}

/** What to tell when a folder or a disk refuses. */
export function cannotWrite(path: string, error: unknown): InputError {
	const why = error instanceof Error ? error.message : String(error);
	return new InputError(path, "file", `cannot be written (${why})`, "choose a place that takes it");
}
