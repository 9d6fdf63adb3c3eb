/** All information in a run's folder, as of one moment. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ageOf, fileClock } from "../base/file-clock.js";
import { namesIn } from "../base/folders.js";
import { launchedWhere } from "../placement/launch-options.js";
import { type Placement, placementIn } from "../placement/placement.js";
import { type RunFacts, readRun } from "../records/facts.js";
import { FILES } from "../records/files.js";
import { type ProgressFile, readProgress } from "../records/progress.js";
import { type Finished, readReports } from "../records/reports.js";
import { readService, type ServiceFacts } from "../records/service.js";
import { hasEnded, type RunStatus, readRunStatus } from "./run-status.js";
import type { State } from "./state.js";

export interface View {
	readonly folder: string;
	readonly facts: RunFacts;
	readonly state: State;
	readonly runStatus: RunStatus;
	/** Seconds since the state of a run that is not over was renewed. */
	readonly age?: number;
	readonly progress?: ProgressFile;
	readonly reports: readonly Finished[];
	/** The newest checkpoint of the problem that was last at work. */
	readonly checkpoint?: Checkpoint;
	readonly placement?: Placement;
	/** Where a running service listens. */
	readonly service?: ServiceFacts;
}

export interface Checkpoint {
	readonly input: number;
	readonly iteration: number;
	readonly bytes: number;
	/** Since it was written. */
	readonly age: number;
}

/** Throws an InputError if the facts of the run, or any other damaged file, cannot be read. */
export function viewOf(folder: string): View {
	const recorded = readRun(folder);
	// Where it was launched last: a run may be resumed elsewhere.
	const facts = { ...recorded, where: launchedWhere(folder) ?? recorded.where };
	const { state, ...runStatus } = readRunStatus(folder);
	const progress = readProgress(folder);
	const checkpoint = newestCheckpoint(
		join(folder, FILES.checkpoints),
		hasEnded(state.status) ? undefined : fileClock(folder),
	);
	const age = hasEnded(state.status) ? undefined : ageOf(folder, FILES.state);
	const placement = placementIn(folder);
	const service = runStatus.status === "running" ? readService(folder) : undefined;
	return {
		folder,
		facts,
		state,
		runStatus,
		...(age !== undefined && { age }),
		...(progress && { progress }),
		reports: readReports(folder),
		...(checkpoint && { checkpoint }),
		...(placement && { placement }),
		...(service && { service }),
	};
}

/** True for a run that can be resumed from where it was. */
export function hasCheckpoint(runFolder: string): boolean {
	return newestCheckpoint(join(runFolder, FILES.checkpoints)) !== undefined;
}

/** Folders INPUT/ITERATION; those with a manifest are complete. `now` is on the clock of the file system. */
function newestCheckpoint(folder: string, now = Date.now()): Checkpoint | undefined {
	const input = numbersIn(folder).at(-1);
	if (input === undefined) return undefined;
	for (const name of numbersIn(join(folder, input)).reverse()) {
		const place = join(folder, input, name);
		const manifest = statSync(join(place, "manifest.json"), { throwIfNoEntry: false });
		if (manifest === undefined) continue;
		const age = Math.max(0, (now - manifest.mtimeMs) / 1000);
		return { input: Number(input), iteration: Number(name), bytes: bytesIn(place), age };
	}
	return undefined;
}

/** Names that are numbers, by size. Folders are created and removed while a run is at work. */
function numbersIn(folder: string): string[] {
	const names = namesIn(folder).filter((name) => /^\d{1,15}$/.test(name));
	return names.sort((one, other) => Number(one) - Number(other));
}

function bytesIn(folder: string): number {
	const sizes = namesIn(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
	return sizes.reduce((sum, size) => sum + size, 0);
}
