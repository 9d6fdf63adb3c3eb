import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assembled, matrixFree } from "./measure.js";
import { even, spheres } from "./patterns.js";
import { compile } from "./rival.js";
import { alternate, compare, timesOf } from "./windows.js";

describe("the kernels bench, tiny", () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-kernels-test-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const built = compile(folder);
	const absent = "absent" in built ? built.absent : undefined;
	const effort = { rounds: 2, windowMs: 0.1, placements: 2 };
	const place = "tiny";

	it("has ours and the twin without a compiler", async () => {
		const rows = await assembled({ pattern: even(30), place, c: undefined, effort });
		expect(rows.map((row) => row.kernel)).toEqual(["ours, wasm", "ours, twin"]);
		expect(rows[0]).toMatchObject({ blocks: 30 * 5, contacts: 30 });
	});

	it.for([even(50), spheres(60)])(
		"$name: every C kernel is measured, and the best does the same as ours",
		async (pattern, context) => {
			if (absent !== undefined) return context.skip(`needs the C kernels: ${absent}`);
			const c = { program: join(folder, "kernels"), folder };
			const rows = await assembled({ pattern, place, c, effort });
			// measure.ts throws where the two sides' products differ.
			expect(rows.filter((row) => row.kernel.startsWith("C, ")).length).toBeGreaterThanOrEqual(6);
			expect(rows[0]?.ratio?.byLeast).toBeGreaterThan(0);
		},
	);

	it("compares matrix-free with assembled", async () => {
		const rows = await matrixFree({ pattern: spheres(60), place, c: undefined, effort });
		expect(rows.map((row) => row.kernel)).toEqual(["matrix-free, wasm", "matrix-free, twin", "assembled, wasm"]);
		expect(rows.every((row) => row.times.least > 0)).toBe(true);
	});
});

describe("windows", () => {
	it("have their least and their quartiles", () => {
		expect(timesOf([5, 1, 4, 2, 3])).toMatchObject({ least: 1, low: 2, median: 3, high: 4 });
	});

	it("are compared by the least and by neighbours", () => {
		const { byLeast, pairs } = compare(timesOf([2, 4, 2]), timesOf([2, 2, 1]));
		expect(byLeast).toBe(0.5);
		expect(pairs.all).toEqual([1, 0.5, 0.5]);
	});

	it("take turns, each side with as many products as fill the window", async () => {
		const counts: number[][] = [[], []];
		const side = (index: number, nanoseconds: number) => (count: number) => {
			counts[index]?.push(count);
			return nanoseconds;
		};
		const times = await alternate([side(0, 1e5), side(1, 1e7)], 3, 1);
		expect(counts).toEqual([
			[1, 1, 10, 10, 10],
			[1, 1, 1, 1, 1],
		]);
		expect(times.map((time) => time.least)).toEqual([1e5, 1e7]);
	});
});
