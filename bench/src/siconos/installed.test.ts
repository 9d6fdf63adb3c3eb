/** The C side, where Siconos is installed: a problem whose answer is known goes through every step of the bench. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readBinary, readVector, writeBinary } from "./binary.js";
import { attempts, build } from "./installed.js";
import { searchSiconos } from "./rival.js";
import type { BlockProblem } from "./score.js";

/**
 * Two contacts, coupled by unsymmetric blocks whose rows and columns differ. R = (2, 0.5, 0), (1, -0.25, 0) lies inside
 * both cones (mu = 1) and q = -W R, so that U = 0: both stick. The columns of the first row are given backwards.
 */
const problem: BlockProblem = {
	contacts: 2,
	rowStart: Int32Array.of(0, 2, 4),
	column: Int32Array.of(1, 0, 0, 1),
	values: Float64Array.of(
		...[0.2, 0.1, 0, 0, 0.3, 0, 0.05, 0, 0.1],
		...[2, 0.2, 0, 0.1, 3, 0, 0, 0, 2],
		...[0.2, 0, 0.05, 0.15, 0.3, 0, 0, 0, 0.1],
		...[2, 0, 0, 0, 2, 0, 0, 0, 2],
	),
	q: Float64Array.of(-4.275, -1.625, -0.05, -2.4, 0.05, 0),
	mu: Float64Array.of(1, 1),
};
const expected = [2, 0.5, 0, 1, -0.25, 0];

const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "problem.bin");
const built = build(folder);
const reason = "absent" in built ? built.absent : "";

describe("the binary problem file", () => {
	it("comes back as it was written", () => {
		writeBinary(file, problem);
		expect(readBinary(file)).toEqual(problem);
	});
});

describe.skipIf(reason !== "")(
	`Siconos on a problem with a known answer (skipped where it is not installed: ${reason})`,
	() => {
		const program = "program" in built ? built.program : "";
		const limits = { limitSeconds: 1, budgetSeconds: 0.001 };

		it("is given the blocks the right way round: its answer is R", async () => {
			const [attempt] = await attempts(program, file, folder, [1e-10], { ...limits, config: "gs-newton" });
			expect(attempt).toMatchObject({ config: "gs-newton", outcome: "solved" });
			const reaction = readVector(attempt?.file ?? "");
			for (const [i, value] of expected.entries()) expect(reaction[i]).toBeCloseTo(value, 8);
		});

		it("is searched for its best, which the score confirms", async () => {
			const [loose, strict] = await searchSiconos(program, problem, file, folder, [1e-4, 1e-8], limits);
			expect(loose?.best?.score.natural).toBeLessThanOrEqual(1e-4);
			expect(strict?.best?.score.natural).toBeLessThanOrEqual(1e-8);
			expect(loose?.attempts.length).toBeGreaterThanOrEqual(30);
		});
	},
);
