/** One rank, as the task of a worker thread: it gets its share and its communicator, solves with the others, and returns what it has of the answer. */
import { Control } from "@stickslip/comm";
import type { Progress } from "@stickslip/core";
import {
	type Outcome,
	type RunOptions,
	type RunState,
	reserveAtMost,
	runShare,
	type Share,
	STOP,
	type Watch,
} from "@stickslip/core/parallel";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { writeProgress } from "../protocol/progress.js";
import { reasonOf } from "../protocol/refusal.js";
import { buffersOf } from "../protocol/transfer.js";
import { connect, type Link, type RankContext } from "./link.js";

export interface RankTask {
	readonly share: Share;
	readonly options: RunOptions;
	/** The state to continue from. */
	readonly from?: RunState | undefined;
	readonly control: SharedArrayBuffer;
	readonly link: Link;
	readonly context: RankContext;
	/** The most addresses for its memory, where they are limited. */
	readonly reserveBytes: number | undefined;
}

/** A message of a rank to its process while it iterates. */
export type RankMessage = { readonly ready: true } | { readonly state: RunState } | { readonly dropped: number };

/** The result of a rank's thread: all states that it has sent are to be written before the run ends. */
export interface RankResult {
	readonly outcome: Outcome;
	readonly states: number;
}

export default async function run(task: RankTask): Promise<unknown> {
	const { share, options, from, control: buffer, link, context, reserveBytes } = task;
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	const control = new Control(buffer);
	try {
		const { communicator, dropped, end } = await connect(link, context, control);
		try {
			const watch = new RankWatch(control, context);
			const outcome = runShare(share, options, communicator, watch, from);
			communicator.close();
			watch.dropped(dropped?.() ?? 0);
			end();
			return moved({ outcome, states: watch.states });
		} catch (error) {
			// All ranks are notified of the failure before this one closes its connections, which may have to wait for them.
			if (control.failure() === undefined) communicator.abort(reasonOf(error));
			quietly(end);
			throw error;
		}
	} catch (error) {
		control.abort(context.rank, reasonOf(error));
		throw error;
	} finally {
		context.port.close();
	}
}

/** Connects a running rank with its process: a rank never returns to its event loop while it runs, so requests are read from shared memory, and messages are sent through its port. */
class RankWatch implements Watch {
	/** Sent so far. */
	states = 0;
	readonly #control: Control;
	readonly #context: RankContext;
	/** Requests to save that were answered. */
	#saved: number;

	constructor(control: Control, context: RankContext) {
		this.#control = control;
		this.#context = context;
		this.#saved = control.saves;
	}

	get request(): number {
		const { stop, saves } = this.#control;
		return saves === this.#saved ? stop : Math.max(stop, STOP.save);
	}

	ready(): void {
		this.#send({ ready: true });
	}

	progress(now: Progress): void {
		writeProgress(this.#control, now);
	}

	/** Data that all ranks share are sent once. */
	save(state: RunState): void {
		this.#saved = this.#control.saves;
		this.states += 1;
		const { iteration, scalars, spaces } = state;
		const message: RunState = {
			iteration,
			scalars: this.#context.rank === 0 ? scalars : {},
			spaces: mapped(spaces, ({ count, ids, vectors }) => ({
				count,
				ids: ids.slice(),
				vectors: mapped(vectors, ({ width, values }) => ({ width, values: ownCopy(values) })),
			})),
		};
		this.#send({ state: message }, buffersOf(message));
	}

	/** They are harmless, but are logged. */
	dropped(frames: number): void {
		if (frames > 0) this.#send({ dropped: frames });
	}

	#send(message: RankMessage, moved: ArrayBuffer[] = []): void {
		this.#context.port.postMessage(message, moved);
	}
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}

/** Memory of its own, that can move to another thread. */
function ownCopy(values: Float64Array): Float64Array {
	const isOwn = values.buffer instanceof ArrayBuffer && values.byteLength === values.buffer.byteLength;
	return isOwn ? values : values.slice();
}

/** After a failure, errors during cleanup are consequences of it. */
function quietly(end: () => void): void {
	try {
		end();
	} catch {
		// The first error is the one to report.
	}
}

/** The arrays of the answer are transferred to the thread that started this one. */
function moved(result: RankResult): unknown {
	return move({
		get [transferableSymbol]() {
			return buffersOf(result);
		},
		get [valueSymbol]() {
			return result;
		},
	});
}
