/** What the hub is told of its ranks, and what it has done by others. */
import type { Send, StartMessage, ToMember } from "../protocol/messages.js";
import type { Log } from "../records/log.js";

export interface HubOptions {
	readonly ranks: number;
	readonly processes: number;
	/** The ranks of a process. */
	readonly start: (process: number) => Omit<StartMessage, "kind">;
	/** Whether ranks have addresses that all have to be told. */
	readonly hasEndpoints: boolean;
	readonly send: (identity: string) => Send<ToMember>;
	/** Ends a process that does not answer any more, and so will not end by itself either. */
	readonly kill: (process: number, pid: number | undefined) => void;
	/** What happens before the first task, and between two of them. */
	readonly log?: Log | undefined;
	/** Called when a member requests an orderly stop, because its host is to be released. */
	readonly onStopRequested?: () => void;
	/** Where members are on other hosts: what to call the host of a process that has not said it itself. */
	readonly hostOf?: ((process: number) => string) | undefined;
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
}
