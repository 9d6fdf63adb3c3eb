/** One rank, as the task of a worker thread: it gets its share and its communicator, solves with the others, and returns what it has of the answer. */
import { Control } from "@stickslip/comm";
import { type Outcome, type RunOptions, runShare, type Share, type Watch } from "@stickslip/core/parallel";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { connect, type Link, type Place } from "./link.js";
import { writeProgress } from "./progress.js";
import { reasonOf } from "./refusal.js";
import { buffersOf } from "./transfer.js";

export interface RankTask {
	readonly share: Share;
	readonly options: RunOptions;
	readonly control: SharedArrayBuffer;
	readonly link: Link;
	readonly place: Place;
}

export default async function run({ share, options, control: buffer, link, place }: RankTask): Promise<unknown> {
	const control = new Control(buffer);
	try {
		const { communicator, end } = await connect(link, place, control);
		try {
			const outcome = runShare(share, options, communicator, watchOf(control));
			communicator.close();
			end();
			return moved(outcome);
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

function watchOf(control: Control): Watch {
	return {
		get request() {
			return control.stop;
		},
		progress: (now) => writeProgress(control, now),
	};
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
function moved(outcome: Outcome): unknown {
	return move({
		get [transferableSymbol]() {
			return buffersOf(outcome);
		},
		get [valueSymbol]() {
			return outcome;
		},
	});
}
