/** The last progress of a run, for whoever looks at it from outside: what the progress line of `solve` shows, about once a second. */
import { join } from "node:path";
import { onlyGiven } from "../base/only-given.js";
import type { ProgressView } from "../output/progress.js";
import { type Fields, readRenewed } from "./check.js";
import { FILES } from "./files.js";

export interface ProgressFile extends ProgressView {
	/** Which of the line's inputs, from 0, and how many there are. */
	readonly input: number;
	readonly inputs: number;
	readonly contacts: number;
	readonly updated: string;
}

export function readProgress(folder: string): ProgressFile | undefined {
	const fields = readRenewed(join(folder, FILES.progress));
	return fields === undefined ? undefined : progressIn(fields);
}

/** Throws an InputError where it is none. */
export function progressIn(fields: Fields): ProgressFile {
	const real = (name: string) => fields.optional(name, (known) => fields.real(known));
	return {
		...onlyGiven({ first: real("first"), rate: real("rate"), decades: real("decades") }),
		problem: fields.text("problem"),
		measure: fields.text("measure"),
		tolerance: fields.real("tolerance", 0),
		best: fields.number("best"),
		iterations: fields.integer("iterations"),
		products: fields.integer("products"),
		error: fields.number("error"),
		exact: fields.flag("exact"),
		seconds: fields.real("seconds", 0),
		method: fields.text("method"),
		input: fields.integer("input"),
		inputs: fields.integer("inputs"),
		contacts: fields.integer("contacts"),
		updated: fields.moment("updated"),
	};
}
