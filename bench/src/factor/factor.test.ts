/** The bench at a tiny size; C is left out where there is no compiler. */
import { expect, it } from "vitest";
import { factor } from "./main.js";

it("factors, in C too where there is a compiler", async () => {
	expect(await factor.run(["--small"])).toBe(0);
});
