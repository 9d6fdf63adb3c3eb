/** The last progress of a run, for whoever looks at it from outside: what the progress line of `solve` shows, about once a second. */
import { join } from "node:path";
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
	const first = fields.optional("first", (name) => fields.real(name));
	const rate = fields.optional("rate", (name) => fields.real(name));
	const decades = fields.optional("decades", (name) => fields.real(name));
	return {
		problem: fields.text("problem"),
		measure: fields.text("measure"),
		tolerance: fields.real("tolerance", 0),
		...(first !== undefined && { first }),
		best: fields.number("best"),
		iterations: fields.integer("iterations"),
		products: fields.integer("products"),
		error: fields.number("error"),
		exact: fields.flag("exact"),
		seconds: fields.real("seconds", 0),
		method: fields.text("method"),
		...(rate !== undefined && { rate }),
		...(decades !== undefined && { decades }),
		input: fields.integer("input"),
		inputs: fields.integer("inputs"),
		contacts: fields.integer("contacts"),
		updated: fields.moment("updated"),
	};
}
