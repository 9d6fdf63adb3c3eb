/** What a run's folder contains that is worth keeping: the folder is removed only if it is certain that nothing is lost with it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CLAIM_PREFIX, FILES, SLURM_FILES } from "../records/files.js";
import { readProgress } from "../records/progress.js";
import { readReports } from "../records/reports.js";
import { readState } from "./state.js";

/** Made before the run begins, or again and again. Whatever else is there counts as kept: a file of another name may be somebody's answer. */
const remade = (): ReadonlySet<string> => {
	const { run, request, placement, launch, state, logs, stop, key, input } = FILES;
	return new Set([run, request, placement, launch, state, logs, stop, key, input, SLURM_FILES.script]);
};

/** Of these it counts what is in them. */
const folders: readonly string[] = [FILES.checkpoints, FILES.capsule];

/** Whether anything that was reached is in the folder: a checkpoint, a report, a capsule, an answer, or progress, which says that one was due. */
export function keepsSomething(folder: string): boolean {
	const known = remade();
	try {
		return readdirSync(folder).some((name) => {
			if (known.has(name) || name.startsWith(CLAIM_PREFIX) || isUnfinished(name)) return false;
			return folders.includes(name) ? hasFiles(join(folder, name)) : true;
		});
	} catch {
		// What cannot be read may hold anything.
		return true;
	}
}

/** Written beside the place it was to have, and never put there. */
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

/** Removes the folder of a run that came to nothing; one that keeps something or is supervised stays, and so does one that cannot be removed. */
export function removeEmpty(folder: string): void {
	if (keepsSomething(folder) || isClaimed(folder)) return;
	try {
		rmSync(folder, { recursive: true, force: true });
	} catch {
		// Then it is listed as what it is.
	}
}

/**
 * Whether the reports say that the run has ended without solving all of its problems. An exit code alone does not: any program of Node.js that
 * breaks ends with the same.
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

/** Whether anything of a run was done before: then it is not wrong from the start, whatever fails now. */
export function hasBegun(folder: string): boolean {
	return readState(folder).attempt > 1 || keepsSomething(folder);
}
