/** What a scene by name is: a table of options and a function that makes the description of them. */
import type { Random } from "@stickslip/core";
import type { SceneDescription } from "./description.js";
import { type GivenOptions, type OptionTable, type OptionValues, resolveSceneOptions } from "./options.js";

export interface SceneEntry {
	readonly name: string;
	/** In one line. */
	readonly what: string;
	readonly options: OptionTable;
	describe(given: GivenOptions, random: (seed: number) => Random): SceneDescription;
}

interface TypedEntry<Table extends OptionTable> {
	readonly name: string;
	readonly what: string;
	readonly options: Table;
	readonly build: (options: OptionValues<Table>, random: (seed: number) => Random) => SceneDescription;
}

export function sceneEntry<const Table extends OptionTable>(entry: TypedEntry<Table>): SceneEntry {
	const { name, what, options, build } = entry;
	return {
		name,
		what,
		options,
		describe: (given, random) => build(resolveSceneOptions(name, options, given), random),
	};
}
