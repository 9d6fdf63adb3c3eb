/** Opens the files of a simulation's run, and writes the XDMF file beside them. */
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "@stickslip/core";
import {
	type AppendModule,
	closedSuperblock,
	RUN_FORMAT,
	RunPart,
	RunReader,
	SUPERBLOCK_BYTES,
	xdmf,
} from "@stickslip/mechanics";
import { missingFile } from "../base/errors.js";
import { loadHdf5 } from "../base/hdf5.js";
import { partPaths, xdmfPath } from "./run-names.js";
import { writeWhole } from "./write.js";

/** The magic number of a run file. */
const BEGINNING_BYTES = 4096;

/** Whether it is the file of a run, or a part of it; by its first bytes, so that nothing else is opened for writing. */
export function isRunFile(path: string): boolean {
	if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
	const file = openSync(path, "r");
	try {
		const beginning = Buffer.alloc(BEGINNING_BYTES);
		const length = readSync(file, beginning, 0, BEGINNING_BYTES, 0);
		return beginning.toString("latin1", 1, 4) === "HDF" && beginning.subarray(0, length).includes(RUN_FORMAT);
	} finally {
		closeSync(file);
	}
}

export async function openRun(output: string): Promise<RunReader> {
	if (!existsSync(output)) throw missingFile(output);
	const module = await loadHdf5();
	const parts: RunPart[] = [];
	try {
		// Parts are beside the file itself, not beside a link to it.
		for (const path of partPaths(lstatSync(output).isSymbolicLink() ? realpathSync(output) : output)) {
			closeAfterKill(path);
			parts.push(new RunPart(module, path));
		}
	} catch (error) {
		for (const part of parts) part.close();
		throw error;
	}
	const [{ rank }] = parts as [RunPart];
	if (rank === 0) return new RunReader(parts);
	for (const part of parts) part.close();
	throw new InputError(output, "/rank", `is the part of rank ${rank}`, "name the file of rank 0, without .rank-");
}

/** A killed writer leaves its file marked as open, and HDF5 refuses it. Not to be called while it is written to. */
function closeAfterKill(path: string): void {
	let file: number;
	try {
		file = openSync(path, "r+");
	} catch {
		// It may be readable all the same.
		return;
	}
	try {
		const beginning = new Uint8Array(SUPERBLOCK_BYTES);
		readSync(file, beginning, 0, SUPERBLOCK_BYTES, 0);
		const closed = closedSuperblock(beginning);
		if (closed !== undefined) writeSync(file, closed, 0, SUPERBLOCK_BYTES, 0);
	} finally {
		closeSync(file);
	}
}

/** The XDMF file that ParaView opens, with all stored steps. */
export function writeXdmf(output: string, run: RunReader): void {
	writeWhole(
		xdmfPath(output),
		xdmf(run, ({ path }) => basename(path)),
		{ isLasting: false, followsLinks: true },
	);
}

/** With what appends. */
export async function loadAppender(): Promise<AppendModule> {
	return (await loadHdf5()) as AppendModule;
}
