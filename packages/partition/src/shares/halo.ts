/** Halo plans of all ranks of an ownership, in each rank's local order, and the check that plans fit together. */
import type { HaloPlan } from "@stickslip/core/parallel";
import type { Ownership } from "../graph/ownership.js";
import { type Flow, planOf } from "./plans.js";

/** By rank. Each ghost travels once, from its owner; of one sender they arrive in one run, by ascending id. */
export function haloPlans(ownership: Ownership, width: number): HaloPlan[] {
	const { count, owner, ranks } = ownership;
	const place = new Int32Array(count);
	for (const { own } of ranks) for (let i = 0; i < own.length; i += 1) place[own[i]!] = i;
	const outOf: Flow[][] = ranks.map(() => []);
	const into: Flow[][] = ranks.map(() => []);
	for (const { rank, own, ghosts } of ranks) {
		for (let first = 0; first < ghosts.length; ) {
			const from = owner[ghosts[first]!]!;
			const send: number[] = [];
			const receive: number[] = [];
			let at = first;
			for (; at < ghosts.length && owner[ghosts[at]!] === from; at += 1) {
				send.push(place[ghosts[at]!]!);
				receive.push(own.length + at);
			}
			const flow = { from, to: rank, send, receive };
			outOf[from]!.push(flow);
			into[rank]!.push(flow);
			first = at;
		}
	}
	return ranks.map((_, rank) => planOf(rank, width, [...outOf[rank]!, ...into[rank]!]));
}

/** Errors in the plans of all ranks taken together, a line each; empty if they match. `blocks` is each rank's number of local blocks. */
export function haloFaults(plans: readonly HaloPlan[], blocks: readonly number[]): string[] {
	const faults: string[] = [];
	for (const [rank, plan] of plans.entries()) {
		const say = (what: string) => faults.push(`rank ${rank}: ${what}`);
		if (plan.width !== plans[0]?.width) say(`blocks of ${plan.width} where rank 0 has ${plans[0]?.width}`);
		checkSide(plan.targets, plan.sendStart, plan.send, "send", plans.length, rank, blocks[rank] ?? 0, say);
		checkSide(plan.sources, plan.receiveStart, plan.receive, "receive", plans.length, rank, blocks[rank] ?? 0, say);
		if (new Set(plan.receive).size < plan.receive.length) say("a place is received twice");
		const sent = new Set(plan.send);
		if (plan.receive.some((place) => sent.has(place))) say("a place is sent and received");
		for (const [i, target] of plan.targets.entries()) {
			const other = plans[target];
			const at = other?.sources.indexOf(rank) ?? -1;
			const sends = plan.sendStart[i + 1]! - plan.sendStart[i]!;
			if (other === undefined || at < 0) say(`sends to ${target}, which does not receive`);
			else if (other.receiveStart[at + 1]! - other.receiveStart[at]! !== sends)
				say(`sends ${sends} blocks to ${target}, which receives another number`);
		}
		for (const source of plan.sources) {
			if (!plans[source]?.targets.includes(rank)) say(`receives from ${source}, which does not send`);
		}
	}
	return faults;
}

function checkSide(
	ranks: Int32Array,
	start: Int32Array,
	places: Int32Array,
	name: string,
	size: number,
	self: number,
	blocks: number,
	say: (what: string) => void,
): void {
	if (ranks.some((rank, i) => rank < 0 || rank >= size || rank === self || (i > 0 && rank <= ranks[i - 1]!)))
		say(`ranks to ${name} are not others in ascending order`);
	if (start.length !== ranks.length + 1 || start[0] !== 0 || start[ranks.length] !== places.length)
		say(`places to ${name} do not fit their starts`);
	if (start.some((first, i) => i > 0 && first <= start[i - 1]!)) say(`an empty message to ${name}`);
	if (places.some((place) => place < 0 || place >= blocks)) say(`a place to ${name} is not a local block`);
}
