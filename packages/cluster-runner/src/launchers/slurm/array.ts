/**
 * `launch slurm --array N -- study ...`: an array of jobs, each a run of its own that measures its part of the cells. The terminal follows all of them, and then
 * gathers the results into the tables and the page of the study: a part that is lost leaves cells with the reason.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asNumber } from "../../cli/arguments.js";
import type { ExitCode, Terminal } from "../../cli/command.js";
import { beginRuns } from "../../launch/begin.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import type { Placement } from "../../placement/placement.js";
import { SLURM_FILES } from "../../records/files.js";
import type { StudyRequest } from "../../requests/study-request.js";
import { makeId, nameOf, type Run } from "../../runs/folder.js";
import { changeState, readState } from "../../runs/state.js";
import { groupCount } from "../../studies/group-count.js";
import { writeParts } from "../../studies/parts.js";
import { StudyRun } from "../../studies/study-run.js";
import { followArray } from "./follow-array.js";
import { submit } from "./queue.js";
import { arrayScript } from "./script.js";

/** How many jobs an array is asked to have; undefined for a single job. */
export function arraySize(request: LaunchRequest): number | undefined {
	const { array: text } = request.options;
	if (text === undefined) return undefined;
	const size = asNumber(text) ?? 0;
	if (!Number.isInteger(size) || size < 1)
		request.refuse("--array", `"${text}" is not a positive integer`, "give a number of jobs, e.g. --array 4");
	const study = studyOf(request);
	if (study.part !== undefined) request.refuse("--part", "is decided by --array", "leave out one of them");
	if (study.gathers) request.refuse("--gather", "needs no jobs", "run it without launch");
	const groups = groupCount(study);
	if (size > groups) {
		const cells = { profile: "a file", sensitivity: "a problem" };
		const each = study.kind in cells ? cells[study.kind as keyof typeof cells] : "a problem with a method";
		const lack = `${size} jobs are more than the study has groups of cells: ${groups}, each ${each}`;
		request.refuse("--array", lack, `give at most ${groups}`);
	}
	return size;
}

function studyOf(request: LaunchRequest): StudyRequest {
	return request.study ?? request.refuse("--array", "is for a study", "leave it out, or launch study");
}

export async function submitArray(
	request: LaunchRequest,
	size: number,
	placement: Placement,
	terminal: Terminal,
): Promise<ExitCode> {
	const study = studyOf(request);
	const array = makeId(nameOf(request));
	let id = "";
	const runs = await beginRuns(partsOf(request, study, array, size), placement, async (begun) => {
		writeParts(
			study.output,
			begun.map(({ folder }) => folder),
		);
		const script = join(begun[0]!.folder, SLURM_FILES.script);
		const { nodes, ranksPerNode } = placement;
		const batch = { nodes, ranksPerNode, cwd: process.cwd(), node: process.execPath };
		writeFileSync(script, arrayScript(request, array, size, batch));
		chmodSync(script, 0o700);
		id = await submit(script);
		return { scheduler: "slurm", id };
	});
	for (const [index, { folder }] of runs.entries()) {
		// It may be running by now, or have ended, and then has set its state itself.
		if (readState(folder).status !== "waiting") continue;
		changeState(folder, { status: "waiting", job: { scheduler: "slurm", id: `${id}_${index}` } });
	}
	terminal.err(`stickslip: runs ${runs.map(({ id: name }) => name).join(", ")} in ${request.runs}`);
	terminal.err(`stickslip: job ${id} of Slurm, an array of ${size}`);
	if (request.detach) {
		terminal.err(`stickslip: when they have ended, run the study with --gather for its tables`);
		return 0;
	}
	return await gathered(request, study, runs, id, terminal);
}

async function gathered(
	request: LaunchRequest,
	study: StudyRequest,
	runs: readonly Run[],
	id: string,
	terminal: Terminal,
): Promise<ExitCode> {
	const end = await followArray(runs, id, terminal);
	if (end === "detached") {
		terminal.err(`stickslip: detached; stickslip runs shows the parts`);
		return 0;
	}
	const { line, how } = request;
	const code = await new StudyRun({ line, how, study: { ...study, gathers: true } }, terminal).run();
	if (code !== 0)
		terminal.err("stickslip: run the command again to measure missing cells; --retry repeats failed ones");
	return end === "stopped" ? 75 : code;
}

/** A request for each part, whose run is named by the array and its number. */
function partsOf(request: LaunchRequest, study: StudyRequest, array: string, size: number): LaunchRequest[] {
	const { array: _array, ...options } = request.options;
	return Array.from({ length: size }, (_, index) => ({
		...request,
		options,
		// A run that is resumed is a job by itself.
		given: { ...request.given, options },
		solve: undefined,
		serve: undefined,
		simulate: undefined,
		study: { ...study, part: { index, of: size } },
		line: [...request.line, "--part", `${index}/${size}`],
		id: `${array}-${index}`,
	}));
}
