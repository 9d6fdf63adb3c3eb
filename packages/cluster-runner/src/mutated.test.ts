/** What the bench of mutations does a million times, some hundred times: every reader accepts or refuses, and both happen. */
import { Random } from "@stickslip/core";
import { expect, it } from "vitest";
import { mutatedReaders } from "../testing/mutated.js";
import { testFolder } from "../testing/run-cli.js";

const rounds = 300;

it(`input that was spoilt is read or refused, ${rounds} times for each reader`, async () => {
	for (const [name, attempt] of Object.entries(await mutatedReaders({ folder: testFolder() }))) {
		const outcomes = new Set<string>();
		for (let seed = 0; seed < rounds; seed += 1) {
			try {
				outcomes.add(await attempt(new Random(seed)));
			} catch (error) {
				throw new Error(`${name}, seed ${seed}`, { cause: error });
			}
		}
		expect(outcomes, name).toEqual(new Set(["read", "refused"]));
	}
});
