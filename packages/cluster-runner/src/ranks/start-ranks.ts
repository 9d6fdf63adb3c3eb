/** Starts the ranks of a program: in this thread, in threads of this process, or in processes here and on other hosts. */
import type { Log } from "../records/log.js";
import type { Choice } from "./choose.js";
import type { Ranks } from "./ranks.js";

const PATIENCE_SECONDS = 60;
const START_SECONDS = 30;

export interface StartOptions extends Choice {
	/** The most seconds that a rank waits for another, and that all wait for processes to start. */
	readonly patience?: number | undefined;
	readonly log?: Log | undefined;
	/** Processes of this machine connect as those of several do: by addresses, encrypted. */
	readonly isEncrypted?: boolean | undefined;
}

/** How long to wait, as a number. */
export interface Waits {
	readonly patience: number;
	/** For a process to report. */
	readonly startSeconds: number;
}

/**
 * `program` is a name of programs.ts, or the URL of a module. The ranks stay up until they are closed, or one of them fails: then all of them end, and a
 * task that is given to them rejects with the failure. Code for other transports is not loaded.
 */
export async function startRanks(program: string, how: StartOptions): Promise<Ranks> {
	const { patience = PATIENCE_SECONDS, transport, placement } = how;
	if (transport === undefined) return new (await import("./caller-thread.js")).CallerThread(program);
	if (transport === "threads") return new (await import("./thread-ranks.js")).ThreadRanks(program, how, patience);
	const startSeconds = placement?.waitSeconds ?? how.patience ?? START_SECONDS;
	const { startProcesses } = await import("./process-ranks.js");
	return await startProcesses(program, how, { patience, startSeconds });
}
