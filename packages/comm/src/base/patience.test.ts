import { RankError } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { Control } from "./control.js";
import { Patience, SLICE_MS, spinsFor } from "./patience.js";

const late = () => ({ rank: 4, what: "its halo" });

describe("patience", () => {
	it("spins first, and does not sleep when that is enough", () => {
		const patience = new Patience({ control: Control.create(), spins: 10 });
		let looks = 0;
		const naps: number[] = [];
		patience.waitUntil(
			() => ++looks === 11,
			late,
			(milliseconds) => naps.push(milliseconds),
		);
		expect(naps).toEqual([]);
	});

	it("sleeps in slices when spinning was not enough", () => {
		const patience = new Patience({ control: Control.create(), spins: 10 });
		const naps: number[] = [];
		patience.waitUntil(
			() => naps.length === 3,
			late,
			(milliseconds) => naps.push(milliseconds),
		);
		expect(naps).toEqual([SLICE_MS, SLICE_MS, SLICE_MS]);
	});

	it("names the late rank past the limit, for all", () => {
		const control = Control.create();
		const patience = new Patience({ control, seconds: 0.2, spins: 0 });
		const began = performance.now();
		expect(() => patience.waitUntil(() => false, late)).toThrow(
			new RankError(4, "is late: after 0.2 s of waiting for its halo"),
		);
		expect(performance.now() - began).toBeGreaterThanOrEqual(200);
		expect(control.failure()?.rank).toBe(4);
	});

	it("does not call late what ends with the last nap", () => {
		const patience = new Patience({ control: Control.create(), seconds: 0.05, spins: 0 });
		const end = performance.now() + 45;
		let naps = 0;
		patience.waitUntil(
			() => naps > 0,
			late,
			() => {
				// Longer than it should.
				while (performance.now() < end + 20);
				naps += 1;
			},
		);
		expect(naps).toBe(1);
	});

	it("ends at once when another rank has failed", () => {
		const control = Control.create();
		const patience = new Patience({ control, spins: 0 });
		control.abort(1, "fell over");
		expect(() => patience.waitUntil(() => false, late)).toThrow(new RankError(1, "fell over"));
	});

	it("does not spin with more ranks than cores", () => {
		expect(spinsFor(64, 2)).toBe(0);
		expect(spinsFor(3, 2)).toBe(0);
		expect(spinsFor(2, 2)).toBeGreaterThan(0);
	});
});
