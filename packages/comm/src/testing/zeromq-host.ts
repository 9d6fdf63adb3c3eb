/**
 * The threads of one process in a conformance run over zeromq: in the test's own process, or (where this file is started as one)
 * in a process of their own that gets its part from its parent.
 */
import { MessageChannel } from "node:worker_threads";
import { Control } from "../base/control.js";
import { cores } from "../base/pin.js";
import { runWorkers } from "../base/run-workers.js";
import { shareThreads } from "../threads/communicator.js";
import type { Outcome, Run } from "./outcome.js";
import type { ZeromqTask } from "./zeromq-rank.js";

/** As it travels to another process: JSON. */
export interface Part {
	readonly runs: readonly Run[];
	readonly firstRank: number;
	readonly perProcess: number;
	readonly isJoined: boolean;
	readonly key: readonly number[];
	readonly delaySeed?: number | undefined;
	/** Public and secret key, where the ranks encrypt. */
	readonly curve?: readonly [readonly number[], readonly number[]] | undefined;
	/** For sockets with paths. */
	readonly folder?: string | undefined;
	/** JavaScript of zeromq-rank.ts. */
	readonly file: string;
}

export interface Host {
	/** Of its ranks, in order. */
	readonly endpoints: Promise<string[]>;
	/** Hands over the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** By rank and run. */
	readonly outcomes: Promise<Outcome[][]>;
}

export function startHost(part: Part): Host {
	const { runs, firstRank, perProcess, isJoined, folder, delaySeed, file } = part;
	const control = Control.create();
	const shared = shareThreads(perProcess);
	const channels = Array.from({ length: perProcess }, () => new MessageChannel());
	const received = channels.map(
		({ port1 }) => new Promise<string>((resolve) => port1.once("message", (endpoint: string) => resolve(endpoint))),
	);
	const key = Uint8Array.from(part.key);
	const curve = part.curve && {
		publicKey: Uint8Array.from(part.curve[0]),
		secretKey: Uint8Array.from(part.curve[1]),
	};
	const common = {
		runs,
		key,
		curve,
		folder,
		delaySeed,
		perProcess,
		isJoined,
		shared,
		control: control.buffer,
		cores: cores().length,
	};
	const task = (thread: number): ZeromqTask => ({
		...common,
		rank: firstRank + thread,
		port: channels[thread]!.port2,
	});
	const outcomes = runWorkers<Outcome[]>({
		ranks: perProcess,
		file,
		task,
		transfer: (thread) => [channels[thread]!.port2],
		control,
		firstRank,
	}).finally(() => {
		for (const { port1 } of channels) port1.close();
	});
	return {
		endpoints: Promise.all(received),
		connect: (endpoints) => {
			for (const { port1 } of channels) port1.postMessage(endpoints);
		},
		outcomes,
	};
}

/** What a process and its parent say to each other, in this order. */
export type ChildMessage =
	| { readonly part: Part }
	| { readonly endpoints: readonly string[] }
	| { readonly outcomes: Outcome[][] };

if (process.argv[2] === "host") {
	let host: Host | undefined;
	// The ranks end with their parent.
	process.on("disconnect", () => process.exit(1));
	process.on("message", async (message: ChildMessage) => {
		if ("endpoints" in message) host?.connect(message.endpoints);
		if (!("part" in message)) return;
		host = startHost(message.part);
		process.send?.({ endpoints: await host.endpoints } satisfies ChildMessage);
		const outcomes = await host.outcomes;
		process.send?.({ outcomes } satisfies ChildMessage, () => process.exit(0));
	});
}
