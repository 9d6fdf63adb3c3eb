/** A part of the bench: few bodies that fly into each other, in long steps, over whatever transports there are here. */
import { expect, it } from "vitest";
import { rankPlacements } from "../ranks/hashes.js";
import { drumHashes, Hashes } from "./drum-hashes.js";

const STEPS = 26;

it("the drum has one hash on three ranks over any transport, cut again and again, and gone on with by others", async () => {
	const hashes = new Hashes(() => {});
	const here = rankPlacements(() => {}).filter(({ processes }) => processes === undefined);
	const steps = new Map([1, 3].map((ranks) => [ranks, STEPS]));
	await drumHashes({ options: { bodies: 30, step: 4e-3, jitter: 1 }, steps, placements: here }, hashes);
	expect(hashes.rows.filter(({ same }) => same !== "yes")).toEqual([]);
	expect(new Set(hashes.rows.map(({ way }) => way)).size).toBe(1 + here.length);
	const [one] = hashes.rows;
	expect(one).toMatchObject({ ranks: 1, steps: STEPS, failed: 0 });
	expect(one!.contacts).toBeGreaterThan(0);
	for (const { ranks, resumed, recuts } of hashes.rows) {
		if (ranks > 1) expect(recuts).toBeGreaterThanOrEqual(resumed === "" ? 3 : 2);
	}
});
