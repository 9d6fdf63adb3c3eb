/** Runs whose command and hub are on this machine, in the foreground: local, ssh and mpirun differ only in how members are started. */
import { existsSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { bytes, duration, oneLine } from "../base/format.js";
import { commandLine, quoted } from "../base/quote.js";
import { isCapsule } from "../capsule/index.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import { requireReadable } from "../files/load.js";
import { requireFresh } from "../output/fresh.js";
import type { Placement } from "../placement/placement.js";
import type { HubContact } from "../processes/starter.js";
import { METRICS_VARIABLE } from "../records/files.js";
import type { Run } from "../runs/folder.js";
import { keepsSomething, removeEmpty } from "../runs/kept.js";
import { hasCheckpoint } from "../runs/view.js";
import { beginRun, reportPlacement, reportRun } from "./begin.js";
import type { LaunchRequest } from "./launch-request.js";
import { runProgram, supervise } from "./supervise.js";

export async function superviseHere(
	request: LaunchRequest,
	placement: Placement,
	terminal: Terminal,
): Promise<ExitCode> {
	if (request.run === undefined) {
		requireReadableInput(request, terminal);
		if (request.simulate !== undefined) requireFresh(request.simulate);
	}
	const run = await beginRun(request, placement);
	reportRun(run, request.runs, terminal);
	reportPlacement(request, placement, terminal);
	const { seconds, metrics, restarts } = request;
	const code = await supervise(run.folder, {
		restarts,
		...(seconds !== undefined && { seconds }),
		...(metrics !== undefined && { metrics }),
	});
	// Nothing is worth keeping of a line that was refused at once: its error has been printed.
	if (code === 2 && request.run === undefined) removeEmpty(run.folder);
	reportEnd(code, run, terminal);
	return code;
}

/** If no file can be read, no run is created; the error of each is printed. */
function requireReadableInput({ solve }: LaunchRequest, terminal: Terminal): void {
	if (solve === undefined) return;
	const errors: InputError[] = [];
	for (const file of expand(solve.inputs)) {
		if (file === "-" || isCapsule(file)) return;
		try {
			requireReadable(file, file);
			return;
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			errors.push(error);
		}
	}
	const last = errors.pop();
	for (const { message } of errors) terminal.err(`stickslip: ${oneLine(message)}`);
	if (last !== undefined) throw last;
}

/** An example of what members are given: the port is chosen by the hub, and the secret is not part of any command. */
export function exampleContact({ nodes, ranksPerNode }: Placement): HubContact {
	return { hub: "curve://127.0.0.1:65535", secret: "", processes: nodes, perProcess: ranksPerNode };
}

/** Prints how a run can be resumed. */
export function reportEnd(code: ExitCode, { id, folder }: Run, terminal: Terminal): void {
	if (code === 75) terminal.err(`stickslip: stopped; stickslip resume ${id} continues it`);
	const isRefused = code === 2 && existsSync(folder) && keepsSomething(folder);
	if (code !== 3 && !isRefused) return;
	const how = hasCheckpoint(folder) ? "continues from its last checkpoint" : "starts it again";
	terminal.err(`stickslip: run ${id} ${isRefused ? "is kept" : "failed"}; stickslip resume ${id} ${how}`);
}

/** What superviseHere does, as shell commands; `members` are those that start the processes. */
export function describeHere(
	request: LaunchRequest,
	placement: Placement,
	{ folder }: Run,
	members: readonly string[],
): string {
	const { line, metrics } = request;
	const environment = metrics === undefined ? "" : `${METRICS_VARIABLE}=${quoted(metrics)} `;
	const again = request.restarts === 0 ? "once" : `and restarted after a loss, at most ${request.restarts} times`;
	return [
		// Text after a line break in it would be run as a command when this is pasted.
		`# ${oneLine(folder)}/placement.json: how processes are started`,
		...JSON.stringify(placement, undefined, 2).split("\n"),
		"",
		`# the process of the run, started here ${again}: ${oneLine(commandLine(["stickslip", ...line]))}`,
		...describeOptions(request),
		`cd ${quoted(process.cwd())}`,
		`${environment}${commandLine(["node", runProgram, folder])}`,
		...(members.length > 0 ? ["", "# its processes, for each solve"] : []),
		...members,
	].join("\n");
}

/** Options that are not part of any command. */
function describeOptions({ checkpoint, seconds, memory }: LaunchRequest): string[] {
	const lines = [checkpoint === 0 ? "checkpoints: only on request" : `checkpoints: every ${checkpoint} s`];
	if (seconds !== undefined) lines.push(`time limit: ${duration(seconds)}, then it stops with a checkpoint`);
	if (memory !== undefined) lines.push(`memory: ${bytes(memory)} per node, checked before the start`);
	return lines.map((line) => `# ${line}`);
}
