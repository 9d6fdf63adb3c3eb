/** The files of a simulation's run: a part of each rank, and the XDMF file beside them. */
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
import { writeWhole } from "./write.js";

const RANK_DIGITS = 4;
/** The magic number of a run file. */
const BEGINNING_BYTES = 4096;

function withoutExtension(output: string): string {
	return output.replace(/\.(h5|hdf5)$/i, "");
}

/** Rank 0 writes the file that the user named, other ranks write files beside it. */
export function partPath(output: string, rank: number): string {
	if (rank === 0) return output;
	return `${withoutExtension(output)}.rank-${String(rank).padStart(RANK_DIGITS, "0")}.h5`;
}

export function xdmfPath(output: string): string {
	return `${withoutExtension(output)}.xdmf`;
}

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

/** All parts that are there, by rank. */
export function partPaths(output: string): string[] {
	const folder = dirname(output);
	const beginning = `${basename(withoutExtension(output))}.rank-`;
	const others = readdirSync(folder).filter((name) => name.startsWith(beginning) && /\.rank-\d{4,}\.h5$/.test(name));
	return [output, ...others.sort().map((name) => join(folder, name))];
}

/** Parts that an earlier run on more ranks has left: a new run does not have them. */
export function removeParts(output: string): void {
	for (const path of partPaths(output)) if (path !== output) rmSync(path, { force: true });
}

export async function openRun(output: string): Promise<RunReader> {
	if (!existsSync(output)) throw missingFile(output);
	const module = await loadHdf5();
	const parts: RunPart[] = [];
	try {
		for (const path of partPaths(output)) {
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

/** Names of the parts without which no step of these ranks can be read. */
export function missingParts(output: string, { parts }: RunReader): string[] {
	const ranks = Math.max(0, ...[...(parts[0]?.steps.values() ?? [])].map((step) => step.ranks));
	const missing = Array.from({ length: ranks }, (_, rank) => rank).filter(
		(rank) => !parts.some((part) => part.rank === rank),
	);
	return missing.map((rank) => basename(partPath(output, rank)));
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
