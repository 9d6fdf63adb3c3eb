import { describe, expect, it } from "vitest";
import { pairLaws } from "./laws.js";

const materials = ["wood", "stone"].map((name) => ({ name, density: 1 }));
const smooth = { friction: 0, restitution: 0 };

describe("laws of pairs", () => {
	it("are the same both ways, and the default where none is given", () => {
		const laws = pairLaws(materials, smooth, [{ between: ["stone", "wood"], friction: 0.5, restitution: 0.25 }]);
		const given = { friction: 0.5, restitution: 0.25 };
		expect(laws).toEqual([smooth, given, given, smooth]);
	});

	it("are refused where they name no material or cannot be", () => {
		const given = (changes: object) => [{ between: ["wood", "wood"] as const, ...smooth, ...changes }];
		expect(() => pairLaws(materials, smooth, given({ between: ["wood", "steel"] }))).toThrow(
			"/laws/0/between: there is no material steel; choose one of wood, stone",
		);
		expect(() => pairLaws(materials, smooth, given({ friction: -1 }))).toThrow("/laws/0/friction: -1 cannot be");
		expect(() => pairLaws(materials, smooth, given({ restitution: 1.5 }))).toThrow(
			"/laws/0/restitution: 1.5 cannot be",
		);
		expect(() => pairLaws(materials, { ...smooth, friction: Number.NaN })).toThrow("/contact/friction");
	});
});
