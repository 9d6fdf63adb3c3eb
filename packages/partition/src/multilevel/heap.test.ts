import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { VertexHeap } from "./heap.js";

describe("the heap of vertices", () => {
	it("always has the largest key on top, whatever is set, removed and popped", () => {
		const random = new Random(6);
		const heap = new VertexHeap(40);
		const keys = new Map<number, number>();
		const most = (): number => Math.max(-Infinity, ...keys.values());
		for (let step = 0; step < 5000; step += 1) {
			const vertex = random.below(40);
			const what = random.below(5);
			if (what < 3) {
				const key = random.below(12) - 6;
				heap.set(vertex, key);
				keys.set(vertex, key);
			} else if (what === 3) {
				heap.remove(vertex);
				keys.delete(vertex);
			} else if (heap.size > 0) {
				const top = heap.pop();
				expect(keys.get(top)).toBe(most());
				keys.delete(top);
			}
			expect(heap.size).toBe(keys.size);
			expect(heap.topKey()).toBe(most());
			expect(heap.has(vertex)).toBe(keys.has(vertex));
		}
		heap.clear();
		expect(heap.size).toBe(0);
		expect(heap.has(3)).toBe(false);
	});
});
