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
	const words = [node, cliProgram, "resume", "--inside", ...restarts, ...metrics, folder];
	return scriptOf(request, id, batch, paths, { command: commandLine(words) });
}

const TASK = '"$SLURM_ARRAY_TASK_ID"';

/** The script of an array of jobs, whose runs exist already: their folders end with the numbers of the jobs. */
export function arrayScript(request: LaunchRequest, array: string, size: number, batch: Batch): string {
	const { runs, metrics, restarts } = request;
	const words = [batch.node, cliProgram, "resume", "--inside"];
	if (restarts !== 0) words.push("--restarts", String(restarts));
	if (metrics !== undefined) words.push("--metrics", metrics);
	const place = inPattern(join(runs, array));
	const paths = { output: `${place}-%a/${SLURM_FILES.out}`, error: `${place}-%a/${SLURM_FILES.err}` };
	const command = `${commandLine([...words, join(runs, array)])}-${TASK}`;
	return scriptOf(request, array, batch, paths, { command, array: size });
}

/** The script to be submitted by hand: its job creates a run, and resumes it when the job is requeued. `array`: so many jobs, each with its part of a study. */
export function scriptByHand(request: LaunchRequest, { id }: Run, batch: Batch, array?: number): string {
	const { checkpoint, restarts, capsule, runs, listen, wait, metrics, options, line } = request;
	const values = {
		...{ runs, checkpoint: String(checkpoint), restarts: String(restarts) },
		...{ mpi: options.mpi, listen, wait: wait?.toString(), metrics },
	};
	const words = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
	const start = [batch.node, cliProgram, "launch", "slurm", "--inside", ...words, ...(capsule ? [] : ["--no-capsule"])];
	// Slurm prepends the working folder before it replaces %.
	const place = batch.cwd.includes("%") ? `${inPattern(batch.cwd)}/` : "";
	const job = array === undefined ? "%j" : "%A-%a";
	const paths = { output: `${place}%x-${job}.out`, error: `${place}%x-${job}.err` };
	const part = array === undefined ? "" : ` --part ${TASK}/${array}`;
	const command = `${commandLine([...start, "--", ...line])}${part}`;
	return scriptOf(request, id, batch, paths, { command, array });
}

interface Task {
	/** For the shell. */
	readonly command: string;
	/** How many jobs there are of it; absent for one. */
	readonly array?: number | undefined;
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
	{ command, array }: Task,
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
		array === undefined ? "" : `--array=0-${array - 1}`,
		"--requeue",
		`--signal=B:TERM@${WARNING_SECONDS}`,
		"--open-mode=append",
		`--output=${output}`,
		`--error=${error}`,
		`--chdir=${batch.cwd}`,
		...request.pass,
	];
	const directives = options.filter((option) => option !== "").map(directive);
	return ["#!/bin/sh", ...directives, `exec ${command}`, ""].join("\n");
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
