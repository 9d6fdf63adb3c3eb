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

	it("have an axis in the body of the material that is named first, whichever comes first", () => {
		const law = { friction: 0.5, restitution: 0, law: "anisotropic", frictionAcross: 0.1, axis: [1, 0, 0] } as const;
		const laws = pairLaws(materials, smooth, [{ between: ["stone", "wood"], ...law }]);
		expect(laws).toEqual([smooth, { ...law, axisOf: 1 }, law, smooth]);
	});

	it("are refused with numbers of another law, without their own, or with some that contradict", () => {
		const given = (law: object) => () =>
			pairLaws(materials, smooth, [{ between: ["wood", "wood"], ...smooth, ...law }]);
		expect(given({ law: "sticky" })).toThrow('/laws/0/law: "sticky" is unknown; give coulomb or frictionless or ');
		expect(given({ law: "rolling" })).toThrow("/laws/0/rollingFriction: is missing; rolling needs it");
		const rolling = { law: "rolling", rollingFriction: 1, spinningFriction: -1 };
		expect(given(rolling)).toThrow("/laws/0/spinningFriction: -1 cannot be; give zero or more");
		expect(given({ law: "cohesive" })).toThrow("/laws/0/cohesion: is missing; cohesive needs it");
		expect(given({ cap: 1 })).toThrow('/laws/0/cap: is no number of coulomb; leave it out, or give "law": "capped"');
		expect(given({ law: "capped", cap: -1 })).toThrow("/laws/0/cap: -1 cannot be; give zero or more");
		const axis = { law: "anisotropic", frictionAcross: 1, axis: [0, 0, 0] };
		expect(given(axis)).toThrow("/laws/0/axis: has no length; give a direction");
		const limits = { law: "box", lower: [0, 1, null], upper: [null, 0, 0] };
		expect(given(limits)).toThrow("/laws/0/lower/1: 1 is above upper, 0; swap them");
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
