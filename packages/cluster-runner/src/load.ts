/** Problems from the names on the command line: files, or standard input by way of a temporary file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, type Problem } from "@stickslip/core";
import {
	describeFclib,
	type FclibDescription,
	type FclibFile,
	type FclibInfo,
	readInfo,
	readProblem,
	withFclib,
} from "@stickslip/core/fclib";
import { loadHdf5 } from "./hdf5.js";
import { withTemporaryFolder } from "./temporary.js";

export interface Loaded {
	readonly problem: Problem;
	/** What the file says of itself, written back with the answer. */
	readonly info: FclibInfo;
}

/** The problem of an FCLIB file, or of standard input for "-"; `name` is what reports and messages call it. */
export async function load(input: string, name = input): Promise<Loaded> {
	// W of a global form or of bodies is not formed here: whether it is worth it is the solver's choice.
	return await reading(input, name, (file) => ({
		problem: readProblem(file, { form: "operator" }),
		info: readInfo(file),
	}));
}

export interface Described {
	readonly description: FclibDescription;
	/** There where a method could take it. */
	readonly problem?: Problem;
}

export async function describe(input: string, name = input): Promise<Described> {
	return await reading(input, name, (file) => {
		const description = describeFclib(file);
		// A problem without contacts is a bad one to solve and a good one to describe.
		if (description.refusal !== undefined || description.contacts === 0) return { description };
		return { description, problem: readProblem(file, { form: "operator" }) };
	});
}

async function reading<Result>(input: string, name: string, use: (file: FclibFile) => Result): Promise<Result> {
	const module = await loadHdf5();
	if (input !== "-") return withFclib(module, input, use, name);
	if (process.stdin.isTTY) throw new InputError(name, "file", "is a terminal", "pipe an FCLIB file into it");
	// HDF5 jumps about in its files, so what comes through a pipe becomes one first.
	return await withTemporaryFolder(async (folder) => {
		const path = join(folder, "stdin.hdf5");
		await writeFile(path, process.stdin);
		return withFclib(module, path, use, name);
	});
}
