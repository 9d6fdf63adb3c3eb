import { describe, expect, it } from "vitest";
import { commonFolder } from "./summary.js";

describe("the folder of a table", () => {
	it.each([
		[["data/a.h5", "data/b.h5"], "data/"],
		[["/x/data/a.h5", "/x/data/sub/b.h5"], "/x/data/"],
		[["/a.h5", "/b.h5"], "/"],
		[["/x/a.h5", "b.h5"], ""],
		[["a.h5", "/x/b.h5"], ""],
		[["one/a.h5", "on/b.h5"], ""],
		[["one/a.h5", "one"], ""],
		[["one/a.h5", "standard input"], ""],
		[["one/a.h5"], "one/"],
		[[], ""],
	])("of %j is %j", (names, folder) => {
		expect(commonFolder(names)).toBe(folder);
	});
});
