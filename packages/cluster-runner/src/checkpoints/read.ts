/**
 * Reads a run's newest checkpoint that is sound. A damaged one is reported, and the one before it is used. One that cannot be read (too many open
 * files, no permission, a disk that is away) is not damaged: continuing without it would do its work again, and remove it.
 */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, version } from "@stickslip/core";
import { gatherStates, type RunState } from "@stickslip/core/parallel";
import { codeOf, messageOf } from "../base/errors.js";
import { countsOf } from "../protocol/plain-state.js";
import { LaunchError } from "../protocol/refusal.js";
import { Damage } from "./damage.js";
import { iterationsIn, nameOf } from "./folder.js";
import { type Identity, otherOption } from "./identity.js";
import {
	CHECKPOINT_FORMAT,
	MANIFEST,
	MANIFEST_BYTES_MAX,
	type Manifest,
	parseManifest,
	partName,
	sameCounts,
} from "./manifest.js";
import { readPart } from "./part.js";

/** More than a run keeps; a folder with more of them does not belong to a run. */
const CHECKPOINTS_MAX = 100;

export interface Found {
	readonly state: RunState;
	readonly folder: string;
	/** Of all parts. */
	readonly bytes: number;
}

/** Errors of the system that mean that there is no file to read: all others may be gone the next time. */
const NO_FILE: readonly unknown[] = ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENXIO"];

/**
 * `damaged` is called for each checkpoint that cannot be used. Throws an InputError for one of another problem, other options or another version, and a
 * LaunchError where one, or the folder of all, cannot be read.
 */
export async function readNewest(
	folder: string,
	identity: Identity,
	damaged: (path: string, reason: string) => void,
): Promise<Found | undefined> {
	const iterations = await iterationsIn(folder).catch((error: unknown) => unreadable(folder, "folder", error));
	for (const iteration of iterations.slice(0, CHECKPOINTS_MAX)) {
		const path = join(folder, nameOf(iteration));
		try {
			return await readOne(path, iteration, identity);
		} catch (error) {
			if (error instanceof InputError && error.source === path) throw error;
			// Inconsistent numbers make it as useless as a flipped bit.
			damaged(path, messageOf(error));
		}
	}
	return undefined;
}

async function readOne(path: string, iteration: number, identity: Identity): Promise<Found> {
	const is = await lstat(path).catch((error: unknown) => named(error, path, "folder"));
	if (!is.isDirectory()) throw new Damage("is not a folder");
	const manifest = await readManifest(path).catch((error: unknown) => named(error, path, MANIFEST));
	if (manifest.iteration !== iteration) throw new Damage(`${MANIFEST} is of iteration ${manifest.iteration}`);
	checkIdentity(path, manifest, identity);
	const { parts } = manifest;
	const expected = new Set([MANIFEST, ...parts.map((_, rank) => partName(rank))]);
	const names = await readdir(path).catch((error: unknown) => named(error, path, "folder"));
	const foreign = names.find((name) => !expected.has(name) && !name.startsWith("."));
	if (foreign !== undefined) throw new Damage(`${foreign} does not belong to it`);
	const states: RunState[] = [];
	for (const [rank, part] of parts.entries()) {
		const name = partName(rank);
		const state = await readPart(join(path, name), part).catch((error: unknown) => named(error, path, name));
		if (state.iteration !== iteration) throw new Damage(`${name} is of iteration ${state.iteration}`);
		if (!sameCounts(countsOf(state), part.counts)) throw new Damage(`${name} has other counts than ${MANIFEST}`);
		states.push(state);
	}
	const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
	return { state: gatherStates(states), folder: path, bytes };
}

/** `path`: of the checkpoint. */
async function readManifest(path: string): Promise<Manifest> {
	const file = join(path, MANIFEST);
	const is = await lstat(file);
	if (!is.isFile()) throw new Damage("is not a file");
	if (is.size > MANIFEST_BYTES_MAX) throw new Damage(`has ${is.size} bytes`);
	return parseManifest(await readFile(file, "utf8"), (format) => {
		const remedy = "use the version that wrote it, or start a new run";
		throw new InputError(path, "format", `is ${format}, and this version reads ${CHECKPOINT_FORMAT}`, remedy);
	});
}

/** `name`: of a file in the folder of the checkpoint. */
function named(error: unknown, path: string, name: string): never {
	if (error instanceof Damage) throw error.of(name);
	if (error instanceof InputError) throw error;
	const code = codeOf(error);
	if (code === "ENOENT") throw new Damage(`${name} is missing`);
	// Running out of memory has no error code.
	const isNow = code === undefined ? error instanceof RangeError : !NO_FILE.includes(code);
	if (isNow) return unreadable(path, name, error);
	throw new Damage(`${name} cannot be read (${code ?? String(error)})`);
}

function unreadable(path: string, place: string, error: unknown): never {
	const code = codeOf(error);
	const isDenied = code === "EACCES" || code === "EPERM";
	const remedy = isDenied ? "resume as the user who started it" : "try again, or remove it to use the previous one";
	throw new LaunchError(path, place, `cannot be read (${code ?? String(error)})`, remedy);
}

function checkIdentity(path: string, theirs: Manifest, ours: Identity): void {
	const refuse = (place: string, problem: string, remedy: string): never => {
		throw new InputError(path, place, problem, remedy);
	};
	const anew = "start a new run";
	if (theirs.version !== version) {
		refuse("version", `was written by ${theirs.version}, this is ${version}`, `use ${theirs.version}, or ${anew}`);
	}
	if (theirs.program !== ours.program) {
		refuse("program", `is a checkpoint of ${theirs.program}, not of ${ours.program}`, anew);
	}
	if (theirs.problem !== ours.problem) refuse("problem", "is a checkpoint of another problem", anew);
	const option = otherOption(theirs.options, ours.options);
	if (option !== undefined) refuse("options", `was made with ${option}`, `use the same, or ${anew}`);
}
