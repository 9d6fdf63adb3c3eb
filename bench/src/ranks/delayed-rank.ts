/** A rank whose messages each take their own time, as the seed says: threads that talk over zeromq, and tell each other their addresses through memory. */
import {
	bindZeromq,
	Control,
	DelayedWire,
	Patience,
	ThreadsCommunicator,
	type ThreadsShared,
	WiredCommunicator,
} from "@stickslip/comm";
import {
	type RankResult,
	type RunOptions,
	runShare,
	type ShareOutline,
	type ShareRows,
	shareOf,
	toTheEnd,
} from "@stickslip/core/parallel";
import { shareEndpoints } from "./endpoints.js";

export interface DelayedTask {
	readonly outline: ShareOutline;
	readonly rows: ShareRows;
	readonly options: RunOptions;
	readonly rank: number;
	readonly ranks: number;
	readonly key: Uint8Array;
	readonly seed: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
}

export default function run(task: DelayedTask): RankResult {
	const { rank, ranks, key, seed } = task;
	const control = new Control(task.control);
	const patience = new Patience({ control, seconds: 60, spins: 0 });
	const threads = new ThreadsCommunicator({ shared: task.shared, rank, control, patience });
	const binding = bindZeromq({ rank, size: ranks, key, control, patience });
	const endpoints = shareEndpoints(threads, binding.endpoint);
	const wire = new DelayedWire(binding.connect(endpoints), seed);
	try {
		const communicator = new WiredCommunicator(wire, { control, transport: "delayed" });
		const outcome = toTheEnd(runShare(shareOf(task.outline, task.rows), task.options, communicator, { request: 0 }));
		communicator.close();
		return outcome;
	} finally {
		wire.close();
		threads.close();
	}
}
