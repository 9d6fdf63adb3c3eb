import { describe, expect, it } from "vitest";
import { edits, nearest } from "./nearest.js";

describe("the nearest name", () => {
	it("counts insertions, deletions, replacements and swaps as one each", () => {
		expect([edits("abc", "abcd"), edits("abc", "ac"), edits("abc", "axc"), edits("abc", "acb")]).toEqual([1, 1, 1, 1]);
		expect([edits("", "abc"), edits("kitten", "sitting"), edits("same", "same")]).toEqual([3, 3, 0]);
	});

	it("finds what was meant", () => {
		const names = ["tolerance", "time-limit", "max-iterations", "method", "measure"];
		expect(nearest("tolerence", names)).toBe("tolerance");
		expect(nearest("tol", names)).toBe("tolerance");
		expect(nearest("maxiterations", names)).toBe("max-iterations");
		expect(nearest("timelimit", names)).toBe("time-limit");
	});

	it("guesses nothing where nothing is near", () => {
		expect(nearest("xyzzy", ["tolerance", "method"])).toBeUndefined();
		expect(nearest("a", [])).toBeUndefined();
	});
});
