/** Creates the folder of a run, completely or not at all, with its placement and with the problem from standard input. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOrText } from "../base/errors.js";
import { counted, oneLine } from "../base/format.js";
import { describeFailure } from "../base/last-resort.js";
import { handleSignals, holdSignals } from "../base/signals.js";
import type { Terminal } from "../cli/command.js";
import { writeLaunchOptions } from "../placement/launch-options.js";
import type { Placement } from "../placement/placement.js";
import { readSmall, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import { commandLineOf } from "../requests/command-line.js";
import { createRun, makeId, nameOf, type Run } from "../runs/folder.js";
import { removeEmpty } from "../runs/kept.js";
import { cancelJob } from "../runs/scheduler.js";
import type { SchedulerJob } from "../runs/state.js";
import type { LaunchRequest } from "./launch-request.js";
import { readsStandardInput } from "./launchable.js";

/**
 * Creates the run's folder; if that fails, or a signal arrives before it is done, nothing of it stays. A run that is resumed has its folder, and keeps
 * it as it was. `submit` submits the run to a scheduler.
 */
export async function beginRun(
	request: LaunchRequest,
	placement: Placement | undefined,
	submit?: (run: Run) => Promise<SchedulerJob>,
): Promise<Run> {
	const [run] = await beginRuns([request], placement, submit && (([only]) => submit(only!)));
	return run!;
}

/** The same for runs that are submitted together: all or none. */
export async function beginRuns(
	requests: readonly LaunchRequest[],
	placement: Placement | undefined,
	submit?: (runs: readonly Run[]) => Promise<SchedulerJob>,
): Promise<Run[]> {
	const ending = new Ending();
	const runs: Run[] = [];
	try {
		for (const request of requests) {
			const { where, restarts, checkpoint, capsule, id } = request;
			const named = id === undefined ? {} : { id };
			const facts = { ...commandLineOf(request), where, restarts, checkpoint, capsule, ...named };
			const run = request.run ?? createRun(request.runs, facts);
			// Slurm may have started a new run meanwhile, which then stays.
			ending.undo.push(request.run === undefined ? () => removeEmpty(run.folder) : restorer(run));
			runs.push(run);
			await fillFolder(request, run, placement);
		}
		if (submit !== undefined) await ending.submit(() => submit(runs));
		// The runs exist; from now on signals are for their supervisors.
		holdSignals();
		return runs;
	} catch (error) {
		for (const undo of ending.undo) undo();
		throw error;
	} finally {
		ending.over();
	}
}

/** Handles signals while a run is created: undoes that, and ends the process. */
class Ending {
	readonly undo: (() => void)[] = [];
	readonly over: () => void;
	#isTaking = false;
	#came: NodeJS.Signals | undefined;

	constructor() {
		this.over = handleSignals((signal) => {
			// A second signal does not wait for the scheduler.
			if (!this.#isTaking || this.#came !== undefined) this.#end(signal);
			this.#came = signal;
		});
	}

	/** A submission that is interrupted may have created a job with an unknown id: it is waited for, and the job is cancelled. */
	async submit(submit: () => Promise<SchedulerJob>): Promise<void> {
		this.#isTaking = true;
		const job = await submit();
		this.#isTaking = false;
		if (this.#came === undefined) return;
		try {
			cancelJob(job);
		} catch (error) {
			process.stderr.write(`stickslip: ${describeFailure(error)}\n`);
		}
		this.#end(this.#came);
	}

	#end(signal: NodeJS.Signals): never {
		for (const undo of this.undo) undo();
		process.exit(128 + constants.signals[signal]);
	}
}

/** Writes the placement, the launch record, and the problem from standard input. */
async function fillFolder(request: LaunchRequest, { folder }: Run, placement: Placement | undefined): Promise<void> {
	if (placement !== undefined) replaceJson(join(folder, FILES.placement), placement, true);
	writeLaunchOptions(folder, request.given);
	if (request.run === undefined && readsStandardInput(request)) await readInput(join(folder, FILES.input));
}

/** Restores the files of a resumed run if the launch is refused. */
function restorer({ folder }: Run): () => void {
	const files = [FILES.placement, FILES.launch].map((name) => join(folder, name));
	const before = files.map((file) => readSmall(file));
	return () => {
		for (const [index, file] of files.entries()) putBack(file, before[index]);
	};
}

/** Restores a file as a whole: on a full disk the present content is better than half of the old one. */
function putBack(file: string, text: string | undefined): void {
	try {
		if (text === undefined) rmSync(file, { force: true });
		else if (readSmall(file) !== text) replaceJson(file, JSON.parse(text), true);
	} catch {
		// The reason of the refusal is more important.
	}
}

/** The line reads it from this file, each time it is started. */
async function readInput(file: string): Promise<void> {
	if (process.stdin.isTTY) throw new InputError("standard input", "file", "is a terminal", "pipe an FCLIB file to it");
	try {
		await writeFile(file, process.stdin, { mode: 0o600 });
	} catch (error) {
		const problem = `cannot be read (${codeOrText(error)})`;
		throw new InputError(
			"standard input",
			"file",
			problem,
			"check where it comes from, and that the folder of runs has room",
		);
	}
}

/** The id and folder that a run of this request would have: for --dry-run. */
export function plannedRun(request: LaunchRequest): Run {
	const { runs } = request;
	const id = makeId(nameOf(request));
	return { id, folder: join(runs, id) };
}

export function reportRun({ id }: Run, runs: string, terminal: Terminal): void {
	terminal.err(oneLine(`stickslip: run ${id} in ${runs}`));
}

/** Prints where a resumed run continues, and why that is not where it was. */
export function reportPlacement({ resumption }: LaunchRequest, now: PlacementSize, terminal: Terminal): void {
	if (resumption === undefined) return;
	const { previous, isRequested } = resumption;
	const text = describePlacement(now);
	const before = previous === undefined ? text : describePlacement(previous);
	const reason = isRequested ? "as requested" : whyMoved(now, previous);
	const change = before === text ? "as before" : `${reason}; before: ${before}`;
	terminal.err(oneLine(`stickslip: continues on ${text}, ${change}`));
}

type PlacementSize = Pick<Placement, "where" | "nodes" | "ranksPerNode" | "between" | "hosts">;

function describePlacement({ where, nodes, ranksPerNode, between, hosts }: PlacementSize): string {
	const on = hosts === undefined ? "" : `: ${hosts.join(", ")}`;
	const over = nodes > 1 ? `, over ${between}` : "";
	return `${counted(nodes, "node")} of ${counted(ranksPerNode, "rank")} (${where}${over})${on}`;
}

/** Without a request only these change a placement: the rest of it is kept. */
function whyMoved({ where, hosts }: PlacementSize, previous: Placement | undefined): string {
	if (previous?.where === "node") return "since its nodes were started by others";
	if (where === "slurm") return "the size of this allocation";
	return hosts === undefined ? "as launched" : "trying all its hosts again";
}
