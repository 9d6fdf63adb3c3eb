/** Warnings and refusals about restitution when a scene is built. */
import { describe, expect, it } from "vitest";
import { describeScene } from "./catalogue.js";
import type { SceneDescription, SceneLaw } from "./description.js";
import { SceneError } from "./mistakes.js";
import { buildScene } from "./scene.js";

const plain = describeScene("stack", { bodies: 2 });
const [material = ""] = Object.keys(plain.materials);

function pathsOf(change: Partial<SceneDescription>): string[] {
	return buildScene({ ...plain, ...change }).warnings.map(({ path }) => path);
}

describe("a restitution near 1", () => {
	const laws = [{ between: [material, material] as const, friction: 0.1, restitution: 1 }];

	it("is warned of with velocity-impulse, law by law", () => {
		const contact = { friction: 0.5, restitution: 0.9 };
		expect(pathsOf({ contact, laws, scheme: { name: "velocity-impulse" } })).toEqual([
			"contact.restitution",
			"laws[0].restitution",
		]);
		expect(pathsOf({ contact: { friction: 0.5, restitution: 0.5 }, scheme: { name: "velocity-impulse" } })).toEqual([]);
	});

	it.each(["half-step", "moreau"] as const)("is nothing to warn of with %s", (name) => {
		expect(pathsOf({ laws, scheme: { name } })).toEqual([]);
	});
});

describe("Poisson's law", () => {
	const scheme = { name: "half-step", restitutionLaw: "poisson" } as const;

	function refusal(change: Partial<SceneDescription>): string | undefined {
		try {
			buildScene({ ...plain, ...change });
			return undefined;
		} catch (error) {
			if (!(error instanceof SceneError)) throw error;
			return error.place;
		}
	}

	it("needs Coulomb's law for all contacts", () => {
		const relaxed: SceneLaw = { friction: 0.3, law: "relaxed" };
		expect(refusal({ scheme })).toBeUndefined();
		expect(refusal({ scheme, contact: relaxed })).toBe("contact.law");
		expect(refusal({ scheme, laws: [{ between: [material, material], ...relaxed }] })).toBe("laws[0].law");
		expect(refusal({ scheme: { name: "half-step" }, contact: relaxed })).toBeUndefined();
	});

	it("has a name", () => {
		expect(refusal({ scheme: { name: "half-step", restitutionLaw: "stronge" as never } })).toBe(
			"scheme.restitutionLaw",
		);
	});
});
