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
	const ranks = new Int32Array(sorted.length);
	const start = new Int32Array(sorted.length + 1);
	for (let i = 0; i < sorted.length; i += 1) {
		ranks[i] = rankOf(sorted[i]!);
		start[i + 1] = start[i]! + placesOf(sorted[i]!).length;
	}
	const places = new Int32Array(start[sorted.length]!);
	for (let i = 0; i < sorted.length; i += 1) places.set(placesOf(sorted[i]!), start[i]!);
	return { ranks, start, places };
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
