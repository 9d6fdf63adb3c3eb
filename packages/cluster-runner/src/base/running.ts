/** Whether a process of this machine exists and can run, when it was started, and its parent. */
import { readFileSync } from "node:fs";

/** States of /proc that will not run by themselves: stopped, traced, a zombie, dead. */
const HALTED = /^[TtZXx]$/;

/** Whether there is a process of that id, also one that is stopped. */
export function isThere(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It may belong to another user; then it exists.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

export function isRunning(pid: number): boolean {
	if (!isThere(pid)) return false;
	try {
		// "pid (name) state ...": the name may have spaces and brackets.
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return !HALTED.test(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "");
	} catch {
		return true;
	}
}

/** Undefined where there is no such process, or the system does not tell. */
export function parentOf(pid: number): number | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
	} catch {
		return undefined;
	}
}

/** When a process of this host began, in the system's own clock ticks; undefined where the system does not tell, or there is no such process. */
export function beganOf(pid: number): string | undefined {
	try {
		// The command's name, in brackets, may hold spaces and brackets itself.
		const [, rest = ""] = /.*\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
		return rest.trim().split(" ")[19];
	} catch {
		return undefined;
	}
}
