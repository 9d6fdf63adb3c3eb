import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.js";

/** Takes this many turns; each takes the time of its client's requests, and is settled at once. */
function serve(queue: FairQueue<number>, turns: number, secondsOf: (client: string) => number): Map<string, number> {
	const used = new Map<string, number>();
	for (let k = 0; k < turns; k += 1) {
		const turn = queue.take();
		if (turn === undefined) break;
		const seconds = secondsOf(turn.client);
		used.set(turn.client, (used.get(turn.client) ?? 0) + seconds);
		queue.settle(turn, seconds);
	}
	return used;
}

function filled(counts: Readonly<Record<string, number>>): FairQueue<number> {
	const queue = new FairQueue<number>();
	for (const [client, count] of Object.entries(counts)) for (let k = 0; k < count; k += 1) queue.push(client, k);
	return queue;
}

describe("the queue", () => {
	it("keeps the order of each client, and a repeated request comes first", () => {
		const queue = filled({ a: 3 });
		const first = queue.take()!;
		const second = queue.take()!;
		for (const turn of [second, first]) queue.pushAgain(turn);
		expect([1, 2, 3].map(() => queue.take()?.item)).toEqual([0, 1, 2]);
		expect([queue.take(), queue.size]).toEqual([undefined, 0]);
	});

	it("shares seconds, not requests: who sends many or long ones gets as much as who sends few", () => {
		const queue = filled({ long: 1000, short: 20_000, single: 1000 });
		const used = serve(queue, 8000, (client) => (client === "short" ? 0.01 : 0.1));
		const shares = [...used.values()];
		expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.02);
	});

	it("gives each of two turns under way to another client, by what their requests usually take", () => {
		const queue = filled({ a: 100, b: 100 });
		for (let k = 0; k < 20; k += 1) {
			const pair = [queue.take()!, queue.take()!];
			if (k > 2) expect(new Set(pair.map(({ client }) => client)).size).toBe(2);
			for (const turn of pair) queue.settle(turn, 1);
		}
	});

	it("lets nobody save turns: who was away starts where the others are", () => {
		const queue = filled({ a: 1000 });
		serve(queue, 500, () => 1);
		for (let k = 0; k < 1000; k += 1) queue.push("b", k);
		const used = serve(queue, 100, () => 1);
		expect(Math.abs(used.get("a")! - used.get("b")!)).toBeLessThanOrEqual(1);
	});

	it("forgets what is removed, by seed", () => {
		const random = new Random(7);
		const queue = new FairQueue<number>();
		const waiting = new Map<string, number[]>();
		for (let k = 0; k < 2000; k += 1) {
			const client = "abc"[random.below(3)]!;
			const own = waiting.get(client) ?? [];
			waiting.set(client, own);
			const kind = random.below(3);
			if (kind === 0) {
				queue.push(client, k);
				own.push(k);
			} else if (kind === 1 && own.length > 0) {
				const [item] = own.splice(random.below(own.length), 1);
				expect([queue.remove(client, item!), queue.remove(client, item!)]).toEqual([true, false]);
			} else {
				const turn = queue.take();
				expect(turn?.item).toBe(turn && waiting.get(turn.client)!.shift());
				if (turn) queue.settle(turn, random.below(100) / 100);
			}
			expect(queue.size).toBe([...waiting.values()].reduce((sum, { length }) => sum + length, 0));
		}
	});
});
