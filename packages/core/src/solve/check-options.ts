/** What every driver asks of the options of a solve before it begins: names that exist, and numbers that make sense. */
import { InputError } from "../base/errors.js";
import { shown } from "../base/shown.js";
import { MEASURES } from "../measures/measures.js";
import type { SolveOptions } from "./options.js";

/** All names, in the order of their documentation. */
const NAMES: Readonly<Record<keyof SolveOptions, true>> = {
	method: true,
	tolerance: true,
	measure: true,
	start: true,
	worseStart: true,
	maxIterations: true,
	timeLimit: true,
	repeat: true,
	history: true,
	set: true,
	signal: true,
	onProgress: true,
	keep: true,
};

function refuse(name: string, problem: string, remedy: string): never {
	throw new InputError("options", name, problem, remedy);
}

/** The names of all options but some, in the order of their documentation. */
export function optionsBut(...left: readonly (keyof SolveOptions)[]): readonly string[] {
	return Object.keys(NAMES).filter((name) => !(left as readonly string[]).includes(name));
}

/** JavaScript has no types: without this, null ends in a TypeError of the first who looks into it. */
export function requireOptions(options: unknown): void {
	if (typeof options === "object" && options !== null) return;
	refuse("options", `is ${shown(options)}`, "give an object, or leave it out");
}

/** Refuses the first name that `isKnown` does not know, and says which ones this caller may use. */
export function checkNames(options: object, isKnown: (name: string) => boolean, usable: readonly string[]): void {
	for (const name of Object.keys(options)) {
		if (isKnown(name)) continue;
		refuse(name, "unknown option", `use one of ${usable.join(", ")}; those of a method go in set`);
	}
}

export const isSolveOption = (name: string): boolean => Object.hasOwn(NAMES, name);

export function checkOptions(options: SolveOptions): void {
	requireOptions(options);
	checkNames(options, isSolveOption, optionsBut());
	for (const name of ["tolerance", "maxIterations", "timeLimit"] as const) {
		const value: unknown = options[name];
		if (value === undefined || (typeof value === "number" && value >= 0)) continue;
		refuse(name, `${shown(value)} is not at least 0`, "give a number that is at least 0");
	}
	const { repeat, maxIterations, measure, worseStart } = options;
	if (measure !== undefined && !MEASURES.includes(measure)) {
		refuse("measure", `${shown(measure)} is not a measure`, `use one of ${MEASURES.join(", ")}`);
	}
	if (worseStart !== undefined && worseStart !== "use" && worseStart !== "drop") {
		refuse("worseStart", `${shown(worseStart)} is not one of its values`, "give use or drop");
	}
	if (maxIterations !== undefined && !Number.isInteger(maxIterations) && maxIterations !== Number.POSITIVE_INFINITY) {
		refuse(
			"maxIterations",
			`${shown(maxIterations)} is not a count`,
			"give an integer that is at least 0, or Infinity",
		);
	}
	if (repeat !== undefined && !(Number.isInteger(repeat) && repeat >= 1)) {
		refuse("repeat", `${shown(repeat)} is not a count`, "give an integer that is at least 1");
	}
}
