import { Random } from "@stickslip/core";
import type { HaloPlan } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { ownershipOf, rowsOfGraph } from "../graph/ownership.js";
import { chain, randomGraph } from "../testing/graphs.js";
import { haloFaults, haloPlans } from "./halo.js";

/** Carries blocks as the plans say, by the definition: what i-th leaves for a rank arrives there i-th. */
function exchange(plans: readonly HaloPlan[], vectors: readonly Float64Array[]): void {
	for (const [rank, plan] of plans.entries()) {
		for (const [i, source] of plan.sources.entries()) {
			const sender = plans[source]!;
			const at = sender.targets.indexOf(rank);
			for (let k = 0; k < plan.receiveStart[i + 1]! - plan.receiveStart[i]!; k += 1) {
				const from = sender.send[sender.sendStart[at]! + k]!;
				const to = plan.receive[plan.receiveStart[i]! + k]!;
				for (let c = 0; c < plan.width; c += 1)
					vectors[rank]![plan.width * to + c] = vectors[source]![plan.width * from + c]!;
			}
		}
	}
}

describe("ownership and halo plans", () => {
	it("of a chain in three parts are what one writes down by hand", () => {
		const ownership = ownershipOf(Int32Array.from([0, 0, 1, 1, 2]), 3, rowsOfGraph(chain(5)));
		expect(ownership.ranks.map(({ own }) => [...own])).toEqual([[0, 1], [2, 3], [4]]);
		expect(ownership.ranks.map(({ ghosts }) => [...ghosts])).toEqual([[2], [1, 4], [3]]);
		const plan = haloPlans(ownership, 3)[1]!;
		expect([...plan.targets]).toEqual([0, 2]);
		expect([...plan.send]).toEqual([0, 1]);
		expect([...plan.sources]).toEqual([0, 2]);
		expect([...plan.receive]).toEqual([2, 3]);
		expect(Object.isFrozen(plan)).toBe(true);
	});

	it("bring every ghost its owner's values, for any owners", () => {
		for (let seed = 1; seed <= 60; seed += 1) {
			const random = new Random(seed);
			const count = random.below(40);
			const ranks = 1 + random.below(8);
			const graph = randomGraph(count, 4, seed);
			const owner = Int32Array.from({ length: count }, () => random.below(ranks));
			const ownership = ownershipOf(owner, ranks, rowsOfGraph(graph));
			const plans = haloPlans(ownership, 2);
			const blocks = ownership.ranks.map(({ localToGlobal }) => localToGlobal.length);
			expect(haloFaults(plans, blocks), `seed ${seed}`).toEqual([]);
			const vectors = ownership.ranks.map(({ own, localToGlobal }) =>
				Float64Array.from({ length: 2 * localToGlobal.length }, (_, i) =>
					i < 2 * own.length ? 100 * localToGlobal[i >> 1]! + (i & 1) : Number.NaN,
				),
			);
			exchange(plans, vectors);
			for (const { rank, localToGlobal, own, ghosts, ghostToOwner } of ownership.ranks) {
				expect([...vectors[rank]!], `seed ${seed}`).toEqual(
					Array.from({ length: 2 * localToGlobal.length }, (_, i) => 100 * localToGlobal[i >> 1]! + (i & 1)),
				);
				// Ghosts are what own rows need of others, no more and no less, in their order.
				const needed = new Set<number>();
				for (const id of own)
					for (let k = graph.start[id]!; k < graph.start[id + 1]!; k += 1)
						if (owner[graph.neighbour[k]!] !== rank) needed.add(graph.neighbour[k]!);
				expect([...ghosts]).toEqual([...needed].sort((a, b) => owner[a]! - owner[b]! || a - b));
				expect([...ghostToOwner]).toEqual(Array.from(ghosts, (id) => owner[id]));
			}
			expect([...ownership.ranks.flatMap(({ own }) => [...own])].sort((a, b) => a - b)).toEqual(
				Array.from({ length: count }, (_, id) => id),
			);
		}
	});

	it("that do not fit are told", () => {
		const ownership = ownershipOf(Int32Array.from([0, 0, 1, 1, 2]), 3, rowsOfGraph(chain(5)));
		const plans = haloPlans(ownership, 3);
		const blocks = [3, 4, 2];
		const spoilt = (rank: number, change: Partial<HaloPlan>) =>
			haloFaults(
				plans.map((plan, i) => (i === rank ? { ...plan, ...change } : plan)),
				blocks,
			);
		expect(haloFaults(plans, blocks)).toEqual([]);
		expect(spoilt(1, { width: 6 })[0]).toContain("blocks of 6");
		expect(spoilt(1, { targets: Int32Array.from([2, 0]) })[0]).toContain("ascending");
		expect(spoilt(1, { send: Int32Array.from([0, 9]) })[0]).toContain("not a local block");
		expect(spoilt(1, { receive: Int32Array.from([3, 3]) })[0]).toContain("twice");
		expect(spoilt(1, { receive: Int32Array.from([0, 3]) })[0]).toContain("sent and received");
		const silent = { targets: new Int32Array(0), sendStart: new Int32Array(1), send: new Int32Array(0) };
		expect(spoilt(0, silent)).toContain("rank 1: receives from 0, which does not send");
		const deaf = { sources: new Int32Array(0), receiveStart: new Int32Array(1), receive: new Int32Array(0) };
		expect(spoilt(0, deaf)).toContain("rank 1: sends to 0, which does not receive");
	});

	it("refuse owners that are no ranks", () => {
		expect(() => ownershipOf(Int32Array.from([0, 2]), 2, rowsOfGraph(chain(2)))).toThrow(/2 is not a rank of 2/);
		expect(() => ownershipOf(Int32Array.from([0]), 2, rowsOfGraph(chain(2)))).toThrow(/1 owners for 2 rows/);
	});
});
