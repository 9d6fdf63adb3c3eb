/** Files appear whole or not at all: written under a temporary name beside the wanted one, brought to disk, then renamed. */
import {
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";

let written = 0;

/**
 * `write` makes the file it is given the name of. If it throws, nothing is left behind, and what stood at `path` still does. A
 * symbolic link stays one: the file it leads to is replaced.
 */
export function writeAtomically(path: string, write: (temporary: string) => void): void {
	written += 1;
	let temporary = "";
	try {
		const target = landing(path);
		const kind = irregular(statSync(target, { throwIfNoEntry: false }));
		// A rename would put a file where e.g. a device was.
		if (kind !== undefined) throw new InputError(path, "file", `is ${kind}`, "write to a regular file");
		// Beside the wanted file, because a rename does not cross file systems; hidden, and no other process's name.
		temporary = join(dirname(target), `.${basename(target).slice(0, 50)}.${process.pid}-${written}.part`);
		write(temporary);
		const file = openSync(temporary, "r+");
		try {
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, target);
	} catch (error) {
		if (temporary !== "") rmSync(temporary, { force: true });
		if (error instanceof InputError && error.source === temporary) throw error.from(path);
		if (error instanceof Error && "code" in error && "syscall" in error) {
			const remedy = "check that the folder exists, may be written to and has room";
			throw new InputError(path, "file", `cannot be written (${String(error.code)})`, remedy);
		}
		throw error;
	}
}

/** Links followed one by one, at most; so many in a row are a circle. */
const linksMax = 40;

/** Where a file of this name lands: behind all symbolic links, also behind one that leads to nothing yet. */
export function landing(path: string): string {
	let at = path;
	for (let link = 0; link < linksMax; link += 1) {
		if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return at;
		at = resolve(realpathSync(dirname(at)), readlinkSync(at));
	}
	throw new InputError(path, "file", "is a symbolic link that leads in a circle", "name another file");
}

/** What stands there instead of a regular file; undefined for a regular file, and for nothing. */
export function irregular(there: Stats | undefined): string | undefined {
	if (there === undefined || there.isFile()) return undefined;
	if (there.isDirectory()) return "a folder";
	if (there.isFIFO()) return "a named pipe";
	if (there.isSocket()) return "a socket";
	return "a device";
}
