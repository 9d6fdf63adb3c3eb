/** Commands that start processes of a run, as plain data, and what their ends tell of the run. */
import type { Child, End } from "../../ranks/children.js";
import type { Door } from "../../ranks/sockets.js";
import type { Verdict } from "../../ranks/verdict.js";
import type { Meeting } from "./starter.js";

export interface Call {
	/** The number of the process that it starts, or undefined where it starts them all and numbers them. */
	readonly process: number | undefined;
	readonly command: string;
	readonly args: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	/**
	 * What to write to its standard input, once, as soon as what it has said so far tells. The pipe stays open while the hub lives:
	 * whoever reads it ends with it.
	 */
	readonly input?: (said: string) => string | undefined;
}

/** A way of starting by commands. */
export interface Way {
	readonly hostOf: ((process: number) => string) | undefined;
	door(): Promise<Door>;
	calls(meeting: Meeting): Call[];
	/** What a command that has ended tells, from what it said. */
	verdict(child: Child, end: End, pids: readonly (number | undefined)[]): Verdict;
	/** A command that ends a process on its host for certain, where the end of the command that started it may not. */
	killing?(process: number, pid: number): Pick<Call, "command" | "args">;
	/** The process that a command, which still runs, has said was lost, or why it cannot start them. */
	lossIn?(said: string, pids: readonly (number | undefined)[]): Verdict | undefined;
}
