/** What a study measures: a file, a problem made from a seed (spheres:1000:7), or a scene (drum:bodies=1000), of which whole steps are measured. */
import { generate, generateNames, InputError, type Problem } from "@stickslip/core";
import type { SceneDescription } from "@stickslip/mechanics";
import { resolveSceneOptions, sceneEntryOf, sceneNames } from "@stickslip/mechanics";
import { asNumber } from "../cli/arguments.js";
import { expand } from "../cli/expand.js";
import { load } from "../files/load.js";
import { loadScene } from "../simulate/scene-source.js";

export type Source = ProblemSource | SceneSource;

export interface ProblemSource {
	readonly kind: "problem";
	readonly name: string;
	/** Contacts that are generated; undefined of a file, which does not grow. */
	readonly size: number | undefined;
	/** `times` as many contacts as its size. */
	make(times: number): Promise<Problem>;
}

export interface SceneSource {
	readonly kind: "scene";
	readonly name: string;
	/** Bodies; undefined of a scene that does not grow. */
	readonly size: number | undefined;
	make(times: number): Promise<SceneDescription>;
}

/** Files and patterns of files, generated problems and scenes. */
export function sourcesOf(words: readonly string[]): Source[] {
	return words.flatMap((word): Source[] => {
		const [name = "", ...settings] = word.split(":");
		const generated = generatedOf(word, name, settings);
		if (generated !== undefined) return [generated];
		if (sceneNames.includes(name)) return [sceneOf(word, name, settings)];
		if (/\.json$/.test(word)) return expand([word]).map(sceneFile);
		return expand([word]).map(fileOf);
	});
}

/** Steps are not to depend on the clock. */
export function requireNoTimeLimit(sources: readonly Source[], timeLimit: number | undefined): void {
	if (timeLimit === undefined || sources.every(({ kind }) => kind === "problem")) return;
	const lack = "is a limit of solves, and steps are not to depend on the clock";
	throw new InputError("study", "--time-limit", lack, "give --max-iterations");
}

/** NAME:SIZE or NAME:SIZE:SEED, where there is such a generator. */
function generatedOf(word: string, name: string, settings: readonly string[]): ProblemSource | undefined {
	if (!generateNames().some((entry) => entry.name === name)) return undefined;
	const numbers = settings.map((each) => asNumber(each));
	const isSized = settings.length >= 1 && settings.length <= 2 && !numbers.includes(undefined);
	if (!isSized) {
		if (sceneNames.includes(name)) return undefined;
		throw new InputError("study", word, "is not a problem with its size", `write e.g. ${name}:1000 or ${name}:1000:7`);
	}
	const [contacts = 0, seed = 1] = numbers as number[];
	return {
		...{ kind: "problem", name: word, size: contacts },
		make: async (times) => generate(name, { contacts: contacts * times, seed }),
	};
}

function fileOf(path: string): ProblemSource {
	return {
		...{ kind: "problem", name: path, size: undefined },
		make: async () => (await load(path)).problem,
	};
}

function sceneOf(word: string, name: string, settings: readonly string[]): SceneSource {
	const options: Record<string, string | number> = {};
	for (const setting of settings) {
		const at = setting.indexOf("=");
		if (at < 1) throw new InputError("study", word, `"${setting}" is not name=value`, `write e.g. ${name}:bodies=1000`);
		const value = setting.slice(at + 1);
		options[setting.slice(0, at)] = asNumber(value) ?? value;
	}
	// Options that the scene has not are refused before anything is measured.
	const { bodies } = resolveSceneOptions(name, sceneEntryOf(name).options, options);
	const size = typeof bodies === "number" ? bodies : undefined;
	const made = async (times: number) => {
		const grown = times === 1 || size === undefined ? options : { ...options, bodies: size * times };
		return (await loadScene({ ...PLAIN, scene: name, options: grown })).description;
	};
	return { kind: "scene", name: word, size, make: made };
}

function sceneFile(path: string): SceneSource {
	const scene = path.includes("/") ? path : `./${path}`;
	return {
		...{ kind: "scene", name: path, size: undefined },
		make: async () => (await loadScene({ ...PLAIN, scene, options: {} })).description,
	};
}

const PLAIN = { command: "simulate", onFailure: "continue", json: false } as const;
