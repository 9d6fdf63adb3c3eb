/**
 * Starts the processes of one solve, wherever they are to be, tells of those that are lost, and leaves none behind. What differs between
 * this machine, ssh, srun, mpirun and nodes that come by themselves is behind this.
 */
import type { InputError } from "@stickslip/core";
import type { Door } from "../../ranks/sockets.js";

/** What a process has to know to find its hub. */
export interface Meeting {
	/** The hub's address: curve://HOST:PORT. */
	readonly hub: string;
	/** The run's secret, as hexadecimal digits. */
	readonly secret: string;
	/** How many processes of how many ranks. */
	readonly processes: number;
	readonly perProcess: number;
	/** A folder for the sockets of ranks, where all of them are on this machine. */
	readonly sockets?: string | undefined;
}

/** What is told of processes that were started. */
export interface Events {
	/** One of them is no more. */
	lost(process: number, reason: string): void;
	/** They cannot be started, or have ended, and it cannot be told which is to blame: an InputError where somebody has to change something. */
	failed(why: string | InputError): void;
	/** All that a command has said which ended badly, over many lines, for the log. */
	said(text: string): void;
	/** The system's ids of processes by number, as far as they have told them. */
	pids(): readonly (number | undefined)[];
	/** The ids of those that may still be there. */
	living(): readonly number[];
}

export interface Starter {
	/** What to call the host of a process, where processes are on other hosts than the hub. */
	readonly hostOf: ((process: number) => string) | undefined;
	/** Where the hub has to listen for them. */
	door(): Promise<Door>;
	start(meeting: Meeting, events: Events): Promise<void>;
	/** One process at once; its id is needed where a launcher started it. */
	killOne(process: number, pid: number | undefined): void;
	/** Resolves when all have ended: by themselves within some milliseconds, or else by force; a launcher that is asked to end them gets so many more. */
	end(milliseconds: number, launcherMs?: number): Promise<void>;
}
