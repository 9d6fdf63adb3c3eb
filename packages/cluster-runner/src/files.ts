/** Files appear whole or not at all: written under a temporary name beside the wanted one, brought to disk, then renamed. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "@stickslip/core";

let written = 0;

/** `write` makes the file it is given the name of. If it throws, nothing is left behind, and what stood at `path` still does. */
export function writeAtomically(path: string, write: (temporary: string) => void): void {
	written += 1;
	// Beside the wanted file, because a rename does not cross file systems; hidden, and no other process's name.
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${written}.part`);
	try {
		write(temporary);
		const file = openSync(temporary, "r+");
		try {
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		if (error instanceof InputError && error.source === temporary) throw error.from(path);
		if (error instanceof Error && "code" in error && "syscall" in error) {
			const remedy = "check that the folder exists, may be written to and has room";
			throw new InputError(path, "file", `cannot be written (${String(error.code)})`, remedy);
		}
		throw error;
	}
}
