/** How a rank's thread comes to its communicator: what it is handed for each transport, and what it asks of its surroundings on the way. */
import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import {
	bindZeromq,
	type Control,
	cores as coresHere,
	JoinedCommunicator,
	type MpiLibrary,
	type MpiShared,
	MpiWire,
	openMpi,
	Patience,
	pin,
	SelfCommunicator,
	ServingPatience,
	spinsFor,
	ThreadsCommunicator,
	type ThreadsShared,
	type Wire,
	WiredCommunicator,
} from "@stickslip/comm";
import { assert, type Communicator } from "@stickslip/core/parallel";
import type { CurvePair } from "./keys.js";

export type Link =
	| { readonly kind: "self" }
	| { readonly kind: "threads" }
	| { readonly kind: "zeromq"; readonly wires: Wires; readonly isJoined: boolean }
	| { readonly kind: "mpi"; readonly library: MpiLibrary; readonly isJoined: boolean };

/** How ranks listen to each other: in a folder that nobody else may enter, or encrypted on an address, as the others reach it. */
export type Wires = { readonly key: Uint8Array } & (
	| { readonly folder: string }
	| { readonly host: string; readonly curve: CurvePair }
);

/** A rank's place, and what it shares with the other threads of its process. */
export interface Place {
	readonly rank: number;
	readonly ranks: number;
	/** Its number among the threads of its process. */
	readonly thread: number;
	readonly shared: ThreadsShared;
	/** Threads of all processes on this machine. */
	readonly ranksHere: number;
	/** The core to stay on; undefined where ranks are not pinned. */
	readonly core: number | undefined;
	readonly patienceSeconds: number;
	/** For what has to be told and asked: see Told. */
	readonly port: MessagePort;
}

/** What a rank's thread says to its process, and waits to be told: where it is, where all are, MPI as the first thread opened it. */
export type Told = { readonly endpoint: string } | { readonly mpi: MpiShared };
export type Answer = { readonly endpoints: readonly string[] } | { readonly mpi: MpiShared };

export interface Connected {
	readonly communicator: Communicator;
	/** Frames of strangers that its wire has dropped. */
	dropped?(): number;
	/** Lets go of all that the communicator stood on, also after a failure. */
	end(): void;
}

export async function connect(link: Link, place: Place, control: Control): Promise<Connected> {
	const { rank, ranks, core, patienceSeconds: seconds } = place;
	const spins = spinsFor(place.ranksHere, coresHere().length);
	if (core !== undefined) pin(core);
	const patience = new Patience({ control, seconds, spins });
	if (link.kind === "self") return simple(new SelfCommunicator());
	if (link.kind === "threads") return simple(threadsOf(place, control, patience));
	if (link.kind === "mpi")
		return link.isJoined
			? joinedMpi(link.library, place, control, patience)
			: mpiOf(link.library, place, control, patience);
	const binding = bindZeromq({ rank, size: ranks, ...link.wires, control, patience });
	try {
		const answer = await ask(place.port, control, { endpoint: binding.endpoint });
		assert("endpoints" in answer, "a rank that told its endpoint is told all");
		const wire = binding.connect(answer.endpoints);
		const communicator = link.isJoined
			? joinedOf(place, control, patience, wire, "zeromq")
			: new WiredCommunicator(wire, { control, transport: "zeromq" });
		return { communicator, dropped: () => wire.dropped, end: () => wire.close() };
	} catch (error) {
		binding.close();
		throw error;
	}
}

function simple(communicator: Communicator): Connected {
	return { communicator, end: () => {} };
}

function threadsOf({ shared, thread, rank }: Place, control: Control, patience: Patience): ThreadsCommunicator {
	return new ThreadsCommunicator({ shared, rank: thread, control, patience, firstRank: rank - thread });
}

function joinedOf(place: Place, control: Control, patience: Patience, wire: Wire, between: string): JoinedCommunicator {
	const threads = threadsOf(place, control, new ServingPatience(patience, wire));
	return new JoinedCommunicator({ threads, wire, perProcess: place.shared.size, control, between });
}

/** Where the launcher counts processes otherwise than MPI does, shares would be on the wrong ranks. */
function checkRank(communicator: Communicator, { rank, ranks }: Place): void {
	const { rank: own, size } = communicator;
	if (own === rank && size === ranks) return;
	throw new Error(`MPI says rank ${own} of ${size} where the launcher said ${rank} of ${ranks}`);
}

function mpiOf(library: MpiLibrary, place: Place, control: Control, patience: Patience): Connected {
	const communicator = openMpi({ library, control, patience });
	checkRank(communicator, place);
	return { communicator, end: () => communicator.close() };
}

/** MPI begins and ends in the first thread of each process; it outlives the others' wires. */
async function joinedMpi(library: MpiLibrary, place: Place, control: Control, patience: Patience): Promise<Connected> {
	const { thread, port, shared } = place;
	const threads = shared.size;
	const opened = thread === 0 ? openMpi({ library, control, patience, threads }) : undefined;
	if (opened) port.postMessage({ mpi: opened.shared } satisfies Told);
	const answer = opened ? { mpi: opened.shared } : await ask(port, control);
	assert("mpi" in answer, "a thread is told how MPI was opened");
	const wire = new MpiWire(answer.mpi, thread);
	const communicator = joinedOf(place, control, patience, wire, "mpi");
	checkRank(communicator, place);
	const end = () => {
		wire.close();
		control.beat(thread);
		if (opened === undefined) return;
		waitForWires(threads, control, patience);
		opened.close();
	};
	return { communicator, end };
}

/** After a failure a thread that never got its wire is not waited for. */
function waitForWires(threads: number, control: Control, patience: Patience): void {
	const isOpen = () => {
		for (let other = 1; other < threads; other += 1) if (control.beats(other) === 0) return true;
		return false;
	};
	if (control.failure() === undefined)
		patience.waitUntil(
			() => !isOpen(),
			() => ({ rank: -1, what: "wires to close" }),
		);
}

/** Says something, if there is something to say, and waits for an answer; a closed port means that the run is over. */
async function ask(port: MessagePort, control: Control, told?: Told): Promise<Answer> {
	const controller = new AbortController();
	const { signal } = controller;
	const closed = once(port, "close", { signal }).then(() => {
		control.check();
		throw new Error("the process ended the run before it began");
	});
	closed.catch(() => {});
	try {
		if (told) port.postMessage(told);
		const answer = once(port, "message", { signal }).then(([message]) => message as Answer);
		return await Promise.race([answer, closed]);
	} finally {
		controller.abort();
	}
}
