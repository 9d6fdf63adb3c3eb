/** What kind of file a path names: links are followed only if the user named them, and never links of another user in a world-writable folder. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "@stickslip/core";

/** The limit of links that are followed; more are a cycle. */
const linksMax = 40;
const WRITABLE_BY_ALL = 0o002;

/** The path that a file of this name is written to: all symbolic links are resolved, also one whose target does not exist yet. */
export function landing(path: string): string {
	let at = path;
	for (let link = 0; link < linksMax; link += 1) {
		const there = lstatSync(at, { throwIfNoEntry: false });
		if (there?.isSymbolicLink() !== true) return at;
		const folder = realpathSync(dirname(at));
		if (isForeign(there, statSync(folder))) {
			throw new InputError(path, "file", `is a symbolic link of another user (${at})`, "name the file itself");
		}
		at = resolve(folder, readlinkSync(at));
	}
	throw new InputError(path, "file", "is a circular symbolic link", "name another file");
}

/** The rule of Linux for such folders (fs.protected_symlinks), which not every system and container enforces. */
function isForeign(link: Stats, folder: Stats): boolean {
	const isOpen = (folder.mode & WRITABLE_BY_ALL) !== 0;
	return isOpen && link.uid !== process.geteuid?.() && link.uid !== folder.uid;
}

/** The kind of a path that is not a regular file; undefined for a regular file, and for none. */
export function irregular(there: Stats | undefined): string | undefined {
	if (there === undefined || there.isFile()) return undefined;
	if (there.isDirectory()) return "a folder";
	if (there.isFIFO()) return "a named pipe";
	if (there.isSocket()) return "a socket";
	return "a device";
}
