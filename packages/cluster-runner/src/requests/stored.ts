/** The request of a run, in its folder: what it does never changes, how it runs is replaced if it is resumed in another way. */
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { record } from "@stickslip/core/schema";
import { withoutUndefined } from "../base/without-undefined.js";
import { readFields, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import type { CommandLine } from "./command-line.js";
import { isServeRequest, type ServeCommandLine } from "./serve-request.js";
import { isSimulateRequest, type SimulateCommandLine } from "./simulate-request.js";
import { isHow, isSolveRequest, type SolveCommandLine } from "./solve-request.js";
import { isStudyRequest, type StudyCommandLine } from "./study-request.js";

type Stored =
	| Omit<SolveCommandLine, "line">
	| Omit<ServeCommandLine, "line">
	| Omit<SimulateCommandLine, "line">
	| Omit<StudyCommandLine, "line">;

const isStoredSolve = record({ solve: isSolveRequest, how: isHow });
const isStoredServe = record({ serve: isServeRequest, how: isHow });
const isStoredSimulate = record({ simulate: isSimulateRequest, how: isHow });
const isStoredStudy = record({ study: isStudyRequest, how: isHow });

export function writeRequest(folder: string, { solve, serve, simulate, study, how }: Stored | CommandLine): void {
	const request = withoutUndefined({ solve, serve, simulate, study, how });
	replaceJson(join(folder, FILES.request), request, true);
}

export function readRequest(folder: string): Stored {
	const fields = readFields(join(folder, FILES.request));
	if (fields === undefined) {
		const problem = "is missing, as in runs of earlier versions";
		throw new InputError(folder, FILES.request, problem, "solve it again; stickslip status shows its command");
	}
	if ("simulate" in fields.values) return fields.all(isStoredSimulate);
	if ("study" in fields.values) return fields.all(isStoredStudy);
	return "serve" in fields.values ? fields.all(isStoredServe) : fields.all(isStoredSolve);
}
