/**
 * Starts the processes of one solve on their hosts, reports those that are lost, and leaves none behind. The interface hides the
 * differences between this machine, ssh, srun, mpirun and nodes that others start.
 */
import type { InputError } from "@stickslip/core";
import type { BindAddress } from "../protocol/sockets.js";

/** What a process needs to connect to its hub. */
export interface HubContact {
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

/** Events of the processes that were started. */
export interface ProcessEvents {
	/** A process has ended. */
	lost(process: number, reason: string): void;
	/** They cannot be started, or have ended and it is not known which was first: an InputError if the user has to change something. */
	failed(why: string | InputError): void;
	/** The whole output of a command that failed, for the log. */
	output(text: string): void;
	/** Process ids by process number, as far as they are known. */
	pids(): readonly (number | undefined)[];
	/** The ids of processes that may still run. */
	living(): readonly number[];
}

export interface Starter {
	/** The host of a process, if processes are on other hosts than the hub. */
	readonly hostOf: ((process: number) => string) | undefined;
	/** Where the hub has to listen for them. */
	bindAddress(): Promise<BindAddress>;
	start(contact: HubContact, events: ProcessEvents): Promise<void>;
	/** Kills one process; its id is needed if a launcher started it. */
	killOne(process: number, pid: number | undefined): void;
	/** Resolves when all have ended: by themselves within some milliseconds, or else by force; a launcher that has to end them gets `launcherMs` more. */
	end(milliseconds: number, launcherMs?: number): Promise<void>;
}
