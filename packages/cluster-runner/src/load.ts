/** Problems from the names on the command line: files, or standard input by way of a temporary file. */
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "@stickslip/core";
import {
	describeFclib,
	type FclibDescription,
	type FclibInfo,
	type Hdf5Module,
	readInfo,
	readProblem,
	withFclib,
} from "@stickslip/core/fclib";

export interface Loaded {
	readonly problem: Problem;
	/** What the file says of itself, written back with the answer. */
	readonly info: FclibInfo;
}

export async function hdf5Module(): Promise<Hdf5Module> {
	const { ready } = await import("h5wasm/node");
	return (await ready) as unknown as Hdf5Module;
}

/** Throws where HDF5 cannot be loaded. */
export async function checkHdf5(): Promise<void> {
	await hdf5Module();
}

/** The problem of a file, or of standard input for "-"; `name` is what reports and messages call it. */
export async function load(input: string, name: string): Promise<Loaded> {
	const module = await hdf5Module();
	return await withPath(input, (path) =>
		withFclib(module, path, (file) => ({ problem: readProblem(file), info: readInfo(file) }), name),
	);
}

/** What a file's headers say, and the problem where a method could take it. */
export async function describe(
	input: string,
	name: string,
): Promise<{ description: FclibDescription; problem?: Problem }> {
	const module = await hdf5Module();
	return await withPath(input, (path) =>
		withFclib(
			module,
			path,
			(file) => {
				const description = describeFclib(file);
				if (description.refusal !== undefined) return { description };
				return { description, problem: readProblem(file, { form: "operator" }) };
			},
			name,
		),
	);
}

/** HDF5 jumps about in its files, so what comes through a pipe is put into one. */
async function withPath<Result>(input: string, use: (path: string) => Result): Promise<Result> {
	if (input !== "-") return use(input);
	const folder = mkdtempSync(join(tmpdir(), "stickslip-"));
	try {
		const path = join(folder, "stdin.hdf5");
		await writeFile(path, process.stdin);
		return use(path);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
