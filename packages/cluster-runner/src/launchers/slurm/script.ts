/** The batch script of a run. It becomes the supervisor on the first node of the allocation, so that Slurm's signals reach it directly. */
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { commandLine, quoted } from "../../base/quote.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import { cliProgram } from "../../launch/plan.js";
import { slurmMemory, slurmTime } from "../../placement/quantities.js";
import { SLURM_FILES } from "../../records/files.js";
import type { Run } from "../../runs/folder.js";

/** How many seconds before the time limit the run is asked to stop. */
const WARNING_SECONDS = 60;

export interface Batch {
	readonly nodes: number;
	readonly ranksPerNode: number;
	/** Where the line's files are relative to. */
	readonly cwd: string;
	/** Node.js on the nodes. */
	readonly node: string;
}

/** The script that a launch submits: the run's folder exists already. */
export function slurmScript(request: LaunchRequest, { id, folder }: Run, batch: Batch): string {
	const paths = {
		output: inPattern(join(folder, SLURM_FILES.out)),
		error: inPattern(join(folder, SLURM_FILES.err)),
	};
	const metrics = request.metrics === undefined ? [] : ["--metrics", request.metrics];
	const restarts = request.restarts === 0 ? [] : ["--restarts", String(request.restarts)];
	const { node } = batch;
	return scriptOf(request, id, batch, paths, [node, cliProgram, "resume", "--inside", ...restarts, ...metrics, folder]);
}

/** The script to be submitted by hand: its job creates a run, and resumes it when the job is requeued. */
export function scriptByHand(request: LaunchRequest, { id }: Run, batch: Batch): string {
	const { checkpoint, restarts, capsule, runs, listen, wait, metrics, options, line } = request;
	const values = {
		...{ runs, checkpoint: String(checkpoint), restarts: String(restarts) },
		...{ mpi: options.mpi, listen, wait: wait?.toString(), metrics },
	};
	const words = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
	const start = [batch.node, cliProgram, "launch", "slurm", "--inside", ...words, ...(capsule ? [] : ["--no-capsule"])];
	// Slurm prepends the working folder before it replaces %.
	const place = batch.cwd.includes("%") ? `${inPattern(batch.cwd)}/` : "";
	const paths = { output: `${place}%x-%j.out`, error: `${place}%x-%j.err` };
	return scriptOf(request, id, batch, paths, [...start, "--", ...line]);
}

interface OutputPaths {
	readonly output: string;
	readonly error: string;
}

/** Slurm's signals reach the command itself, which takes the shell's place. */
function scriptOf(
	request: LaunchRequest,
	id: string,
	batch: Batch,
	{ output, error }: OutputPaths,
	command: readonly string[],
): string {
	const { partition, account } = request.options;
	// The first part of an id is its time, which Slurm shows itself.
	const options = [
		`--job-name=stickslip-${id.replace(/^\d+-\d+-/, "")}`,
		`--nodes=${batch.nodes}`,
		"--ntasks-per-node=1",
		`--cpus-per-task=${batch.ranksPerNode}`,
		request.seconds === undefined ? "" : `--time=${slurmTime(request.seconds)}`,
		request.memory === undefined ? "" : `--mem=${slurmMemory(request.memory)}`,
		partition === undefined ? "" : `--partition=${partition}`,
		account === undefined ? "" : `--account=${account}`,
		"--requeue",
		`--signal=B:TERM@${WARNING_SECONDS}`,
		"--open-mode=append",
		`--output=${output}`,
		`--error=${error}`,
		`--chdir=${batch.cwd}`,
		...request.pass,
	];
	const directives = options.filter((option) => option !== "").map(directive);
	return ["#!/bin/sh", ...directives, `exec ${commandLine(command)}`, ""].join("\n");
}

/** A line break would end the directive, and the rest would be a command of the script; sbatch has its own meaning for backslashes. */
function directive(option: string): string {
	if (!/[\p{Cc}\\]/u.test(option)) return `#SBATCH ${quoted(option)}`;
	const [name = option] = option.split("=");
	const problem = `${JSON.stringify(option)} has a control character or a backslash, which a directive cannot contain`;
	const remedy = name === "--chdir" ? "launch from a folder without one" : "write it without";
	throw new InputError("launch slurm", "sbatch", problem, remedy);
}

/** Slurm replaces %j and the like in these names. */
function inPattern(path: string): string {
	return path.replaceAll("%", "%%");
}
