import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { spoilJson } from "../../testing/spoil.js";
import { RUN_FILES, readWholeRun, wholeRun } from "../../testing/whole-run.js";

const rounds = 400;

describe("a run's files that somebody damaged", () => {
	it(`are read or refused in one line, ${rounds} seeded times`, async () => {
		const folder = await wholeRun(testFolder());
		const sound = RUN_FILES.map((name) => readFileSync(join(folder, name), "utf8"));
		const counts = { read: 0, refused: 0 };
		for (let seed = 0; seed < rounds; seed += 1) {
			const random = new Random(seed);
			const chosen = random.below(RUN_FILES.length);
			const text = sound[chosen] ?? "";
			const [path, damage] = [join(folder, RUN_FILES[chosen] ?? ""), spoilJson(text, random)];
			if (random.below(20) === 0) rmSync(path);
			else writeFileSync(path, damage, "latin1");
			try {
				readWholeRun(folder);
				counts.read += 1;
			} catch (error) {
				if (!(error instanceof InputError))
					throw new Error(`seed ${seed}: ${RUN_FILES[chosen]}: ${damage}`, { cause: error });
				counts.refused += 1;
			}
			writeFileSync(path, text);
		}
		// Both happen often: damage is not all noticed at once, nor all harmless.
		expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(rounds / 10);
	});
});
