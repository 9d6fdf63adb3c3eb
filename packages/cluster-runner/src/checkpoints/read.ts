/** Reads a run's newest checkpoint that is sound. A damaged one is told of, and the one before it is taken. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, version } from "@stickslip/core";
import { gatherStates, type RunState } from "@stickslip/core/parallel";
import { Damage } from "./damage.js";
import { iterationsIn, nameOf } from "./folder.js";
import { type Identity, otherOption } from "./identity.js";
import { FORMAT, MANIFEST, MANIFEST_BYTES_MAX, type Manifest, parseManifest, partName } from "./manifest.js";
import { readPart } from "./part.js";

/** More than a run keeps; a folder with more of them is no run's. */
const CHECKPOINTS_MAX = 100;

export interface Found {
	readonly state: RunState;
	readonly folder: string;
	/** Of all parts. */
	readonly bytes: number;
}

/** `damaged` hears of each checkpoint that cannot be used. Throws an InputError for one of another problem, other options or another version. */
export async function readNewest(
	folder: string,
	identity: Identity,
	damaged: (path: string, reason: string) => void,
): Promise<Found | undefined> {
	for (const iteration of (await iterationsIn(folder)).slice(0, CHECKPOINTS_MAX)) {
		const path = join(folder, nameOf(iteration));
		try {
			return await readOne(path, iteration, identity);
		} catch (error) {
			if (error instanceof InputError && error.source === path) throw error;
			// A file that cannot be read, or numbers that do not fit together, make it as useless as a flipped bit does.
			damaged(path, error instanceof Error ? error.message : String(error));
		}
	}
	return undefined;
}

async function readOne(path: string, iteration: number, identity: Identity): Promise<Found> {
	if (!(await lstat(path)).isDirectory()) throw new Damage("is no folder");
	const manifest = await readManifest(join(path, MANIFEST)).catch((error: unknown) => named(error, MANIFEST));
	if (manifest.iteration !== iteration) throw new Damage(`${MANIFEST} is of iteration ${manifest.iteration}`);
	checkIdentity(path, manifest, identity);
	const { parts } = manifest;
	const expected = new Set([MANIFEST, ...parts.map((_, rank) => partName(rank))]);
	const foreign = (await readdir(path)).find((name) => !expected.has(name) && !name.startsWith("."));
	if (foreign !== undefined) throw new Damage(`${foreign} does not belong to it`);
	const states: RunState[] = [];
	for (const [rank, part] of parts.entries()) {
		const name = partName(rank);
		const state = await readPart(join(path, name), part).catch((error: unknown) => named(error, name));
		if (state.iteration !== iteration) throw new Damage(`${name} is of iteration ${state.iteration}`);
		if (state.ids.length !== part.blocks)
			throw new Damage(`${name} has ${state.ids.length} blocks, not ${part.blocks}`);
		states.push(state);
	}
	const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
	return { state: gatherStates(states), folder: path, bytes };
}

async function readManifest(path: string): Promise<Manifest> {
	const is = await lstat(path);
	if (!is.isFile()) throw new Damage("is no file");
	if (is.size > MANIFEST_BYTES_MAX) throw new Damage(`has ${is.size} bytes`);
	return parseManifest(await readFile(path, "utf8"));
}

function named(error: unknown, name: string): never {
	if (error instanceof Damage) throw error.of(name);
	const { code } = error as NodeJS.ErrnoException;
	throw new Damage(`${name} ${code === "ENOENT" ? "is missing" : `cannot be read (${code ?? String(error)})`}`);
}

function checkIdentity(path: string, theirs: Manifest, ours: Identity): void {
	const refuse = (place: string, problem: string, remedy: string): never => {
		throw new InputError(path, place, problem, remedy);
	};
	const anew = "solve it in a run of its own";
	if (theirs.format !== FORMAT) {
		refuse("format", `is ${theirs.format}, and this program reads ${FORMAT}`, "go on with the version that wrote it");
	}
	if (theirs.version !== version) {
		refuse(
			"version",
			`was written by ${theirs.version}, this is ${version}`,
			`go on with ${theirs.version}, or ${anew}`,
		);
	}
	if (theirs.problem !== ours.problem) refuse("problem", "is a checkpoint of another problem", anew);
	const option = otherOption(theirs.options, ours.options);
	if (option !== undefined) refuse("options", `was made with ${option}`, `use the same, or ${anew}`);
}
