/** Starts processes: one that cannot be started reports it by its "error" event, whatever the reason. */
import { ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** For some errors Node.js throws instead (out of memory, words that are too long). */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
	try {
		return spawn(command, args, options);
	} catch (error) {
		const child = new ChildProcess();
		process.nextTick(() => child.emit("error", error));
		return child;
	}
}

/** Standard output and error, if they exist: when too many files are open they are missing, and the error event follows. */
export function streamsOf({ stdout, stderr }: ChildProcess): Readable[] {
	return [stdout, stderr].filter((stream) => (stream ?? undefined) !== undefined) as Readable[];
}
