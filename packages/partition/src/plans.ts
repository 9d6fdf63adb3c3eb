/** Halo plans out of lists: what each rank sends each other one, and where it arrives. Built once, sorted, never changed. */
import type { HaloPlan } from "@stickslip/core/parallel";

/** Blocks on their way from one rank to another: their places at either end, in the same order. */
export interface Flow {
	readonly from: number;
	readonly to: number;
	readonly send: number[];
	readonly receive: number[];
}

function side(flows: readonly Flow[], rankOf: (flow: Flow) => number, placesOf: (flow: Flow) => readonly number[]) {
	const sorted = flows.filter((flow) => placesOf(flow).length > 0).sort((a, b) => rankOf(a) - rankOf(b));
	const start = new Int32Array(sorted.length + 1);
	for (const [i, flow] of sorted.entries()) start[i + 1] = start[i]! + placesOf(flow).length;
	return {
		ranks: Int32Array.from(sorted, rankOf),
		start,
		places: Int32Array.from(sorted.flatMap((flow) => placesOf(flow))),
	};
}

/** The plan of one rank, out of the flows that it has a part in. */
export function planOf(rank: number, width: number, flows: readonly Flow[]): HaloPlan {
	const out = side(
		flows.filter(({ from }) => from === rank),
		({ to }) => to,
		({ send }) => send,
	);
	const back = side(
		flows.filter(({ to }) => to === rank),
		({ from }) => from,
		({ receive }) => receive,
	);
	return Object.freeze({
		width,
		targets: out.ranks,
		sendStart: out.start,
		send: out.places,
		sources: back.ranks,
		receiveStart: back.start,
		receive: back.places,
	});
}
