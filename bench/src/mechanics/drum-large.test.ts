/** The bench with few particles: one rank and two do the same to the bit, phases are all of a step, and the settled state is kept. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { largeDrums, measureDrum } from "./drum-large.js";
import { DrumRanks } from "./drum-ranks.js";

test("settled and turning drums on one rank and two", async () => {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-drum-"));
	const ranks = new DrumRanks(2);
	const printed: string[] = [];
	try {
		for (const drum of largeDrums.filter(({ shape }) => shape === "ellipsoids")) {
			const few = { ...drum, bodies: 120, settling: { long: 40, own: 2 }, first: 1, steps: 3, beside: true };
			const { rows, speedup, isSame } = await measureDrum(few, ranks, (line) => printed.push(line), folder);
			expect(isSame).toBe(true);
			expect(speedup![0]).toBeGreaterThan(0);
			expect(rows.map(({ ranks, rank }) => [ranks, rank])).toEqual([
				[1, 0],
				[2, 0],
				[2, 1],
			]);
			for (const { contacts, failed, step, detect, setup, solve, rest } of rows) {
				expect(contacts).toBeGreaterThan(30);
				expect(failed).toBe(0);
				const phases = detect + setup + solve + rest;
				expect(phases).toBeLessThanOrEqual(1.001 * step);
				expect(phases).toBeGreaterThan(0.5 * step);
			}
		}
		// Two schemes.
		expect(printed).toHaveLength(2);
		expect(readdirSync(folder)).toHaveLength(2);
	} finally {
		await ranks.end();
		rmSync(folder, { recursive: true });
	}
});
