/** The problem and the judge of the rolling bench, and the C side where Siconos is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readVector } from "./binary.js";
import { buildProgram } from "./installed.js";
import { ourSide, pile } from "./rolling.js";
import { naturalError, writeRolling } from "./rolling-problem.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-rolling-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const subject = pile("spheres", 20, 1e-3);

describe("our side", () => {
	it("is judged as its report says", () => {
		const side = ourSide(subject, "gauss-seidel", 1e-8, 10);
		expect(side?.natural).toBeLessThanOrEqual(1e-8 * (1 + 1e-6));
		// The free motion is no answer.
		expect(naturalError(subject.blocks, new Float64Array(5 * subject.blocks.contacts))).toBeGreaterThan(1e-3);
	});
});

const source = fileURLToPath(new URL("./rolling.c", import.meta.url));
const built = buildProgram(source, join(folder, "rolling"));
const reason = "absent" in built ? built.absent : "";

describe.skipIf(reason !== "")(`Siconos on rolling contacts (skipped where it is not installed: ${reason})`, () => {
	it.each(["nsgs-full", "dense-nsgs-full", "admm"])(
		"%s is given the same problem: its answer has our error",
		(config) => {
			const [file, answer] = [join(folder, "problem.bin"), join(folder, "answer.f64")];
			writeRolling(file, subject.blocks);
			const program = "program" in built ? built.program : "";
			const { status } = spawnSync(program, [file, answer, config, "1e-4", "20", "0"]);
			expect(status).toBe(0);
			expect(naturalError(subject.blocks, readVector(answer))).toBeLessThan(1e-3);
		},
	);
});
