import { describe, expect, it } from "vitest";
import { age, bytes, count, counted, duration, exact, oneLine, small, three } from "./format.js";

describe("formats", () => {
	it("writes counts with commas", () => {
		expect(count(1234567)).toBe("1,234,567");
		expect([0, 999, 1000, 12345.6, -4321, 2 ** 53, Number.NaN].map(count)).toEqual([
			"0",
			"999",
			"1,000",
			"12,346",
			"-4,321",
			"9,007,199,254,740,992",
			"NaN",
		]);
		expect(counted(1, "contact")).toBe("1 contact");
		expect(counted(0, "body", "bodies")).toBe("0 bodies");
	});

	it("writes errors with two digits and tolerances as given", () => {
		expect([small(8.123e-7), small(1e-6), small(0), small(Number.NaN), small(Infinity)]).toEqual([
			"8.1e-7",
			"1e-6",
			"0",
			"NaN",
			"Infinity",
		]);
		expect([exact(1e-6), exact(2.5e-7), exact(1)]).toEqual(["1e-6", "2.5e-7", "1e0"]);
	});

	it("keeps three digits of sizes", () => {
		expect([three(0.01234), three(1.234), three(12.34), three(1234)]).toEqual(["0.0123", "1.23", "12.3", "1,234"]);
	});

	it("writes ages in one whole unit", () => {
		expect([-3, 0.4, 59.4, 59.6, 63, 102, 134, 3569, 3571, 9000, 172_000, 173_000].map(age)).toEqual([
			...["0 s", "0 s", "59 s", "1 min", "1 min", "2 min", "2 min"],
			...["59 min", "1 h", "3 h", "2 days", "2 days"],
		]);
	});

	it("writes durations and bytes in the unit that fits", () => {
		expect([duration(0.0123), duration(1.234), duration(125), duration(12000)]).toEqual([
			"12.3 ms",
			"1.23 s",
			"2 min 5 s",
			"3 h 20 min",
		]);
		expect([bytes(0), bytes(1023), bytes(2 ** 30 * 4)]).toEqual(["0 bytes", "1,023 bytes", "4.00 GiB"]);
	});

	it("lets no name break a line or colour a terminal", () => {
		expect(oneLine("a\nb\x1b[31mc\u202ed\u2028e")).toBe("a b [31mc d e");
	});
});
