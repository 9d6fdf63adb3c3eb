/** What the system reports under /proc about itself and about processes. On systems other than Linux, and for processes that are gone: undefined. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { codeOf } from "./errors.js";

function told(read: () => string): string | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** The content of a file, e.g. /proc/self/limits. */
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
	/** When it started, in clock ticks of the system: an id may have been reused. */
	readonly began: string;
}

function processOf(pid: number): Process | undefined {
	const stat = systemText(`/proc/${pid}/stat`);
	if (stat === undefined) return undefined;
	// "pid (name) state parent ...": the name itself may contain spaces and brackets.
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

/** The parent's id of every process, by process id. */
export function parents(): Map<number, number> {
	const names = told(() => readdirSync("/proc").join("\n"))?.match(/^\d+$/gm) ?? [];
	return new Map(
		names.flatMap((name) => {
			const found = processOf(Number(name));
			return found === undefined ? [] : [[Number(name), found.parent]];
		}),
	);
}
