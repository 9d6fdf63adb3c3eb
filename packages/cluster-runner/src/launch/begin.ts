/** A run that is about to begin: its folder, made whole or not at all, with how its members are started and with what came through a pipe. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import type { Terminal } from "../command.js";
import { oneLine } from "../output/format.js";
import { codeOf, readSmall, replaceJson } from "../runs/check.js";
import { FILES } from "../runs/files.js";
import { createRun, makeId, type Run } from "../runs/folder.js";
import { removeEmpty } from "../runs/kept.js";
import { describeLine } from "../runs/line.js";
import { handleSignals, holdSignals } from "../signals.js";
import type { Asked } from "./asked.js";
import type { Gang } from "./gang.js";
import { readsStandardInput } from "./launchable.js";
import { LAUNCH_FILE } from "./told.js";

/**
 * Makes the run's folder, with all that `prepare` puts there; where it throws, nothing of the folder stays. A run that is gone on with has its folder,
 * and keeps it.
 */
export async function begin(
	asked: Asked,
	gang: Gang | undefined,
	prepare: (run: Run) => Promise<void> = async () => {},
): Promise<Run> {
	const { line, where, restarts, checkpoint, capsule, runs } = asked;
	let undo = () => {};
	return await orUndone(
		() => undo(),
		async () => {
			const run = asked.run ?? createRun(runs, { line, where, restarts, checkpoint, capsule });
			// Slurm may have begun with a new run meanwhile, which then stays.
			undo = asked.run === undefined ? () => removeEmpty(run.folder) : restorer(run);
			await filled(asked, run, gang);
			await prepare(run);
			return run;
		},
	);
}

/** With how its members are started, and what came through a pipe. */
async function filled(asked: Asked, { folder }: Run, gang: Gang | undefined): Promise<void> {
	if (gang !== undefined) replaceJson(join(folder, FILES.gang), gang, true);
	replaceJson(join(folder, LAUNCH_FILE), asked.told, true);
	if (asked.run === undefined && readsStandardInput(asked.line)) await takeIn(join(folder, FILES.input));
}

/** Where the work fails, or a signal comes before it is done, it is undone. */
async function orUndone<Result>(undo: () => void, work: () => Promise<Result>): Promise<Result> {
	const leave = handleSignals((signal) => {
		undo();
		process.exit(128 + constants.signals[signal]);
	});
	try {
		const result = await work();
		// The run is there, and what comes from now on is for whoever looks after it.
		holdSignals();
		return result;
	} catch (error) {
		undo();
		throw error;
	} finally {
		leave();
	}
}

/** What a run was gone on with stays as it was where it is refused now. */
function restorer({ folder }: Run): () => void {
	const files = [FILES.gang, LAUNCH_FILE].map((name) => join(folder, name));
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
		const problem = `cannot be taken in (${codeOf(error) ?? String(error)})`;
		throw new InputError(
			"standard input",
			"file",
			problem,
			"check where it comes from, and that the folder of runs has room",
		);
	}
}

/** Where a run of this line would have its folder: for --dry-run. */
export function wouldBe({ line, runs }: Pick<Asked, "line" | "runs">): Run {
	const id = makeId(describeLine(line).name);
	return { id, folder: join(runs, id) };
}

export function tellRun({ id }: Run, runs: string, terminal: Terminal): void {
	terminal.err(oneLine(`stickslip: run ${id} in ${runs}`));
}
