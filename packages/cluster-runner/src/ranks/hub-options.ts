/** What the hub needs to know about its ranks, and its callbacks. */
import type { Send, StartMessage, ToMember } from "../protocol/messages.js";
import type { Log } from "../records/log.js";

export interface HubOptions {
	readonly ranks: number;
	readonly processes: number;
	/** The ranks of a process. */
	readonly start: (process: number) => Omit<StartMessage, "kind">;
	/** Whether ranks have addresses that all others need. */
	readonly hasEndpoints: boolean;
	readonly send: (identity: string) => Send<ToMember>;
	/** Kills a process that no longer answers, and so will not end by itself. */
	readonly kill: (process: number, pid: number | undefined) => void;
	/** The log for events before the first task, and between tasks. */
	readonly log?: Log | undefined;
	/** Called when a member requests an orderly stop, because its host is to be released. */
	readonly onStopRequested?: () => void;
	/** If members are on other hosts: the name of a process's host until the process reports it. */
	readonly hostOf?: ((process: number) => string) | undefined;
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
}
