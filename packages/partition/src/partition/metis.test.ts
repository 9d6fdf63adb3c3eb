import { describe, expect, it } from "vitest";
import { balanceByHand, chain, cutByHand, grid } from "../testing/graphs.js";
import { hasMetis, metis, requireMetis } from "./metis.js";
import { partition } from "./partition.js";

describe.skipIf(!hasMetis())("METIS (needs libmetis5)", () => {
	const { graph } = grid(32, 16);

	it("partitions when it is asked for, and says so", () => {
		const { owner, method, reason } = partition(graph, 4, { method: "metis" });
		expect([method, reason]).toEqual(["metis", "requested"]);
		expect(new Set(owner).size).toBe(4);
		expect(balanceByHand(graph, owner, 4)).toBeLessThan(1.1);
		expect(cutByHand(graph, owner)).toBeLessThan(80);
	});

	it("takes weights, a seed, and a tolerance", () => {
		const weighted = { ...chain(100), vertexWeight: Int32Array.from({ length: 100 }, (_, v) => (v < 50 ? 3 : 1)) };
		const owner = metis(weighted, 2, { seed: 5, ufactor: 20 });
		expect(metis(weighted, 2, { seed: 5, ufactor: 20 })).toEqual(owner);
		expect(balanceByHand(weighted, owner, 2)).toBeLessThan(1.05);
		expect(cutByHand(weighted, owner)).toBe(1);
	});

	it("is not called for what it cannot do", () => {
		expect([...metis(chain(3), 1)]).toEqual([0, 0, 0]);
		expect(metis(chain(0), 5)).toHaveLength(0);
		expect([...partition(chain(2), 5, { method: "metis" }).owner]).toEqual([0, 1]);
	});
});

describe("METIS where there is none", () => {
	it("is refused with the way out", () => {
		expect(() => requireMetis(["libmetis-of-nowhere.so"])).toThrow(/libmetis is not installed; install it/);
	});
});
