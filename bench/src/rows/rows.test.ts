/** The bench at a tiny size. */
import { expect, it } from "vitest";
import { rowsOf } from "./main.js";

it.each(["plain", "packed"] as const)("rows: the same answer either way, and peaks: %s", (storage) => {
	const [whole, own] = rowsOf(60, storage, 1);
	expect([whole!.way, own!.way]).toEqual(["starter", "ranks"]);
	expect(own!.hash).toBe(whole!.hash);
	expect(Math.min(own!.peak, whole!.peak)).toBeGreaterThan(1);
});
