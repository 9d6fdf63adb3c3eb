/** Whether a process of this machine is there and would run if it got its turn, and who started it. */
import { readFileSync } from "node:fs";

/** States of /proc that will not run by themselves: stopped, traced, a zombie, dead. */
const HALTED = /^[TtZXx]$/;

export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		// It may be somebody else's; then it is there.
		if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
	}
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
