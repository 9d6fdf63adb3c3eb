import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { hilbertIndex, hilbertOrder } from "./hilbert.js";

describe("the Hilbert curve", () => {
	it("passes each cell of a cube once, from neighbour to neighbour", () => {
		for (const [axes, bits] of [
			[2, 1],
			[2, 4],
			[3, 1],
			[3, 3],
		] as const) {
			const side = 2 ** bits;
			const cells = side ** axes;
			const at: number[][] = new Array(cells);
			for (let c = 0; c < cells; c += 1) {
				const cell = Array.from({ length: axes }, (_, axis) => Math.floor(c / side ** axis) % side);
				at[hilbertIndex(Int32Array.from(cell), bits)] = cell;
			}
			for (let i = 1; i < cells; i += 1) {
				const steps = at[i]!.reduce((sum, x, axis) => sum + Math.abs(x - at[i - 1]![axis]!), 0);
				expect(steps, `${axes} axes, ${bits} bits, place ${i}`).toBe(1);
			}
		}
	});

	it("orders points as a permutation, equal ones by id", () => {
		const random = new Random(4);
		const points = Float64Array.from({ length: 3000 }, () => random.between(-5, 5));
		expect([...hilbertOrder(points)].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, v) => v));
		expect([...hilbertOrder(new Float64Array(15))]).toEqual([0, 1, 2, 3, 4]);
		expect(hilbertOrder(new Float64Array(0))).toHaveLength(0);
	});
});
