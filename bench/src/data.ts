/** The shared problems: where they are, which there are, and how one is read. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { condense, type Problem } from "@stickslip/core";
import {
	describeFclib,
	type FclibFile,
	type Hdf5Module,
	readProblem,
	readSolution,
	withFclib,
} from "@stickslip/core/fclib";

export interface DataFile {
	/** As in histories.jsonl: the file's name without its ending. */
	readonly name: string;
	readonly folder: string;
	readonly path: string;
}

/** The folder of the shared data, or undefined after a line that says where it was looked for. */
export function dataFolder(print: (line: string) => void = console.log): string | undefined {
	const folder = process.env.STICKSLIP_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
	if (existsSync(folder)) return folder;
	print("skipped: the shared problems are neither in STICKSLIP_DATA nor in ../shared/data");
	return undefined;
}

/** The problems of the folders, in the order of the folders and of their names. */
export function dataFiles(data: string, folders: readonly string[]): DataFile[] {
	return folders.flatMap((folder) =>
		readdirSync(join(data, folder))
			.filter((file) => file.endsWith(".hdf5"))
			.sort()
			.map((file) => ({ name: file.slice(0, -".hdf5".length), folder, path: join(data, folder, file) })),
	);
}

/** In the form that the file has. */
export async function readGiven(path: string): Promise<Problem> {
	return withFclib(await hdf5(), path, readProblem, basename(path));
}

/** With W formed, as most benches measure what comes after it: the bits of answers are the same. */
export async function readFile(path: string): Promise<Problem> {
	return condense(await readGiven(path));
}

/** h5wasm where core has it: this package has no need of its own for it. */
async function hdf5(): Promise<Hdf5Module> {
	const library = new URL(
		"../../node_modules/h5wasm/dist/node/hdf5_hl.js",
		import.meta.resolve("@stickslip/core/fclib"),
	);
	const { ready } = (await import(library.href)) as { readonly ready: Promise<Hdf5Module> };
	return await ready;
}

/** The hash of the answer in a file, as a report has it: the SHA-256 of R in the file's order, where both zeros are the same. */
export async function hashIn(path: string): Promise<string | undefined> {
	const read = (file: FclibFile) => readSolution(file, describeFclib(file).equalityRows)?.r;
	const reaction = withFclib(await hdf5(), path, read, basename(path))?.map((each) => each + 0);
	return reaction && createHash("sha256").update(new Uint8Array(reaction.buffer)).digest("hex");
}
