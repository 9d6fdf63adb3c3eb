/**
 * A rank that talks over zeromq in the conformance suite, as a thread of the test's process or of one of several: it binds,
 * reports the address to whoever started it, and gets the addresses of all.
 */
import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { assert } from "@stickslip/core/parallel";
import { Control } from "../base/control.js";
import { DelayedWire } from "../base/delayed.js";
import { Patience, spinsFor } from "../base/patience.js";
import { ServingPatience } from "../base/serving.js";
import type { Wire } from "../base/wire.js";
import { ThreadsCommunicator, type ThreadsShared } from "../threads/communicator.js";
import { JoinedCommunicator } from "../wired/joined.js";
import { WiredCommunicator } from "../wired/wired.js";
import { bindZeromq } from "../zeromq/bind.js";
import type { CurveKeys } from "../zeromq/socket.js";
import type { Outcome, Run } from "./outcome.js";
import { runPrograms } from "./run-programs.js";

export interface ZeromqTask {
	readonly runs: readonly Run[];
	readonly rank: number;
	readonly key: Uint8Array;
	readonly curve: CurveKeys | undefined;
	/** For sockets with paths. */
	readonly folder: string | undefined;
	/** Messages are delayed, each as this seed says. */
	readonly delaySeed?: number | undefined;
	readonly perProcess: number;
	/** Ranks of a process talk through its memory. */
	readonly isJoined: boolean;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly cores: number;
	readonly port: MessagePort;
}

export default async (task: ZeromqTask): Promise<Outcome[]> => {
	const { runs, rank, key, curve, folder, delaySeed, port } = task;
	const control = new Control(task.control);
	const { size = 1, patienceSeconds = 1 } = runs[0] ?? {};
	const patience = new Patience({
		control,
		seconds: patienceSeconds,
		spins: spinsFor(task.perProcess, task.cores),
	});
	const binding = bindZeromq({
		rank,
		size,
		key,
		control,
		patience,
		...(curve && { curve }),
		...(folder && { folder }),
	});
	try {
		port.postMessage(binding.endpoint);
		const [endpoints] = (await once(port, "message")) as [string[]];
		port.close();
		const bare = binding.connect(endpoints);
		const wire = delaySeed === undefined ? bare : new DelayedWire(bare, delaySeed);
		try {
			const communicator = communicatorOf(task, wire, control, patience);
			const outcomes = runPrograms(runs, () => communicator, patience);
			assert(communicator.dropped === 0, "nothing is dropped where there are no strangers");
			return outcomes;
		} finally {
			wire.close();
		}
	} finally {
		binding.close();
	}
};

function communicatorOf(
	task: ZeromqTask,
	wire: Wire,
	control: Control,
	patience: Patience,
): WiredCommunicator | JoinedCommunicator {
	const { rank, perProcess, isJoined, shared } = task;
	if (!isJoined) return new WiredCommunicator(wire, { control, transport: "zeromq" });
	const thread = rank % perProcess;
	const threads = new ThreadsCommunicator({
		shared,
		rank: thread,
		control,
		patience: new ServingPatience(patience, wire),
		firstRank: rank - thread,
	});
	return new JoinedCommunicator({ threads, wire, perProcess, control });
}
