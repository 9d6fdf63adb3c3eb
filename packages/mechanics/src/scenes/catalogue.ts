/** The scenes by name. */
import { InputError, Random } from "@stickslip/core";
import type { SceneDescription } from "./description.js";
import { drum } from "./drum.js";
import type { SceneEntry } from "./entry.js";
import { hopper } from "./hopper.js";
import { impact } from "./impact.js";
import { incline } from "./incline.js";
import type { GivenOptions } from "./options.js";
import { pile } from "./pile.js";
import { roll } from "./roll.js";
import { buildScene, type Scene } from "./scene.js";
import { spheres } from "./spheres.js";
import { stack } from "./stack.js";
import { tower } from "./tower.js";

const scenes: readonly SceneEntry[] = [drum, spheres, hopper, impact, incline, stack, roll, pile, tower];

export const sceneNames: readonly string[] = scenes.map((scene) => scene.name);

/** What a scene is and which options it has. */
export function sceneEntryOf(name: string): Pick<SceneEntry, "name" | "what" | "options"> {
	return entryOf(name);
}

/** The description of a scene by name; the same options give the same bits everywhere. */
export function describeScene(name: string, options: GivenOptions = {}): SceneDescription {
	return entryOf(name).describe(options, (seed) => new Random(seed));
}

function entryOf(name: string): SceneEntry {
	const entry = scenes.find((scene) => scene.name === name);
	if (entry !== undefined) return entry;
	throw new InputError("scene", "name", `there is no "${name}"`, `choose among ${sceneNames.join(", ")}`);
}

/** A scene by name, ready to be simulated. */
export function makeScene(name: string, options: GivenOptions = {}): Scene {
	return buildScene(describeScene(name, options));
}
