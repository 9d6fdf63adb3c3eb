/** What a run was asked for, in its folder: what it solves stays as it was, how it runs is replaced where it is resumed in another way. */
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { readFields, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import { isStored, type SolveCommandLine } from "./solve-request.js";

type Stored = Omit<SolveCommandLine, "line">;

export function writeRequest(folder: string, { solve, how }: Stored): void {
	replaceJson(join(folder, FILES.request), { solve, how }, true);
}

export function readRequest(folder: string): Stored {
	const fields = readFields(join(folder, FILES.request));
	if (fields === undefined) {
		const problem = "is missing, as in runs of earlier versions";
		throw new InputError(folder, FILES.request, problem, "solve it again; stickslip status shows its command");
	}
	return fields.all(isStored);
}
