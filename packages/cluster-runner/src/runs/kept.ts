/** Whether a run's folder contains anything worth keeping: it is removed only if nothing is lost with it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CLAIM_PREFIX, FILES, SLURM_FILES } from "../records/files.js";
import { readProgress } from "../records/progress.js";
import { readReports } from "../records/reports.js";
import { readState } from "./state.js";

/** Created before the run begins, or replaced again and again. Any other file counts as worth keeping: it may be an answer. */
const remade = (): ReadonlySet<string> => {
	const { run, request, placement, launch, outputs, state, logs, stop, key, input } = FILES;
	return new Set([run, request, placement, launch, outputs, state, logs, stop, key, input, SLURM_FILES.script]);
};

/** For these folders their content counts. */
const folders: readonly string[] = [FILES.checkpoints, FILES.capsule];

/** Whether the folder contains any result: a checkpoint, a report, a capsule, an answer, or progress, which shows that the run was at work. */
export function keepsSomething(folder: string): boolean {
	const known = remade();
	try {
		return readdirSync(folder).some((name) => {
			if (known.has(name) || name.startsWith(CLAIM_PREFIX) || isUnfinished(name)) return false;
			return folders.includes(name) ? hasFiles(join(folder, name)) : true;
		});
	} catch {
		// A folder that cannot be read may contain anything.
		return true;
	}
}

/** A temporary file that was never renamed. */
function isUnfinished(name: string): boolean {
	return name.startsWith(".");
}

function hasFiles(folder: string): boolean {
	return readdirSync(folder, { withFileTypes: true }).some((entry) => {
		if (isUnfinished(entry.name)) return false;
		return !entry.isDirectory() || hasFiles(join(folder, entry.name));
	});
}

/** Whether a supervisor has claimed the run. */
function isClaimed(folder: string): boolean {
	return readdirSync(folder).some((name) => name.startsWith(CLAIM_PREFIX));
}

/** Removes the folder of a run without results; one with results or a supervisor stays, and so does one that cannot be removed. */
export function removeEmpty(folder: string): void {
	if (keepsSomething(folder) || isClaimed(folder)) return;
	try {
		rmSync(folder, { recursive: true, force: true });
	} catch {
		// Then it is listed as it is.
	}
}

/**
 * Whether the reports say that the run has ended without solving all of its problems. An exit code alone does not prove it: any crash of Node.js has the
 * same.
 */
export function provesUnsolved(folder: string): boolean {
	try {
		const reports = readReports(folder);
		if (reports.length < (readProgress(folder)?.inputs ?? 1)) return false;
		return reports.some(({ report }) => report.status !== "solved");
	} catch {
		return false;
	}
}

/** Whether a run has done anything before: then a failure is not bad use. */
export function hasBegun(folder: string): boolean {
	return readState(folder).attempt > 1 || keepsSomething(folder);
}
