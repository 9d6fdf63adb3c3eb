import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { ANGLE_MAX, cosine, sine } from "./elementary.js";

describe("sine and cosine", () => {
	const random = new Random(1);

	it("are those of the engine but for two units in the last place", () => {
		let worst = 0;
		for (const size of [1, 10, 1e3, 1e6]) {
			for (let k = 0; k < 50_000; k += 1) {
				const x = size * random.between(-1, 1);
				for (const [ours, theirs] of [
					[sine(x), Math.sin(x)],
					[cosine(x), Math.cos(x)],
				] as const) {
					worst = Math.max(worst, Math.abs(ours - theirs) / (2 ** -51 * Math.abs(theirs) + 2 ** -54));
				}
			}
		}
		expect(worst).toBeLessThanOrEqual(1);
	});

	it("are exact where they have to be", () => {
		expect([sine(0), cosine(0), sine(1e-200)]).toEqual([0, 1, 1e-200]);
		for (const x of [0.1, 3, 1e5]) expect([sine(-x), cosine(-x)]).toEqual([-sine(x), cosine(x)]);
	});

	it("hold for angles of many turns", () => {
		for (let k = 0; k < 2000; k += 1) {
			const x = 1e11 * random.uniform();
			expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThan(1e-9);
		}
	});

	it("say nothing of angles that mean nothing", () => {
		for (const x of [2 * ANGLE_MAX, Number.POSITIVE_INFINITY, Number.NaN]) expect(sine(x)).toBeNaN();
	});
});
