/** What every driver asks of the options of a solve before it begins: names that exist, and numbers that make sense. */
import { InputError } from "../base/errors.js";
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

export function checkOptions(options: SolveOptions): void {
	for (const name of Object.keys(options)) {
		if (!Object.hasOwn(NAMES, name)) {
			refuse(name, "unknown option", `use one of ${Object.keys(NAMES).join(", ")}; those of a method go in set`);
		}
	}
	for (const name of ["tolerance", "maxIterations", "timeLimit"] as const) {
		const value: unknown = options[name];
		if (value === undefined || (typeof value === "number" && value >= 0)) continue;
		refuse(name, `${String(value)} is not at least 0`, "give a number that is at least 0");
	}
	const { repeat, maxIterations, measure, worseStart } = options;
	if (measure !== undefined && !MEASURES.includes(measure)) {
		refuse("measure", `${measure} is not a measure`, `use one of ${MEASURES.join(", ")}`);
	}
	if (worseStart !== undefined && worseStart !== "use" && worseStart !== "drop") {
		refuse("worseStart", `${String(worseStart)} is not one of its values`, "give use or drop");
	}
	if (maxIterations !== undefined && !Number.isInteger(maxIterations) && maxIterations !== Number.POSITIVE_INFINITY) {
		refuse("maxIterations", `${maxIterations} is not a count`, "give an integer that is at least 0, or Infinity");
	}
	if (repeat !== undefined && !(Number.isInteger(repeat) && repeat >= 1)) {
		refuse("repeat", `${String(repeat)} is not a count`, "give an integer that is at least 1");
	}
}
