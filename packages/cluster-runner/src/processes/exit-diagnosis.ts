/** Diagnoses which rank was lost, and how, from the exit and the output of a child process. */
import type { InputError } from "@stickslip/core";
import { remedyOf } from "../base/last-resort.js";
import type { Child, End } from "./children.js";

/** In the reason for a process that did not connect within the start timeout: there is no state to save in a capsule. */
export const START_TIMEOUT = "did not report within";

export interface ExitDiagnosis {
	/** -1 if unknown. */
	readonly process: number;
	readonly reason: string;
	/** Set if the user has to change something. */
	readonly error?: InputError;
}

export function describeExit({ code, signal, error }: End, output: string): string {
	if (error !== undefined) return `could not be started: ${startTrouble(error, output)}`;
	if (signal !== null) return `killed by ${signal}`;
	const last = lastLine(output);
	return `exit code ${code ?? "unknown"}${last === "" ? "" : `: ${last}`}`;
}

/** The same with the whole output of a launcher, whose messages have many lines. */
export function describeLauncherExit(end: End, output: string): string {
	const message = end.error === undefined ? messageIn(output) : "";
	const how = describeExit(end, message === "" ? output : "");
	return message === "" ? how : `${how}: ${message}`;
}

const MESSAGE_MAX = 2000;

/** Its lines joined, without rules and empty lines; the end of a long one. */
function messageIn(output: string): string {
	const lines = output.split(/\r?\n/).map((line) => line.trim());
	const message = lines.filter((line) => line !== "" && !/^[-=*]+$/.test(line)).join(" ");
	return message.length > MESSAGE_MAX ? `... ${message.slice(-MESSAGE_MAX)}` : message;
}

/** It has no output: only the system's error message. */
function startTrouble(code: string, output: string): string {
	const remedy = remedyOf(code);
	return remedy === undefined ? output || code : `${code}: ${remedy}`;
}

/** `pids` are the processes by number, as far as they are known. */
export function diagnoseExit(
	{ process, output }: Child,
	end: End,
	pids: readonly (number | undefined)[],
): ExitDiagnosis {
	if (process !== undefined) return { process, reason: `was lost (${describeExit(end, output)})` };
	const found = openMpi(output) ?? mpich(output, pids);
	if (found) return found;
	return { process: -1, reason: `mpirun ended before its ranks did (${describeLauncherExit(end, output)})` };
}

/** "mpirun noticed that process rank 1 with PID 0 on node n exited on signal 9 (Killed)." */
function openMpi(output: string): ExitDiagnosis | undefined {
	const [, rank, how] = /process rank (\d+) with PID \d+ on node \S+ exited\s+on\s+signal (\d+)/.exec(output) ?? [];
	return rank === undefined || how === undefined
		? undefined
		: { process: Number(rank), reason: `was lost (${describeSignal(Number(how))})` };
}

/** "=   PID 4242 RUNNING AT host" and "=   EXIT CODE: 9". */
function mpich(output: string, pids: readonly (number | undefined)[]): ExitDiagnosis | undefined {
	const [, pid, code] = /PID (\d+) RUNNING AT[^\n]*\n=?\s*EXIT CODE: (\d+)/.exec(output) ?? [];
	const number = pids.indexOf(Number(pid));
	return pid === undefined || code === undefined || number < 0
		? undefined
		: { process: number, reason: `was lost (${describeSignal(Number(code))})` };
}

/** Names of the signals that end most processes. */
const signals: Readonly<Record<number, string>> = {
	6: "SIGABRT",
	9: "SIGKILL",
	11: "SIGSEGV",
	14: "SIGALRM",
	15: "SIGTERM",
};

export function describeSignal(number: number): string {
	return `killed by ${signals[number] ?? `signal ${number}`}`;
}

function lastLine(output: string): string {
	const lines = output.split("\n").map((line) => line.trim());
	// Node.js prints an error before the stack, and its version last.
	const error = lines.find((line) => /^(\w+Error|Error)\b.*: /.test(line));
	return (error ?? lines.filter((line) => line !== "" && !/^-+$/.test(line)).at(-1) ?? "").slice(0, 300);
}
