import { describe, expect, it } from "vitest";
import { latticeBodies, samples } from "./graphs.js";
import { compare } from "./main.js";

describe("partitions against METIS", () => {
	it("are measured on every graph that needs no shared data", async () => {
		for (const { name, make } of samples) {
			const drawn = await make(300, undefined);
			if (drawn === undefined) continue;
			const rows = compare(name, drawn, 4);
			const mine = rows.find(({ method }) => method === "auto");
			expect(mine?.balance, name).toBeLessThanOrEqual(1e-9 + Number(mine?.aim));
			expect(rows.map(({ method }) => method).includes("rcb"), name).toBe(drawn.points !== undefined);
		}
	});

	it("has a lattice with the contacts that it should have", () => {
		const body = latticeBodies(10);
		expect(Math.max(...body)).toBe(999);
		// 100 on the ground and nine in ten of 2,700.
		expect(body.length / 2).toBeGreaterThan(2400);
		expect(body.length / 2).toBeLessThan(2650);
	});
});
