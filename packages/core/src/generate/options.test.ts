import { describe, expect, it } from "vitest";
import { InputError } from "../base/errors.js";
import { generate } from "./generate.js";

describe("generate: bad input", () => {
	it("an unknown name lists those that there are", () => {
		expect(() => generate("cubes")).toThrow(InputError);
		expect(() => generate("cubes")).toThrow(/spheres, spheres-heavy/);
	});

	const bad: Record<string, unknown>[] = [
		{ contacts: 0 },
		{ contacts: 10_000_001 },
		{ contacts: 10.5 },
		{ contacts: Number.NaN },
		{ contacts: "100" },
		{ bodies: 0 },
		{ bodies: 10, contacts: 10 },
		{ seed: 1.5 },
		{ seed: -1 },
		{ mu: -0.1 },
		{ mu: Number.NaN },
		{ mu: Infinity },
		{ mu: [0.5, 0.3] },
		{ mu: [0.5] },
		{ mu: [0.5, Number.NaN] },
		{ step: -1 },
		{ speed: Number.NaN },
		{ load: -1 },
		{ heavy: 0 },
		{ heavyShare: 1.5 },
		{ layers: -1 },
		{ layers: 2.5 },
		{ law: "glue" },
		{ law: "cohesive:cohesion=strong" },
		{ law: "cohesive:glue=1" },
		{ law: "relaxed:mu=1" },
		{ law: "cohesive:cohesion=-1" },
		{ law: "capped:cap=-1" },
		{ law: "anisotropic:axis1=0" },
		{ law: "box:low1=2,high1=1" },
		{ colour: "red" },
	];
	it.each(bad.map((options) => [`${Object.entries(options)}`, options] as const))("%s is refused", (_, options) => {
		const key = Object.keys(options)[0]!;
		expect(() => generate("spheres", options)).toThrow(InputError);
		expect(() => generate("planks", options)).toThrow(
			new RegExp(`generate: ${"colour" in options ? "colour" : key}: `),
		);
	});
});
