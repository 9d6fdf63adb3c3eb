/**
 * A request to stop, as a file in the run's folder: it reaches a run on any host that can access the folder. The run's process polls for
 * it, and then acts as on SIGTERM. The file remains, so that neither a supervisor nor a scheduler that requeues starts the run again;
 * `resume` removes it.
 */
import { existsSync, rmSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { flag, record } from "@stickslip/core/schema";
import { readFields, replaceJson } from "./check.js";
import { FILES } from "./files.js";

/** How often a run looks for a request. */
export const STOP_POLL_MS = 500;

export interface StopRequest {
	/** Without a checkpoint. */
	readonly isNow: boolean;
}

const isRequest = record({ now: flag });

export function askToStop(folder: string, { isNow }: StopRequest): void {
	replaceJson(join(folder, FILES.stop), { time: new Date().toISOString(), now: isNow }, true);
}

/** The pending request, if there is one. Any file of this name counts, whatever its content: it may have been made by hand. */
export function stopRequest(folder: string): StopRequest | undefined {
	const file = join(folder, FILES.stop);
	if (!existsSync(file)) return undefined;
	try {
		return { isNow: readFields(file)?.take(isRequest).now ?? false };
	} catch {
		return { isNow: false };
	}
}

/** The same without blocking this thread while there is none, for a run at work on a file system that may be slow. */
export async function lookForStop(folder: string): Promise<StopRequest | undefined> {
	try {
		await access(join(folder, FILES.stop));
	} catch {
		return undefined;
	}
	return stopRequest(folder);
}

export function withdrawStop(folder: string): void {
	rmSync(join(folder, FILES.stop), { recursive: true, force: true });
}
