/** Packing is timed by samples, which represent all exchanges of each step of a sweep. */
import { expect, test } from "vitest";
import { Counters } from "./counters.js";

test("weights add up to the number of exchanges, in each step of sweeps of any length", () => {
	for (const steps of [1, 2, 10, 16, 17, 20, 34, 40]) {
		const counters = new Counters();
		const weight = new Float64Array(steps);
		const sweeps = 2000;
		let timed = 0;
		for (; counters.exchanges < sweeps * steps; counters.exchanges += 1) {
			weight[counters.exchanges % steps]! += counters.packWeight;
			if (counters.packWeight > 0) timed += 1;
		}
		for (const sum of weight) expect(Math.abs(sum / sweeps - 1)).toBeLessThan(0.1);
		expect(timed).toBeLessThan(sweeps * steps * 0.2 + 64);
	}
});
