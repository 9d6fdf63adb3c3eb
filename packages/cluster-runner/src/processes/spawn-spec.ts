/** Commands that start the processes of a run, as plain data, and the diagnosis of their exits. */

import type { BindAddress } from "../protocol/sockets.js";
import type { Child, End } from "./children.js";
import type { ExitDiagnosis } from "./exit-diagnosis.js";
import type { HubContact } from "./starter.js";

export interface SpawnSpec {
	/** The number of the process that it starts, or undefined where it starts them all and numbers them. */
	readonly process: number | undefined;
	readonly command: string;
	readonly args: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	/**
	 * Returns the text for its standard input, once, as soon as its output so far allows. The pipe stays open while the hub lives:
	 * the process that reads it ends with it.
	 */
	readonly input?: (output: string) => string | undefined;
}

/** How one launcher starts processes by commands. */
export interface CommandStarter {
	readonly hostOf: ((process: number) => string) | undefined;
	bindAddress(): Promise<BindAddress>;
	spawnSpecs(contact: HubContact): SpawnSpec[];
	/** The reason why a command ended, from its output. */
	diagnoseExit(child: Child, end: End, pids: readonly (number | undefined)[]): ExitDiagnosis;
	/** A command that kills a process on its host, where ending the command that started it may not. */
	killSpec?(process: number, pid: number): Pick<SpawnSpec, "command" | "args">;
	/** A loss, or a failure to start, that a running command has printed. */
	findLoss?(output: string, pids: readonly (number | undefined)[]): ExitDiagnosis | undefined;
}
