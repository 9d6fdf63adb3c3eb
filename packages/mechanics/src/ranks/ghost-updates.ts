/** What ranks tell each other of ghosts as long as they have the same ones: what changes from step to step, by a plan that is made once. */
import type { Communicator, HaloPlan } from "@stickslip/core/parallel";
import { type BodyStore, stateNumbers } from "./body-store.js";
import type { Sendings } from "./ghosts.js";

export class GhostUpdates {
	readonly #store: BodyStore;
	/** Own bodies that others have. */
	readonly #sent: Int32Array;
	readonly #plan: HaloPlan;
	/** States of what is sent, and behind them those of the ghosts in the order of their places. */
	readonly #states: Float64Array;
	/** The part of the ghosts. */
	readonly #arrived: Float64Array;

	/** `owner` has the rank of each ghost; like what is sent to a rank, its ghosts of a rank are in ascending order. */
	constructor(size: number, store: BodyStore, { place, rank }: Sendings, owner: Int32Array) {
		const width = stateNumbers(store.hasRates);
		this.#store = store;
		this.#sent = Int32Array.from(place);
		this.#states = new Float64Array(width * (place.length + owner.length));
		this.#arrived = this.#states.subarray(width * place.length);
		const sent = groupedBy(rank, size);
		const ghosts = groupedBy(owner, size);
		this.#plan = {
			width,
			targets: sent.ranks,
			sendStart: sent.start,
			send: sent.at,
			sources: ghosts.ranks,
			receiveStart: ghosts.start,
			receive: ghosts.at.map((ghost) => place.length + ghost),
		};
	}

	/** Collective. Ghosts are as their owners have them. */
	exchange(communicator: Communicator): void {
		const states = this.#states;
		this.#store.writeStates(this.#sent, states);
		const exchange = communicator.open(this.#plan);
		exchange.begin(states);
		exchange.finish(states);
		exchange.close();
		this.#store.readGhosts(this.#arrived);
	}
}

/** Where each rank stands in a list of ranks, by rank, and only ranks that do. */
function groupedBy(list: ArrayLike<number>, size: number) {
	const at = Int32Array.from({ length: list.length }, (_, i) => i).sort((i, j) => list[i]! - list[j]! || i - j);
	const ranks: number[] = [];
	const start = [0];
	for (let rank = 0, end = 0; rank < size; rank += 1) {
		while (end < at.length && list[at[end]!] === rank) end += 1;
		if (end === start.at(-1)) continue;
		ranks.push(rank);
		start.push(end);
	}
	return { ranks: Int32Array.from(ranks), start: Int32Array.from(start), at };
}
