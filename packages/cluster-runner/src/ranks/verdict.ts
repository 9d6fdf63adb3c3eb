/** Which rank was lost, and how, from what is left of a child. */
import type { InputError } from "@stickslip/core";
import { remedyOf } from "../last-resort.js";
import type { Child, End } from "./children.js";

/** Of a member that never came: there is nothing in the solve that could be looked at. */
export const LATE = "did not report within";

export interface Verdict {
	/** -1 where it cannot be told. */
	readonly process: number;
	readonly reason: string;
	/** Where somebody has to change something before it can work. */
	readonly error?: InputError;
}

export function ended({ code, signal, error }: End, said: string): string {
	if (error !== undefined) return `could not be started: ${startTrouble(error, said)}`;
	if (signal !== null) return `killed by ${signal}`;
	const last = lastLine(said);
	return `exit code ${code ?? "unknown"}${last === "" ? "" : `: ${last}`}`;
}

/** The same with all that a launcher said, whose messages go over many lines. */
export function launcherEnded(end: End, said: string): string {
	const message = end.error === undefined ? messageIn(said) : "";
	const how = ended(end, message === "" ? said : "");
	return message === "" ? how : `${how}: ${message}`;
}

const MESSAGE_MAX = 2000;

/** Its lines in one, without frames and gaps; of a longer one the end. */
function messageIn(said: string): string {
	const lines = said.split(/\r?\n/).map((line) => line.trim());
	const message = lines.filter((line) => line !== "" && !/^[-=*]+$/.test(line)).join(" ");
	return message.length > MESSAGE_MAX ? `... ${message.slice(-MESSAGE_MAX)}` : message;
}

/** It said nothing itself: what there is, is the system's own message. */
function startTrouble(code: string, said: string): string {
	const remedy = remedyOf(code);
	return remedy === undefined ? said || code : `${code}: ${remedy}`;
}

/** `pids` are the processes by number, as far as they are known. */
export function verdict({ process, said }: Child, end: End, pids: readonly (number | undefined)[]): Verdict {
	if (process !== undefined) return { process, reason: `was lost (${ended(end, said)})` };
	const found = openMpi(said) ?? mpich(said, pids);
	if (found) return found;
	return { process: -1, reason: `mpirun ended before its ranks did (${launcherEnded(end, said)})` };
}

/** "mpirun noticed that process rank 1 with PID 0 on node n exited on signal 9 (Killed)." */
function openMpi(said: string): Verdict | undefined {
	const [, rank, how] = /process rank (\d+) with PID \d+ on node \S+ exited\s+on\s+signal (\d+)/.exec(said) ?? [];
	return rank === undefined || how === undefined
		? undefined
		: { process: Number(rank), reason: `was lost (${signalled(Number(how))})` };
}

/** "=   PID 4242 RUNNING AT host" and "=   EXIT CODE: 9". */
function mpich(said: string, pids: readonly (number | undefined)[]): Verdict | undefined {
	const [, pid, code] = /PID (\d+) RUNNING AT[^\n]*\n=?\s*EXIT CODE: (\d+)/.exec(said) ?? [];
	const number = pids.indexOf(Number(pid));
	return pid === undefined || code === undefined || number < 0
		? undefined
		: { process: number, reason: `was lost (${signalled(Number(code))})` };
}

/** Names of the signals that end most processes. */
const signals: Readonly<Record<number, string>> = {
	6: "SIGABRT",
	9: "SIGKILL",
	11: "SIGSEGV",
	14: "SIGALRM",
	15: "SIGTERM",
};

export function signalled(number: number): string {
	return `killed by ${signals[number] ?? `signal ${number}`}`;
}

function lastLine(said: string): string {
	const lines = said.split("\n").map((line) => line.trim());
	// A crash of Node.js says what it was before the stack, and its version last.
	const error = lines.find((line) => /^(\w+Error|Error)\b.*: /.test(line));
	return (error ?? lines.filter((line) => line !== "" && !/^-+$/.test(line)).at(-1) ?? "").slice(0, 300);
}
