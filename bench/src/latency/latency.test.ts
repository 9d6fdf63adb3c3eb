import { describe, expect, it } from "vitest";
import { timesOf } from "../kernels/windows.js";
import { brokenBy } from "./main.js";
import { threadsLatency } from "./threads.js";

describe("the latency bench", () => {
	it("measures threads, tiny, with sums that are right on both sides", async (context) => {
		const { rows, absent } = await threadsLatency({ rounds: 2, windowMs: 0.2 });
		expect(rows.map(({ what, ranks }) => `${what} ${ranks}`)).toContain("reduction 8");
		expect(Math.min(...rows.map(({ ours }) => ours.least))).toBeGreaterThan(0);
		if (absent !== undefined) return context.skip(`needs C beside it: ${absent}`);
		const pairs = rows.filter(({ what, ranks }) => what === "reduction" && ranks === 2);
		expect(pairs.length).toBeGreaterThan(0);
		for (const { c } of pairs) expect(c?.least).toBeGreaterThan(0);
	});

	it("tells which promise is not kept", () => {
		const row = { what: "reduction", bytes: 32 };
		expect(brokenBy("threads", { ...row, ours: timesOf([900, 5000]) })).toEqual([]);
		expect(brokenBy("threads", { ...row, ours: timesOf([1100]) })).toHaveLength(1);
		expect(brokenBy("threads", { ...row, ranks: 8, ours: timesOf([50_000]) })).toEqual([]);
		const trip = { what: "round trip", bytes: 8 };
		expect(brokenBy("zeromq", { ...trip, ours: timesOf([140]), c: timesOf([100]) })).toHaveLength(1);
		expect(brokenBy("zeromq", { ...trip, ours: timesOf([130]), c: timesOf([100]) })).toEqual([]);
	});
});
