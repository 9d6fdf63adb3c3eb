/**
 * Files appear whole or not at all: written under a temporary name beside the wanted one, which is opened exclusively, so that no existing file or link is
 * written through; synced; renamed; and the folder is synced as well, because a name is on disk only when its folder is.
 */
import {
	closeSync,
	constants,
	fchmodSync,
	fchownSync,
	fstatSync,
	fsyncSync,
	lstatSync,
	openSync,
	renameSync,
	rmSync,
	type Stats,
	writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "@stickslip/core";
import { irregular, landing } from "./links.js";
import { removeStale, removingOnSignals, temporaryName, track, untrack } from "./unfinished.js";

export interface WriteOptions {
	/** Only the user may read it. Default: the mode of the file that is replaced, or the system's default for a new one. */
	readonly isPrivate?: boolean;
	/** Synced to disk. Default true; files that are replaced every second do without. */
	readonly isLasting?: boolean;
	/** Replace the target of a symbolic link that the user named. Default: replace the link itself. */
	readonly followsLinks?: boolean;
}

/** Fails if the name exists, also as a link: the process that opens the file has created it. */
const EXCLUSIVELY = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const PERMISSIONS = 0o777;

/** The path of the file, the file that is there now, and the temporary name under which it is written. */
interface WriteTarget {
	readonly destination: string;
	readonly there: Stats | undefined;
	readonly temporary: string;
}

/** Writes something short. If it throws (an InputError), nothing is left behind, and an existing file at `path` stays. */
export function writeWhole(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
	let target: WriteTarget | undefined;
	try {
		target = writeTarget(path, options);
		const file = openSync(target.temporary, EXCLUSIVELY, modeOfNew(options));
		try {
			track(target.temporary);
			takeOver(file, target, options);
			writeFileSync(file, content);
			if (options.isLasting ?? true) fsyncSync(file);
		} finally {
			closeSync(file);
		}
		rename(target, options);
	} catch (error) {
		throw refusalOf(error, path, target?.temporary);
	} finally {
		if (target !== undefined) untrack(target.temporary);
	}
}

/**
 * The same for longer writes: `fill` gets the open file, and its name for libraries that open files themselves. Signals are handled meanwhile, and leave
 * nothing behind.
 */
export async function writeWholeBy(
	path: string,
	fill: (file: FileHandle, temporary: string) => Promise<void>,
	options: WriteOptions = {},
): Promise<void> {
	const write = () => fillWhole(path, fill, options);
	await ((options.isLasting ?? true) ? removingOnSignals(write) : write());
}

async function fillWhole(
	path: string,
	fill: (file: FileHandle, temporary: string) => Promise<void>,
	options: WriteOptions,
): Promise<void> {
	let target: WriteTarget | undefined;
	try {
		target = writeTarget(path, options);
		const file = await open(target.temporary, EXCLUSIVELY, modeOfNew(options));
		try {
			track(target.temporary);
			takeOver(file.fd, target, options);
			await fill(file, target.temporary);
			if (options.isLasting ?? true) await file.sync();
			requireSame(file.fd, target, path);
		} finally {
			await file.close();
		}
		rename(target, options);
	} catch (error) {
		throw refusalOf(error, path, target?.temporary);
	} finally {
		if (target !== undefined) untrack(target.temporary);
	}
}

/** Throws an InputError if a file of this name cannot be created now. Also removes leftovers of lost processes. */
export function tryToWrite(path: string, options: WriteOptions = {}): void {
	let target: WriteTarget | undefined;
	try {
		target = writeTarget(path, options);
		track(target.temporary);
		closeSync(openSync(target.temporary, EXCLUSIVELY, modeOfNew(options)));
		rmSync(target.temporary);
	} catch (error) {
		throw refusalOf(error, path, target?.temporary);
	} finally {
		if (target !== undefined) untrack(target.temporary);
	}
}

function writeTarget(path: string, { followsLinks = false }: WriteOptions): WriteTarget {
	const destination = followsLinks ? landing(path) : path;
	const there = lstatSync(destination, { throwIfNoEntry: false });
	const kind = there?.isSymbolicLink() === true ? undefined : irregular(there);
	// A rename would replace e.g. a device by a file.
	if (kind !== undefined) throw new InputError(path, "file", `is ${kind}`, "write to a regular file");
	removeStale(destination);
	return { destination, there: there?.isFile() === true ? there : undefined, temporary: temporaryName(destination) };
}

function modeOfNew({ isPrivate = false }: WriteOptions): number {
	return isPrivate ? 0o600 : 0o666;
}

/** The new file gets owner and mode of the file that is replaced. */
function takeOver(file: number, { there }: WriteTarget, { isPrivate = false }: WriteOptions): void {
	if (there === undefined || isPrivate) return;
	// Only root can give files away.
	if (process.geteuid?.() === 0) fchownSync(file, there.uid, there.gid);
	fchmodSync(file, there.mode & PERMISSIONS);
}

/** A library that opened the file by its name has written to this one. */
function requireSame(file: number, { temporary }: WriteTarget, path: string): void {
	const [mine, named] = [fstatSync(file), lstatSync(temporary)];
	if (mine.dev === named.dev && mine.ino === named.ino) return;
	throw new InputError(
		path,
		"file",
		"was replaced by another process while it was written",
		"write to a folder of your own",
	);
}

function rename({ temporary, destination }: WriteTarget, { isLasting = true }: WriteOptions): void {
	renameSync(temporary, destination);
	if (isLasting) syncFolder(dirname(destination));
}

/** Not every file system supports this, and a writable folder need not be readable. */
export function syncFolder(path: string): void {
	try {
		const file = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
		try {
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
	} catch {
		// Then the file system decides how durable it is.
	}
}

/** Removes the unfinished file, and reports the system's error for the wanted name instead of the temporary one. */
function refusalOf(error: unknown, path: string, temporary: string | undefined): unknown {
	if (temporary !== undefined) rmSync(temporary, { force: true });
	if (error instanceof InputError && error.source === temporary) return error.from(path);
	if (error instanceof Error && "code" in error && "syscall" in error) {
		const remedy = "check that the folder exists, is writable and has free space";
		return new InputError(path, "file", `cannot be written (${String(error.code)})`, remedy);
	}
	return error;
}
