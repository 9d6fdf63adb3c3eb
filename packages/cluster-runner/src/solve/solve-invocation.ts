/** The request of a `solve`, and the run that it belongs to: one that a launcher created, one of its own if checkpoints are kept, or none. */
import { InputError, type Problem, type SolveOptions } from "@stickslip/core";
import { describeFailure } from "../base/last-resort.js";
import { holdSignals } from "../base/signals.js";
import type { Terminal } from "../cli/command.js";
import { launchError } from "../protocol/refusal.js";
import { readRun } from "../records/facts.js";
import type { CommandLine } from "../requests/command-line.js";
import type { SolveCommandLine } from "../requests/solve-request.js";
import { readRequest } from "../requests/stored.js";
import { createRun, runsFolder } from "../runs/folder.js";
import { hasBegun } from "../runs/kept.js";
import type { Recorder } from "../runs/recorder.js";
import { changeState } from "../runs/state.js";

export interface SolveInvocation extends SolveCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** The folder of all runs, for a run of its own. */
	readonly runs?: string | undefined;
}

/** As the run was asked for. */
export function invocationOfRun(folder: string): CommandLine & { readonly folder: string } {
	const { line } = readRun(folder);
	return { ...readRequest(folder), line, folder };
}

/**
 * What a run is refused for before it has done anything is bad use. Where it was at work before, it fails and may be tried again: a disk is full, or the
 * folder of an output is away, for a while.
 */
export function partOfRun<Made>(folder: string, make: () => Made): Made {
	try {
		return make();
	} catch (error) {
		changeState(folder, { status: "running", reason: describeFailure(error) });
		throw hasBegun(folder) ? launchError(error) : error;
	}
}

/** Undefined where nothing of this solve is kept; then all that keeps is not even loaded. */
export async function recorderFor(call: SolveInvocation, terminal: Terminal): Promise<Recorder | undefined> {
	const { solve, how, line, folder, runs } = call;
	if (folder !== undefined) return new (await import("../runs/recorder.js")).Recorder(folder, false);
	if (solve.checkpoint === undefined) return undefined;
	const place = runsFolder(runs);
	holdSignals();
	const run = createRun(place, { line, solve, how, where: "here", restarts: 0, capsule: false });
	terminal.err(`stickslip: run ${run.id} in ${place}`);
	return new (await import("../runs/recorder.js")).Recorder(run.folder, true);
}

export function requireStart({ name, guesses }: Problem, { start }: SolveOptions): void {
	if (start !== "guess" || (guesses !== undefined && guesses.length > 0)) return;
	throw new InputError(name, "/guesses", "there is no guess in the file", "solve it with --start zero");
}
