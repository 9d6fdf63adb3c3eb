/** A rank that stays: a thread that has its communicator once, and solves one share after another until its port is closed. */
import { once } from "node:events";
import { runInNewContext } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import {
	askForLargePages,
	bindZeromq,
	Control,
	cores,
	LARGE_PAGE_BYTES,
	Patience,
	pin,
	spinsFor,
	ThreadsCommunicator,
	type ThreadsShared,
	WiredCommunicator,
} from "@stickslip/comm";
import {
	type Communicator,
	type RankResult,
	type RunOptions,
	runShare,
	type ShareOutline,
	type ShareRows,
	shareOf,
	toTheEnd,
	whenLarge,
} from "@stickslip/core/parallel";
import { type PointCut, pointOwners } from "@stickslip/partition";
import { shareEndpoints } from "./endpoints.js";

export interface WarmTask {
	readonly rank: number;
	readonly ranks: number;
	readonly transport: "threads" | "zeromq";
	/** The core to stay on; undefined where there are fewer than ranks. */
	readonly core: number | undefined;
	readonly key: Uint8Array;
	readonly folder: string;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly port: MessagePort;
}

/** What it is sent for each solve. */
export interface WarmShare {
	readonly outline: ShareOutline;
	readonly rows: ShareRows;
	readonly options: RunOptions;
	/** Wants to know what memory the rank holds afterwards. */
	readonly isWeighed?: boolean;
}

/** What one of them is asked while the plan is made, as in sessions. */
export interface WarmCut {
	readonly pointCut: PointCut;
}

/** What it answers, with the milliseconds that it had the share. */
export interface WarmOutcome {
	readonly outcome: RankResult;
	readonly milliseconds: number;
	/** Bytes of the thread's objects and arrays that are no garbage. */
	readonly held?: number;
}

export default async function run(task: WarmTask): Promise<void> {
	const { rank, ranks, port, core } = task;
	const control = new Control(task.control);
	const spins = spinsFor(ranks, cores().length);
	if (core !== undefined) pin(core);
	// As ranks of a run have them (decision 0052).
	whenLarge(askForLargePages, LARGE_PAGE_BYTES);
	const patience = new Patience({ control, seconds: 60, spins });
	const threads = new ThreadsCommunicator({ shared: task.shared, rank, control, patience });
	const communicator = task.transport === "threads" ? threads : zeromqOf(task, threads, control, patience);
	port.on("message", (message: WarmShare | WarmCut) => {
		const begun = performance.now();
		try {
			if ("pointCut" in message) {
				port.postMessage(pointOwners(message.pointCut, ranks));
				return;
			}
			const { outline, rows, options, isWeighed } = message;
			const outcome = toTheEnd(runShare(shareOf(outline, rows), options, communicator, { request: 0 }));
			const milliseconds = performance.now() - begun;
			const answer: WarmOutcome = { outcome, milliseconds, ...(isWeighed && { held: heldBytes() }) };
			port.postMessage(answer, buffersOf(outcome));
		} catch (error) {
			control.abort(rank, error instanceof Error ? error.message : String(error));
			port.close();
		}
	});
	await once(port, "close");
	control.check();
	communicator.close();
	if (communicator !== threads) threads.close();
}

function heldBytes(): number {
	const collect = runInNewContext("gc") as () => void;
	collect();
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** Ranks tell each other where they listen through memory. */
function zeromqOf(
	{ rank, ranks, key, folder }: WarmTask,
	threads: ThreadsCommunicator,
	control: Control,
	patience: Patience,
): Communicator {
	const binding = bindZeromq({ rank, size: ranks, key, folder, control, patience });
	const endpoints = shareEndpoints(threads, binding.endpoint);
	return new WiredCommunicator(binding.connect(endpoints), { control, transport: "zeromq" });
}

function buffersOf({ ids, reaction, velocity }: RankResult): ArrayBuffer[] {
	const buffers = [reaction, velocity, ids].map(({ buffer }) => buffer);
	return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}
