/** The piles that `generate` knows by name, each a construction with its defaults. */
import { InputError } from "../base/errors.js";
import type { Random } from "../base/random.js";
import type { GenerateOptions, ResolvedOptions } from "./options.js";
import type { Pile } from "./pile.js";
import { plankPile } from "./plank-pile.js";
import { spherePile } from "./sphere-pile.js";

export interface GalleryEntry {
	readonly name: string;
	readonly what: string;
	/** Defaults that differ from `generalDefaults`. */
	readonly defaults: GenerateOptions;
	readonly build: (options: ResolvedOptions, random: Random) => Pile;
}

function spheres(options: ResolvedOptions, random: Random): Pile {
	const { heavy, heavyShare, layers } = options;
	return spherePile(options, { radius: 0.01, spread: 0.2, density: 2500, heavy, heavyShare, layers }, random);
}

/** Kapla's format, 15 : 3 : 1, in pine. */
function planks(options: ResolvedOptions, random: Random): Pile {
	const { heavy, heavyShare, layers } = options;
	const format = { length: 0.117, width: 0.0234, thickness: 0.0078, density: 520, jitter: 0.1 };
	return plankPile(options, { ...format, heavy, heavyShare, layers }, random);
}

export const gallery: readonly GalleryEntry[] = [
	{ name: "spheres", what: "a heap of spheres of 0.8 to 1.2 times one radius", defaults: {}, build: spheres },
	{
		name: "spheres-heavy",
		what: "the same heap, a quarter of the spheres 8 times as dense: mass ratios up to 27",
		defaults: { heavy: 8, heavyShare: 0.25 },
		build: spheres,
	},
	{
		name: "spheres-layers",
		what: "a wide bed of spheres, four layers deep",
		defaults: { layers: 4 },
		build: spheres,
	},
	{
		name: "planks",
		what: "planks stacked crosswise, four contacts per face: W of low rank",
		defaults: {},
		build: planks,
	},
];

/** The entry of that name. */
export function galleryEntry(name: string): GalleryEntry {
	const entry = gallery.find((candidate) => candidate.name === name);
	if (entry !== undefined) return entry;
	const names = gallery.map((candidate) => candidate.name).join(", ");
	throw new InputError("generate", "name", `there is no "${name}"`, `choose among ${names}`);
}
