/** A run that is about to begin: its folder, made whole or not at all, with how its members are started and with what came through a pipe. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import type { Terminal } from "../command.js";
import { describeFailure } from "../last-resort.js";
import { oneLine } from "../output/format.js";
import { codeOf, readSmall, replaceJson } from "../runs/check.js";
import { FILES } from "../runs/files.js";
import { createRun, makeId, type Run } from "../runs/folder.js";
import { removeEmpty } from "../runs/kept.js";
import { describeLine } from "../runs/line.js";
import { cancelJob } from "../runs/scheduler.js";
import type { SchedulerJob } from "../runs/state.js";
import { handleSignals, holdSignals } from "../signals.js";
import { LAUNCH_FILE } from "./launch-record.js";
import type { LaunchRequest } from "./launch-request.js";
import { readsStandardInput } from "./launchable.js";
import type { Placement } from "./placement.js";

/**
 * Makes the run's folder; where that fails, or a signal comes before it is done, nothing of it stays. A run that is gone on with has its folder, and keeps
 * it as it was. `handIn` gives the run to a scheduler.
 */
export async function begin(
	request: LaunchRequest,
	placement: Placement | undefined,
	handIn?: (run: Run) => Promise<SchedulerJob>,
): Promise<Run> {
	const { line, where, restarts, checkpoint, capsule, runs } = request;
	const ending = new Ending();
	try {
		const run = request.run ?? createRun(runs, { line, where, restarts, checkpoint, capsule });
		// Slurm may have begun with a new run meanwhile, which then stays.
		ending.undo = request.run === undefined ? () => removeEmpty(run.folder) : restorer(run);
		await fillFolder(request, run, placement);
		if (handIn !== undefined) await ending.taking(() => handIn(run));
		// The run is there, and what comes from now on is for whoever looks after it.
		holdSignals();
		return run;
	} catch (error) {
		ending.undo();
		throw error;
	} finally {
		ending.over();
	}
}

/** What a signal does while a run is about to begin: it undoes that, and ends the process. */
class Ending {
	undo: () => void = () => {};
	readonly over: () => void;
	#isTaking = false;
	#came: NodeJS.Signals | undefined;

	constructor() {
		this.over = handleSignals((signal) => {
			// Who asks twice does not wait for a scheduler.
			if (!this.#isTaking || this.#came !== undefined) this.#end(signal);
			this.#came = signal;
		});
	}

	/** A scheduler that is broken off may have taken the job, and nobody would know which: it is waited for, and asked to give the job back. */
	async taking(handIn: () => Promise<SchedulerJob>): Promise<void> {
		this.#isTaking = true;
		const job = await handIn();
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
		this.undo();
		process.exit(128 + constants.signals[signal]);
	}
}

/** With how its members are started, and what came through a pipe. */
async function fillFolder(request: LaunchRequest, { folder }: Run, placement: Placement | undefined): Promise<void> {
	if (placement !== undefined) replaceJson(join(folder, FILES.placement), placement, true);
	replaceJson(join(folder, LAUNCH_FILE), request.record, true);
	if (request.run === undefined && readsStandardInput(request.line)) await takeIn(join(folder, FILES.input));
}

/** What a run was gone on with stays as it was where it is refused now. */
function restorer({ folder }: Run): () => void {
	const files = [FILES.placement, LAUNCH_FILE].map((name) => join(folder, name));
	const before = files.map((file) => readSmall(file));
	return () => {
		for (const [index, file] of files.entries()) putBack(file, before[index]);
	};
}

/** As it was, whole: on a full disk what stands there now is worth more than half of it. */
function putBack(file: string, text: string | undefined): void {
	try {
		if (text === undefined) rmSync(file, { force: true });
		else if (readSmall(file) !== text) replaceJson(file, JSON.parse(text), true);
	} catch {
		// Why the run is refused counts more.
	}
}

/** The line reads it from there, as often as it is started. */
async function takeIn(file: string): Promise<void> {
	if (process.stdin.isTTY)
		throw new InputError("standard input", "file", "is a terminal", "pipe an FCLIB file into it");
	try {
		await writeFile(file, process.stdin, { mode: 0o600 });
	} catch (error) {
		const problem = `cannot be read in (${codeOf(error) ?? String(error)})`;
		throw new InputError(
			"standard input",
			"file",
			problem,
			"check where it comes from, and that the folder of runs has room",
		);
	}
}

/** Where a run of this line would have its folder: for --dry-run. */
export function wouldBe({ line, runs }: Pick<LaunchRequest, "line" | "runs">): Run {
	const id = makeId(describeLine(line).name);
	return { id, folder: join(runs, id) };
}

export function tellRun({ id }: Run, runs: string, terminal: Terminal): void {
	terminal.err(oneLine(`stickslip: run ${id} in ${runs}`));
}
