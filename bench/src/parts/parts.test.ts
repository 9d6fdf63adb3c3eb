/** The bench at a tiny size. */
import { describe, expect, it } from "vitest";
import { lacking } from "../clients/peer.js";
import { measureParts } from "./main.js";

describe("parts", () => {
	it("ranks that make their own: the hash of the whole", async () => {
		const rows = await measureParts(8, [2], false);
		expect(rows.map(({ isSame, parts }) => [isSame, parts])).toEqual([["yes", 2]]);
	});

	const why = lacking.c!();
	it.skipIf(why)(`C clients of a service (needs: ${why ?? "nothing more"})`, async () => {
		const rows = await measureParts(8, [3], true);
		expect(rows.map(({ isSame }) => isSame)).toEqual(["yes", "yes", "yes", "yes"]);
		expect(rows.every(({ ratio }) => Number(ratio) > 0)).toBe(true);
	});
});
