/** The transports between ranks, one row each; whatever depends on the transport is derived from its row. */

/** What carries messages between processes. */
export const WIRES = ["zeromq", "mpi"] as const;
export type Wire = (typeof WIRES)[number];

export interface TransportRow {
	/** Between processes; undefined where all ranks are threads of one. */
	readonly wire: Wire | undefined;
	/** Whether a process may have several ranks, as threads. */
	readonly hasThreads: boolean;
	/** Whether ranks listen, and the hub sends each the addresses of the others. */
	readonly listens: boolean;
	/** Whether the MPI library of the machine is needed. */
	readonly needsMpi: boolean;
	/** For help; empty where the name says it. */
	readonly what: string;
}

const zeromq = { wire: "zeromq", listens: true, needsMpi: false } as const;
const mpi = { wire: "mpi", listens: false, needsMpi: true } as const;

export const transports = {
	threads: { wire: undefined, hasThreads: true, listens: false, needsMpi: false, what: "default" },
	zeromq: { ...zeromq, hasThreads: false, what: "a process per rank" },
	mpi: { ...mpi, hasThreads: false, what: "the installed one" },
	"threads+zeromq": { ...zeromq, hasThreads: true, what: "" },
	"threads+mpi": { ...mpi, hasThreads: true, what: "" },
} as const satisfies Readonly<Record<string, TransportRow>>;

export type Transport = keyof typeof transports;
/** The names. */
export const TRANSPORTS = Object.keys(transports) as readonly Transport[];
/** The transports between processes. */
export type ProcessTransport = Exclude<Transport, "threads">;
export const PROCESS_TRANSPORTS = TRANSPORTS.filter(isBetweenProcesses);

export function isBetweenProcesses(name: Transport): name is ProcessTransport {
	return transports[name].wire !== undefined;
}

/** Threads in processes. */
export function isJoined(name: Transport): boolean {
	const { wire, hasThreads } = transports[name];
	return wire !== undefined && hasThreads;
}

/** The transport over this wire, with or without threads in each process. */
export function transportOver(wire: Wire, hasThreads: boolean): ProcessTransport {
	return PROCESS_TRANSPORTS.find(
		(name) => transports[name].wire === wire && transports[name].hasThreads === hasThreads,
	)!;
}
