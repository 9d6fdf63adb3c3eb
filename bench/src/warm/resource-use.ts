/** What a process and those that it has started use of the system: memory, threads and files (sockets are files). Linux only. */
import { readdirSync, readFileSync } from "node:fs";

export interface ResourceUse {
	readonly processes: number;
	/** Resident memory of all together, in MiB. */
	readonly memory: number;
	readonly threads: number;
	readonly files: number;
}

export function resourceUse(pid = process.pid): ResourceUse {
	const pids = family(pid);
	const sum = (of: (pid: number) => number) => pids.reduce((all, pid) => all + of(pid), 0);
	return {
		processes: pids.length,
		memory: sum((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)) / 1024,
		threads: sum((pid) => count(`/proc/${pid}/task`)),
		files: sum((pid) => count(`/proc/${pid}/fd`)),
	};
}

/** With all descendants. */
export function family(pid: number): number[] {
	const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
		read(`/proc/${pid}/task/${task}/children`)
			.split(" ")
			.filter((word) => word !== ""),
	);
	return [pid, ...children.flatMap((child) => family(Number(child)))];
}

/** One that has ended meanwhile holds nothing. */
function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

function count(path: string): number {
	try {
		return readdirSync(path).length;
	} catch {
		return 0;
	}
}
