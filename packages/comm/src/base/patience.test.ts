import { RankError } from "@stickslip/core/parallel";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Control } from "./control.js";
import { Patience, SLICE_MS, spinsFor } from "./patience.js";

const late = () => ({ rank: 4, what: "its halo" });

/** A clock that only naps advance, in milliseconds; a nap may take longer than it should. */
function clockOfNaps(): { readonly naps: number[]; readonly nap: (milliseconds: number, lasts?: number) => void } {
	let now = 0;
	const naps: number[] = [];
	const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
	onTestFinished(() => clock.mockRestore());
	const nap = (milliseconds: number, lasts = milliseconds) => {
		naps.push(milliseconds);
		now += lasts;
	};
	return { naps, nap };
}

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

	it("spins half as long each time it was in vain and as long as before once it was not", () => {
		const patience = new Patience({ control: Control.create(), spins: 8 });
		let needed = Number.POSITIVE_INFINITY;
		/** Looks of a wait before its first nap. */
		const looksOf = () => {
			let [looks, naps] = [0, 0];
			patience.waitUntil(
				() => {
					if (naps === 0) looks += 1;
					return looks > needed || naps > 0;
				},
				late,
				() => {
					naps += 1;
				},
			);
			return looks;
		};
		const inVain = (waits: number) => Array.from({ length: waits }, () => 1);
		expect([looksOf(), looksOf(), looksOf(), looksOf()]).toEqual([9, 5, 3, 2]);
		// After 32 waits in vain, including the last of these, one spins again, and the next after twice as many.
		expect(Array.from({ length: 32 }, looksOf)).toEqual([...inVain(31), 9]);
		expect(Array.from({ length: 65 }, looksOf)).toEqual([...inVain(64), 9]);
		needed = 3;
		expect(Array.from({ length: 130 }, looksOf)).toEqual([...inVain(128), 4, 4]);
		needed = Number.POSITIVE_INFINITY;
		expect([looksOf(), looksOf()]).toEqual([9, 5]);
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
		const patience = new Patience({ control, seconds: 0.12, spins: 0 });
		const { naps, nap } = clockOfNaps();
		expect(() => patience.waitUntil(() => false, late, nap)).toThrow(
			new RankError(4, "is late: after 0.12 s of waiting for its halo"),
		);
		expect(naps).toEqual([50, 50, 20]);
		expect(control.failure()?.rank).toBe(4);
	});

	it("does not call late what ends with the last nap", () => {
		const patience = new Patience({ control: Control.create(), seconds: 0.05, spins: 0 });
		const { naps, nap } = clockOfNaps();
		patience.waitUntil(
			() => naps.length > 0,
			late,
			(milliseconds) => nap(milliseconds, 65),
		);
		expect(naps).toEqual([50]);
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
