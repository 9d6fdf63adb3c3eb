/** How a rank's thread creates its communicator: its parameters for each transport, and the messages that it exchanges with its process for that. */
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
import type { CurvePair } from "../protocol/keys.js";
import type { Inbox } from "./inbox.js";
import type { ToRank } from "./rank.js";

export type Link =
	| { readonly kind: "self" }
	| { readonly kind: "threads" }
	| { readonly kind: "zeromq"; readonly wires: Wires; readonly isJoined: boolean }
	| { readonly kind: "mpi"; readonly library: MpiLibrary; readonly isJoined: boolean };

/** How ranks connect: by sockets in a private folder, or encrypted on an address that the others can reach. */
export type Wires = { readonly key: Uint8Array } & (
	| { readonly folder: string }
	| { readonly host: string; readonly curve: CurvePair }
);

/** The place of a rank: its number, and what it shares with the other threads of its process. */
export interface RankEnvironment {
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
	/** For ConnectionOffer and ConnectionReply. */
	readonly port: MessagePort;
}

/** What a rank's thread sends to its process, and the reply: its own address and those of all, or MPI as opened by the first thread. */
export type ConnectionOffer = { readonly endpoint: string } | { readonly mpi: MpiShared };
export type ConnectionReply = { readonly endpoints: readonly string[] } | { readonly mpi: MpiShared };

export interface Connected {
	readonly communicator: Communicator;
	/** Foreign frames that its wire has dropped. */
	dropped?(): number;
	/** Releases everything below the communicator, also after a failure. */
	end(): void;
}

export async function connect(
	link: Link,
	place: RankEnvironment,
	inbox: Inbox<ToRank>,
	control: Control,
): Promise<Connected> {
	const { rank, ranks, core, patienceSeconds: seconds } = place;
	const spins = spinsFor(place.ranksHere, coresHere().length);
	if (core !== undefined) pin(core);
	const patience = new Patience({ control, seconds, spins });
	if (link.kind === "self") return simple(new SelfCommunicator());
	if (link.kind === "threads") return simple(threadsOf(place, control, patience));
	if (link.kind === "mpi")
		return link.isJoined
			? joinedMpi(link.library, place, inbox, control, patience)
			: mpiOf(link.library, place, control, patience);
	const binding = bindZeromq({ rank, size: ranks, ...link.wires, control, patience });
	try {
		const answer = await negotiate(place, inbox, control, { endpoint: binding.endpoint });
		assert("endpoints" in answer, "a rank that sends its endpoint gets those of all");
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

function threadsOf(
	{ shared, thread, rank }: RankEnvironment,
	control: Control,
	patience: Patience,
): ThreadsCommunicator {
	return new ThreadsCommunicator({ shared, rank: thread, control, patience, firstRank: rank - thread });
}

function joinedOf(
	place: RankEnvironment,
	control: Control,
	patience: Patience,
	wire: Wire,
	between: string,
): JoinedCommunicator {
	const threads = threadsOf(place, control, new ServingPatience(patience, wire));
	return new JoinedCommunicator({ threads, wire, perProcess: place.shared.size, control, between });
}

/** If the launcher numbered processes differently from MPI, shares would be on the wrong ranks. */
function checkRank(communicator: Communicator, { rank, ranks }: RankEnvironment): void {
	const { rank: own, size } = communicator;
	if (own === rank && size === ranks) return;
	throw new Error(`MPI reports rank ${own} of ${size}, the launcher rank ${rank} of ${ranks}`);
}

function mpiOf(library: MpiLibrary, place: RankEnvironment, control: Control, patience: Patience): Connected {
	const communicator = openMpi({ library, control, patience });
	checkRank(communicator, place);
	return { communicator, end: () => communicator.close() };
}

/** MPI begins and ends in the first thread of each process; it outlives the others' wires. */
async function joinedMpi(
	library: MpiLibrary,
	place: RankEnvironment,
	inbox: Inbox<ToRank>,
	control: Control,
	patience: Patience,
): Promise<Connected> {
	const { thread, port, shared } = place;
	const threads = shared.size;
	const opened = thread === 0 ? openMpi({ library, control, patience, threads }) : undefined;
	if (opened) port.postMessage({ mpi: opened.shared } satisfies ConnectionOffer);
	const answer = opened ? { mpi: opened.shared } : await negotiate(place, inbox, control);
	assert("mpi" in answer, "a thread gets the parameters of MPI");
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

/** After a failure a thread without a wire is not waited for. */
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

/** Sends an offer, if there is one, and waits for the reply. */
async function negotiate(
	{ port }: RankEnvironment,
	inbox: Inbox<ToRank>,
	control: Control,
	offer?: ConnectionOffer,
): Promise<ConnectionReply> {
	if (offer) port.postMessage(offer);
	return await inbox.next(control, (message): message is ConnectionReply => "endpoints" in message || "mpi" in message);
}
