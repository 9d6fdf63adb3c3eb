import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { ANGLE_MAX, cosine, sine } from "./elementary.js";

describe("sine and cosine", () => {
	const random = new Random(1);

	it("are those of the engine but for two units in the last place", () => {
		for (const size of [1, 10, 1e3, 1e6]) {
			for (let k = 0; k < 20_000; k += 1) {
				const x = size * (2 * random.uniform() - 1);
				expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThanOrEqual(2 ** -51 * Math.abs(Math.sin(x)) + 2 ** -54);
				expect(Math.abs(cosine(x) - Math.cos(x))).toBeLessThanOrEqual(2 ** -51 * Math.abs(Math.cos(x)) + 2 ** -54);
			}
		}
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
