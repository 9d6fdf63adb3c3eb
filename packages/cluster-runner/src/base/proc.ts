/** What the system tells of itself and of processes under /proc. Elsewhere than on Linux, and of what is gone, it tells nothing: undefined. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { codeOf } from "./errors.js";

function told(read: () => string): string | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** What the system says in a file, e.g. /proc/self/limits. */
export function systemText(path: string): string | undefined {
	return told(() => readFileSync(path, "latin1"));
}

/** Where a link leads, e.g. /proc/self/ns/pid. */
export function systemLink(path: string): string | undefined {
	return told(() => readlinkSync(path));
}

interface Process {
	/** A letter: R and S of those that run or wait. */
	readonly state: string;
	readonly parent: number;
	/** When it began, in the system's own clock ticks: a number may be another process's by now. */
	readonly began: string;
}

function processOf(pid: number): Process | undefined {
	const stat = systemText(`/proc/${pid}/stat`);
	if (stat === undefined) return undefined;
	// "pid (name) state parent ...": the name may have spaces and brackets itself.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state = "", parent] = fields;
	return { state, parent: Number(parent), began: fields[19] ?? "" };
}

/** Whether there is a process of that id, also one that is stopped, or that has ended and whose parent has not waited for it. */
export function isThere(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It may belong to another user; then it exists.
		return codeOf(error) === "EPERM";
	}
}

/** Whether there is a process of that id which has not ended. */
export function isAlive(pid: number): boolean {
	return isThere(pid) && !/^[ZXx]$/.test(processOf(pid)?.state ?? "");
}

/** Whether it lives, and is neither stopped nor traced. */
export function isRunning(pid: number): boolean {
	return isThere(pid) && !/^[TtZXx]$/.test(processOf(pid)?.state ?? "");
}

export function beganOf(pid: number): string | undefined {
	return processOf(pid)?.began;
}

/** By process id its parent's, of all processes. */
export function parents(): Map<number, number> {
	const names = told(() => readdirSync("/proc").join("\n"))?.match(/^\d+$/gm) ?? [];
	return new Map(
		names.flatMap((name) => {
			const found = processOf(Number(name));
			return found === undefined ? [] : [[Number(name), found.parent]];
		}),
	);
}
