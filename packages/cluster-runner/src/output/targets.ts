/**
 * Where answers are written, decided and checked before anything is solved: a wrong name does not lose an answer at the end, and no input
 * is overwritten.
 */
import { mkdirSync, rmdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { messageOf } from "../base/errors.js";
import { irregular, landing } from "../files/links.js";
import { tryToWrite } from "../files/write.js";
import { whyUnwritable } from "./standard-output.js";

const option = "--output";

/** The output of each input, in the same order; undefined for each without `--output`. */
export function targets(
	command: string,
	inputs: readonly string[],
	output: string | undefined,
): (string | undefined)[] {
	if (output === undefined) return inputs.map(() => undefined);
	if (output === "-") throw new InputError(command, option, "standard output takes the report", "name a file");
	const there = stat(output);
	const folder = inputs.length > 1 || /[/\\]$/.test(output) || there?.isDirectory() === true;
	if (folder && there !== undefined && !there.isDirectory()) {
		const kind = irregular(there) ?? "a file";
		const what = inputs.length > 1 ? ` and ${inputs.length} problems would be written there` : " and not a folder";
		throw new InputError(command, option, `${output} is ${kind}${what}`, "name a folder");
	}
	if (!folder) return [checkFile(command, option, output, inputs)];
	const taken = new Map<string, string>();
	return inputs.map((input) => {
		// A capsule's problem is in the file beside it.
		const path = join(output, input === "-" ? "stdin.hdf5" : basename(input).replace(/\.json$/i, ".hdf5"));
		const other = taken.get(path);
		if (other !== undefined) {
			const remedy = "solve them into different folders";
			throw new InputError(command, option, `${other} and ${input} would both become ${path}`, remedy);
		}
		taken.set(path, input);
		if (there !== undefined) checkFile(command, option, path, inputs);
		return path;
	});
}

/** A file that may be created or replaced: its folder exists, its name is free or that of a file, and it is not one of the inputs. */
export function checkFile(command: string, name: string, path: string, inputs: readonly string[]): string {
	const there = stat(path);
	const kind = irregular(there);
	if (kind !== undefined) {
		const remedy = there?.isDirectory() ? "name a file in it" : "name a regular file, or one that does not exist yet";
		throw new InputError(command, name, `${path} is ${kind}`, remedy);
	}
	const folder = dirname(behindLinks(command, name, path));
	if (there === undefined && !stat(folder)?.isDirectory()) {
		throw new InputError(command, name, `the folder ${folder} does not exist`, "create it first");
	}
	const same = inputs.find((input) => input !== "-" && sameFile(there, stat(input)));
	if (same !== undefined) {
		throw new InputError(command, name, `${path} is the input ${same} itself`, "write to another file and rename it");
	}
	return path;
}

/** Makes the folder of an answer, and a file in it for a moment: an output that cannot be written is refused before the solve. */
export function tryFile(command: string, name: string, path: string): void {
	const created = makeFolder(path);
	try {
		tryToWrite(path, { followsLinks: true });
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throw new InputError(command, name, `${path} ${error.problem}`, error.remedy);
	} finally {
		if (created !== undefined) removeEmpty(dirname(resolve(path)), resolve(created));
	}
}

/** Removes the empty folders that were created for the test. */
function removeEmpty(folder: string, created: string): void {
	try {
		for (let at = folder; at.length >= created.length; at = dirname(at)) rmdirSync(at);
	} catch {
		// Another process has written something there meanwhile.
	}
}

/** All outputs of a line, before it works for them; many answers go to one folder. */
export function tryOutputs(command: string, [answer]: readonly (string | undefined)[], page: string | undefined): void {
	if (answer !== undefined) tryFile(command, option, answer);
	if (page !== undefined) tryFile(command, "--report", page);
	const why = whyUnwritable();
	if (why === undefined) return;
	throw new InputError(command, "standard output", `cannot be written (${why})`, "free some space, or redirect it");
}

/** Whether two names mean the same file, also if it does not exist yet. */
export function samePlace(command: string, one: string, other: string): boolean {
	const [a, b] = [one, other].map((path) => resolve(behindLinks(command, option, path)));
	return a === b || sameFile(stat(one), stat(other));
}

/** Makes the folder of an output, which is not there yet when the folder itself was named; returns the first of those that it made. */
export function makeFolder(path: string): string | undefined {
	try {
		return mkdirSync(dirname(path), { recursive: true });
	} catch (error) {
		const why = messageOf(error);
		throw new InputError(dirname(path), "folder", `cannot be made (${why})`, "choose another folder");
	}
}

/** The target of a link need not exist, but its folder must. */
function behindLinks(command: string, name: string, path: string): string {
	try {
		return landing(path);
	} catch (error) {
		// If the folder cannot be read, the error is about the folder.
		if (!(error instanceof InputError)) return path;
		throw new InputError(command, name, `${path} ${error.problem}`, error.remedy);
	}
}

function sameFile(one: Stats | undefined, other: Stats | undefined): boolean {
	return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

function stat(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}
