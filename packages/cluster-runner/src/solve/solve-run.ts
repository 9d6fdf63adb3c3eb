/** The run that a `solve` is part of: the one that its supervisor made for it, one of its own where it is to be kept, or none. */
import { InputError, type Problem, type SolveOptions } from "@stickslip/core";
import { describeFailure } from "../base/last-resort.js";
import { holdSignals } from "../base/signals.js";
import type { Terminal } from "../cli/command.js";
import type { Given } from "../cli/given.js";
import { launchError } from "../protocol/refusal.js";
import { RUN_VARIABLE } from "../records/files.js";
import { createRun, runsFolder } from "../runs/folder.js";
import { hasBegun } from "../runs/kept.js";
import type { Recorder } from "../runs/recorder.js";
import { changeState } from "../runs/state.js";

/** A week, in seconds. */
const INTERVAL_MAX = 604_800;

/** What the line asks for. */
export interface RunWish {
	/** Seconds between checkpoints. */
	readonly checkpoint: number | undefined;
	readonly runs: string | undefined;
}

export function runWish(given: Given, { repeat = 1 }: SolveOptions): RunWish {
	const checkpoint = given.real("checkpoint", "from 0", 60);
	if (checkpoint !== undefined && checkpoint > INTERVAL_MAX) {
		given.refuse("--checkpoint", `${checkpoint} seconds are more than a week`, "give less");
	}
	if (checkpoint !== undefined && repeat > 1) {
		given.refuse("--checkpoint", "cannot be combined with --repeat", "leave out one of them");
	}
	const runs = given.text("runs");
	if (runs !== undefined && checkpoint === undefined) {
		given.refuse("--runs", "needs --checkpoint", "add --checkpoint SECONDS");
	}
	return { checkpoint, runs };
}

/**
 * What a line is refused for before its run has done anything is bad use. Where the run was at work before, it fails and may be tried again: a disk
 * is full, or the folder of an output is away, for a while.
 */
export function partOfRun<Made>(make: () => Made): Made {
	try {
		return make();
	} catch (error) {
		const folder = process.env[RUN_VARIABLE] ?? "";
		if (folder === "") throw error;
		changeState(folder, { status: "running", reason: describeFailure(error) });
		throw hasBegun(folder) ? launchError(error) : error;
	}
}

/** Undefined where nothing of this solve is kept; then all that keeps is not even loaded. */
export async function recorderFor({ checkpoint, runs }: RunWish, terminal: Terminal): Promise<Recorder | undefined> {
	const folder = process.env[RUN_VARIABLE] ?? "";
	if (folder !== "") return new (await import("../runs/recorder.js")).Recorder(folder, false, checkpoint);
	if (checkpoint === undefined) return undefined;
	// The words after `stickslip`, as they were written.
	const line = process.argv.slice(2);
	const place = runsFolder(runs);
	holdSignals();
	const run = createRun(place, { line, where: "here", restarts: 0, checkpoint, capsule: false });
	terminal.err(`stickslip: run ${run.id} in ${place}`);
	return new (await import("../runs/recorder.js")).Recorder(run.folder, true);
}

export function requireStart({ name, guesses }: Problem, { start }: SolveOptions): void {
	if (start !== "guess" || (guesses !== undefined && guesses.length > 0)) return;
	throw new InputError(name, "/guesses", "there is no guess in the file", "solve it with --start zero");
}
