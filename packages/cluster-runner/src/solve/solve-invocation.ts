/** The request of a `solve`, and the run that it belongs to: one that a launcher created, one of its own if checkpoints are kept, or none. */
import { InputError, type Problem, type SolveOptions } from "@stickslip/core";
import type { Interrupt } from "../base/interrupt.js";
import { describeFailure } from "../base/last-resort.js";
import { holdSignals } from "../base/signals.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { launchError } from "../protocol/refusal.js";
import { STOP_WITHOUT_CHECKPOINT } from "../ranks/ranks.js";
import { readRun } from "../records/facts.js";
import { type CommandLine, commandLineOf } from "../requests/command-line.js";
import type { SolveCommandLine } from "../requests/solve-request.js";
import { readRequest } from "../requests/stored.js";
import { createRun, runsFolder } from "../runs/folder.js";
import { hasBegun } from "../runs/kept.js";
import type { StarterOf } from "../runs/launched-placement.js";
import type { Recorder } from "../runs/recorder.js";
import { changeState } from "../runs/state.js";

export interface SolveInvocation extends SolveCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** The folder of all runs, for a run of its own. */
	readonly runs?: string | undefined;
	/** Starts processes where the run was launched to; absent for a run without a launcher. */
	readonly starterOf?: StarterOf;
}

type RunInvocation = CommandLine & { readonly folder: string; readonly starterOf: StarterOf };

/** As the run was asked for. */
export function invocationOfRun(folder: string, starterOf: StarterOf): RunInvocation {
	const { line } = readRun(folder);
	return { ...readRequest(folder), line, folder, starterOf };
}

/**
 * An error before a run has done anything is bad use. If it was at work before, it fails and may be tried again: a disk may be full, or the folder of an
 * output unavailable, for a while.
 */
export function partOfRun<Made>(folder: string, make: () => Made): Made {
	try {
		return make();
	} catch (error) {
		throw failedPart(folder, error);
	}
}

/** Asynchronous `partOfRun`; without a folder, errors stay as they are. */
export async function laterPartOfRun<Made>(folder: string | undefined, make: () => Promise<Made>): Promise<Made> {
	try {
		return await make();
	} catch (error) {
		throw folder === undefined ? error : failedPart(folder, error);
	}
}

function failedPart(folder: string, error: unknown): unknown {
	changeState(folder, { status: "running", reason: describeFailure(error) });
	return hasBegun(folder) ? launchError(error) : error;
}

/** Does the work of a run: its state is kept up to date in its folder, and requests to stop are obeyed. */
export async function runRecorded(
	recorder: Recorder,
	interrupt: Interrupt,
	terminal: Terminal,
	work: () => Promise<ExitCode>,
): Promise<ExitCode> {
	// Signals of a run are handled all the time: one that arrives while a file is read must not end it silently.
	holdSignals();
	return await interrupt.during(async () => {
		const url = await recorder.begin(({ isNow }) => interrupt.request(isNow ? STOP_WITHOUT_CHECKPOINT : undefined));
		if (url !== undefined) terminal.err(`stickslip: metrics at ${url}`);
		let code: ExitCode = 3;
		try {
			code = await work();
		} catch (error) {
			if (error instanceof InputError) code = 2;
			throw error;
		} finally {
			code = await recorder.end(code, code === 1 && interrupt.signal.aborted);
		}
		return code;
	});
}

/** Undefined if nothing of this solve is kept; then the code for it is not even loaded. */
export async function recorderFor(
	call: CommandLine & Pick<SolveInvocation, "folder" | "runs">,
	terminal: Terminal,
): Promise<Recorder | undefined> {
	const { folder, runs } = call;
	if (folder !== undefined) return new (await import("../runs/recorder.js")).Recorder(folder, false);
	if ((call.solve ?? call.simulate)?.checkpoint === undefined) return undefined;
	const place = runsFolder(runs);
	holdSignals();
	const run = createRun(place, { ...commandLineOf(call), where: "here", restarts: 0, capsule: false });
	terminal.err(`stickslip: run ${run.id} in ${place}`);
	return new (await import("../runs/recorder.js")).Recorder(run.folder, true);
}

export function requireStart({ name, guesses }: Problem, { start }: SolveOptions): void {
	if (start !== "guess" || (guesses !== undefined && guesses.length > 0)) return;
	throw new InputError(name, "/guesses", "there is no guess in the file", "solve it with --start zero");
}
