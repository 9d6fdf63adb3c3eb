/** The exchange of numbers of contacts that cross to other ranks. */
import type { Communicator, HaloPlan } from "@stickslip/core/parallel";
import type { ByRank, Crossings } from "./contact-owners.js";

/** Collective. Contacts of others have the numbers of their owners afterwards, `width` each. */
export function exchange(
	communicator: Communicator,
	{ sent, received }: Crossings,
	width: number,
	values: Float64Array,
) {
	if (communicator.size === 1) return;
	const out = sideOf(sent);
	const back = sideOf(received);
	const plan: HaloPlan = {
		width,
		targets: out.ranks,
		sendStart: out.start,
		send: out.places,
		sources: back.ranks,
		receiveStart: back.start,
		receive: back.places,
	};
	const under = communicator.open(plan);
	under.begin(values);
	under.finish(values);
	under.close();
}

function sideOf(lists: ByRank) {
	const ranks = Int32Array.from(lists.keys()).sort();
	const start = new Int32Array(ranks.length + 1);
	for (const [i, rank] of ranks.entries()) start[i + 1] = start[i]! + lists.get(rank)!.length;
	const places = new Int32Array(start[ranks.length]!);
	for (const [i, rank] of ranks.entries()) places.set(lists.get(rank)!, start[i]!);
	return { ranks, start, places };
}
