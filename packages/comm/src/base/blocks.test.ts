import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { pack, packRun, runOf, unpack } from "./blocks.js";

describe("pack", () => {
	it.each([1, 2, 3, 6])("takes blocks of %i numbers out, and puts them back", (width) => {
		const random = new Random(width);
		const places = Int32Array.from({ length: 20 }, (_, i) => 2 * i + random.below(2));
		const values = Float64Array.from({ length: 40 * width }, () => random.uniform());
		const packed = new Float64Array(20 * width);
		pack(values, places, 0, 20, width, packed);
		const wanted = [...places].flatMap((place) => [...values.subarray(width * place, width * (place + 1))]);
		expect([...packed]).toEqual(wanted);
		const back = new Float64Array(values.length).fill(-1);
		unpack(back, places, 0, 20, width, packed);
		const isTaken = (index: number) => places.includes(Math.floor(index / width));
		expect([...back]).toEqual([...values].map((value, index) => (isTaken(index) ? value : -1)));
	});

	it("takes a run as it takes its places", () => {
		const values = Float64Array.from({ length: 30 }, (_, i) => i);
		const [one, other] = [new Float64Array(12), new Float64Array(12)];
		pack(values, Int32Array.of(1, 4, 5, 6, 7, 9), 1, 5, 3, one);
		packRun(values, other, 4, 3);
		expect(other).toEqual(one);
	});

	it.each([
		[[4, 5, 6], 4],
		[[7], 7],
		[[4, 6], -1],
		[[], -1],
	])("finds %j to be a run from %i", (places, first) => expect(runOf(Int32Array.from(places))).toBe(first));
});
