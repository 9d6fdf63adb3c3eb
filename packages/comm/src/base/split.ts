/** Splits a halo plan: the part within a range of ranks (the threads of one process), and the rest. */
import type { HaloPlan } from "@stickslip/core/parallel";

/** Inside, ranks are counted from `first`. */
export function splitPlan(
	plan: HaloPlan,
	first: number,
	count: number,
): { readonly inside: HaloPlan; readonly outside: HaloPlan } {
	const { width } = plan;
	const isInside = (rank: number) => rank >= first && rank < first + count;
	const part = (keep: (rank: number) => boolean, shift: number): HaloPlan => {
		const sent = chosen(plan.targets, plan.sendStart, plan.send, keep, shift);
		const received = chosen(plan.sources, plan.receiveStart, plan.receive, keep, shift);
		return {
			width,
			targets: sent.ranks,
			sendStart: sent.start,
			send: sent.places,
			sources: received.ranks,
			receiveStart: received.start,
			receive: received.places,
		};
	};
	return { inside: part(isInside, first), outside: part((rank) => !isInside(rank), 0) };
}

function chosen(
	ranks: Int32Array,
	starts: Int32Array,
	places: Int32Array,
	keep: (rank: number) => boolean,
	shift: number,
): { readonly ranks: Int32Array; readonly start: Int32Array; readonly places: Int32Array } {
	const kept: number[] = [];
	const start = [0];
	const keptPlaces: number[] = [];
	for (const [i, rank] of ranks.entries()) {
		if (!keep(rank)) continue;
		kept.push(rank - shift);
		for (let k = starts[i]!; k < starts[i + 1]!; k += 1) keptPlaces.push(places[k]!);
		start.push(keptPlaces.length);
	}
	return { ranks: Int32Array.from(kept), start: Int32Array.from(start), places: Int32Array.from(keptPlaces) };
}
