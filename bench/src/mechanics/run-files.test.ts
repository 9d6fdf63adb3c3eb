/** The bench of run files at a tiny size: steps of a few bodies take kilobytes, whatever their surfaces are. */
import { loadHdf5 } from "@stickslip/cluster-runner";
import type { AppendModule } from "@stickslip/mechanics";
import { expect, test } from "vitest";
import { runFileRow } from "./run-files.js";

test("storing a step of 30 spheres", async () => {
	const row = runFileRow((await loadHdf5()) as AppendModule, 30, 20);
	expect(row.bodies).toBe(30);
	for (const time of [row.step, row.store, row.release]) expect(time).toBeGreaterThan(0);
	// Bodies take 184 bytes and contacts 92, in pieces of 512 rows.
	expect(row.bytesEach).toBeLessThan(40_000);
});
