/** What a study knows of its run, and how it ends. */
import { hostname } from "node:os";
import { join } from "node:path";
import { counted } from "../base/format.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import type { Origin } from "../output/page.js";
import type { LaunchedPlacement } from "../ranks/choose.js";
import { type Claim, claim } from "../records/claim.js";
import type { Log } from "../records/log.js";
import type { StudyRequest } from "../requests/study-request.js";
import {
	type CellPlan,
	isComplete,
	missingSamples,
	plannedSamples,
	runCells,
	type StudyProgress,
} from "../study/run-cells.js";
import { FAILED, type Sample } from "../study/sample.js";
import { SAMPLES_FILE, SampleFile, type StudyHead } from "../study/sample-file.js";
import { missingReasons } from "./parts.js";
import type { StartStates } from "./start-states.js";

export interface StudySurroundings {
	/** The words after `stickslip`. */
	readonly line: readonly string[];
	readonly terminal: Terminal;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: StudyProgress) => void;
	/** Where a launcher has placed the study. */
	readonly placement: LaunchedPlacement | undefined;
	/** A part of that for so many ranks. */
	readonly placementFor: ((ranks: number) => LaunchedPlacement) | undefined;
	readonly log: Log | undefined;
	readonly starts: StartStates;
	readonly isLaunched: boolean;
}

/** Exit code of a study that was stopped: the same command, or stickslip resume, continues it. */
const STOPPED = 75;

/** Each part of a study has a file of its own. */
function samplesFile(part: StudyRequest["part"]): string {
	return part === undefined ? SAMPLES_FILE : `cells-${part.index}-of-${part.of}.jsonl`;
}

/** Throws an InputError if another process measures the same part. `run`: the folder of the run that it belongs to. */
export async function claimSamples({ output, part }: StudyRequest, run: string | undefined): Promise<Claim> {
	return await claim(output, {
		source: "study",
		place: "--output",
		problem: `${join(output, samplesFile(part))} is being written by another process`,
		remedy: "wait for its end, or name another folder",
		prefix: `.${samplesFile(part)}.claim-`,
		run,
	});
}

export function openSamples({ output, part, retriesFailed }: StudyRequest, head: StudyHead): SampleFile {
	return new SampleFile(join(output, samplesFile(part)), head, { retriesFailed });
}

/** Measures what is left of the plan, and returns all that is there, also from other parts; the file is closed. */
export async function measureCells(
	plan: CellPlan,
	file: SampleFile,
	{ part, gathers, output }: StudyRequest,
	{ signal, onProgress, terminal }: StudySurroundings,
	atOnce?: number,
): Promise<Sample[]> {
	const failed = plannedSamples(plan, file).filter(({ status }) => status === FAILED).length;
	if (failed > 0 && gathers !== true)
		terminal.err(`stickslip: ${counted(failed, "measurement")} failed before; --retry repeats them`);
	try {
		if (gathers !== true) await runCells(plan, { file, signal, part, onProgress, ...(atOnce && { atOnce }) });
	} finally {
		file.close();
		terminal.passing("");
	}
	file.readOthers();
	const samples = plannedSamples(plan, file);
	return gathers === true ? [...samples, ...missingSamples(plan, file, missingReasons(output))] : samples;
}

export function originOf({ line }: StudySurroundings): Origin {
	return { date: new Date(), host: hostname(), words: line };
}

/** The exit code, after the reasons of cells that failed. */
export function endOf(
	plan: CellPlan,
	file: SampleFile,
	samples: readonly Sample[],
	{ part, gathers }: StudyRequest,
	{ terminal, isLaunched, signal }: StudySurroundings,
): ExitCode {
	if (!isComplete(plan, file) && gathers !== true) {
		if (part === undefined || signal.aborted) {
			const remedy = isLaunched ? "" : "; run the command again to continue";
			terminal.err(`stickslip: stopped${remedy}`);
			return STOPPED;
		}
		terminal.err(`stickslip: part ${part.index} of ${part.of} is done; other parts are missing`);
	}
	const reasons = new Set(samples.filter(({ status }) => status === FAILED).map(({ reason }) => reason));
	for (const reason of reasons) terminal.err(`stickslip: ${reason}`);
	return reasons.size > 0 ? 2 : 0;
}
