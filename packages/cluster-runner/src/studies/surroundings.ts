/** What a study knows of its run, and how it ends. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { ExitCode, Terminal } from "../cli/command.js";
import type { Origin } from "../output/page.js";
import type { LaunchedPlacement } from "../ranks/choose.js";
import type { Log } from "../records/log.js";
import { type CellPlan, isComplete, type StudyProgress } from "../study/run-cells.js";
import { FAILED, type Sample } from "../study/sample.js";
import { SAMPLES_FILE, SampleFile, type StudyHead } from "../study/sample-file.js";

export interface StudySurroundings {
	/** The words after `stickslip`. */
	readonly line: readonly string[];
	readonly terminal: Terminal;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: StudyProgress) => void;
	/** Where a launcher has placed the study. */
	readonly placement: LaunchedPlacement | undefined;
	readonly log: Log | undefined;
	readonly isLaunched: boolean;
}

/** Of a study that was asked to stop: the same line, or stickslip resume, goes on. */
const STOPPED = 75;

export function openSamples(folder: string, head: StudyHead): SampleFile {
	return new SampleFile(join(folder, SAMPLES_FILE), head);
}

export function originOf({ line }: StudySurroundings): Origin {
	return { date: new Date(), host: hostname(), words: line };
}

/** The exit code, after the reasons of cells that failed. */
export function endOf(
	plan: CellPlan,
	file: SampleFile,
	samples: readonly Sample[],
	{ terminal, isLaunched }: StudySurroundings,
): ExitCode {
	if (!isComplete(plan, file)) {
		const remedy = isLaunched ? "" : "; the same line again goes on with what is left";
		terminal.err(`stickslip: stopped${remedy}`);
		return STOPPED;
	}
	const reasons = new Set(samples.filter(({ status }) => status === FAILED).map(({ reason }) => reason));
	for (const reason of reasons) terminal.err(`stickslip: ${reason}`);
	return reasons.size > 0 ? 2 : 0;
}
