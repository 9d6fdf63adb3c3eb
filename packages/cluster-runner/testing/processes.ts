/** What a run leaves on the system, from /proc: processes by a mark in their environment, and shared memory. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { WATCHDOG_SECONDS } from "../src/testing/wait.js";

/** Without /proc no process can be found. */
export const noProc = existsSync("/proc/self/environ")
	? undefined
	: "this system has no /proc to look for processes in";

export interface Found {
	readonly pid: number;
	readonly command: string;
}

/** All processes with this text in the environment that they were started with. */
export function marked(mark: string): Found[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			try {
				if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(mark)) return [];
				const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ");
				return [{ pid: Number(name), command }];
			} catch {
				// It has ended meanwhile, or belongs to another user.
				return [];
			}
		});
}

/** Those that run ranks, without launchers. */
export function rankProcesses(mark: string): number[] {
	return marked(mark)
		.filter(({ command }) => /bundled\/process\.js/.test(command) && !/^\S*(mpirun|mpiexec|hydra)/.test(command))
		.map(({ pid }) => pid)
		.sort((one, other) => one - other);
}

/** Waits until the condition holds and returns whether it did; the limit only guards against hanging. */
export async function soon(condition: () => boolean): Promise<boolean> {
	const end = performance.now() + 1000 * WATCHDOG_SECONDS;
	while (!condition()) {
		if (performance.now() > end) return false;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return true;
}

function sharedMemory(): string[] {
	return existsSync("/dev/shm") ? readdirSync("/dev/shm") : [];
}

/** New shared memory that stays: other processes use it only briefly. */
export function watchSharedMemory(): () => Promise<string[]> {
	const before = new Set(sharedMemory());
	return async () => {
		const added = sharedMemory().filter((name) => !before.has(name));
		const left = () => sharedMemory().filter((name) => added.includes(name));
		await soon(() => left().length === 0);
		return left();
	};
}
