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
import { connect, type Link, type Place } from "./link.js";
import { writeProgress } from "./progress.js";
import { reasonOf } from "./refusal.js";
import { buffersOf } from "./transfer.js";

export interface RankTask {
	readonly share: Share;
	readonly options: RunOptions;
	/** What it goes on from. */
	readonly from?: RunState | undefined;
	readonly control: SharedArrayBuffer;
	readonly link: Link;
	readonly place: Place;
	/** The most addresses for its memory, where they are limited. */
	readonly reserveBytes: number | undefined;
}

/** What a rank says to its process while it iterates. */
export type Said = { readonly ready: true } | { readonly state: RunState } | { readonly dropped: number };

/** What a rank's thread returns: all the states that it said it has are to be written before the run is over. */
export interface Ended {
	readonly outcome: Outcome;
	readonly states: number;
}

export default async function run(task: RankTask): Promise<unknown> {
	const { share, options, from, control: buffer, link, place, reserveBytes } = task;
	if (reserveBytes !== undefined) reserveAtMost(reserveBytes);
	const control = new Control(buffer);
	try {
		const { communicator, dropped, end } = await connect(link, place, control);
		try {
			const watch = new RankWatch(control, place);
			const outcome = runShare(share, options, communicator, watch, from);
			communicator.close();
			watch.dropped(dropped?.() ?? 0);
			end();
			return moved({ outcome, states: watch.states });
		} catch (error) {
			// All hear who failed before this one takes its leave, which may have to wait for them.
			if (control.failure() === undefined) communicator.abort(reasonOf(error));
			quietly(end);
			throw error;
		}
	} catch (error) {
		control.abort(place.rank, reasonOf(error));
		throw error;
	} finally {
		place.port.close();
	}
}

/** A rank's ear and mouth: it never returns to its event loop while it works, and talks through shared memory and its port. */
class RankWatch implements Watch {
	/** Handed out so far. */
	states = 0;
	readonly #control: Control;
	readonly #place: Place;
	/** Requests to save that were answered. */
	#answered: number;

	constructor(control: Control, place: Place) {
		this.#control = control;
		this.#place = place;
		this.#answered = control.saves;
	}

	get request(): number {
		const { stop, saves } = this.#control;
		return saves === this.#answered ? stop : Math.max(stop, STOP.save);
	}

	ready(): void {
		this.#say({ ready: true });
	}

	progress(now: Progress): void {
		writeProgress(this.#control, now);
	}

	/** What all ranks have alike travels once. */
	save(state: RunState): void {
		this.#answered = this.#control.saves;
		this.states += 1;
		const { iteration, scalars, ids, vectors } = state;
		const own = Object.entries(vectors).map(([name, values]) => [name, ownCopy(values)] as const);
		const said: RunState = {
			iteration,
			scalars: this.#place.rank === 0 ? scalars : {},
			ids: ids.slice(),
			vectors: Object.fromEntries(own),
		};
		this.#say({ state: said }, buffersOf(said));
	}

	/** They did no harm; that they came is worth a word. */
	dropped(frames: number): void {
		if (frames > 0) this.#say({ dropped: frames });
	}

	#say(said: Said, moved: ArrayBuffer[] = []): void {
		this.#place.port.postMessage(said, moved);
	}
}

/** Memory of its own, that can move to another thread. */
function ownCopy(values: Float64Array): Float64Array {
	const isOwn = values.buffer instanceof ArrayBuffer && values.byteLength === values.buffer.byteLength;
	return isOwn ? values : values.slice();
}

/** After a failure, what fails on the way out is its consequence. */
function quietly(end: () => void): void {
	try {
		end();
	} catch {
		// The first error is the one to tell.
	}
}

/** The answer's arrays move to whoever started this thread. */
function moved(ended: Ended): unknown {
	return move({
		get [transferableSymbol]() {
			return buffersOf(ended);
		},
		get [valueSymbol]() {
			return ended;
		},
	});
}
