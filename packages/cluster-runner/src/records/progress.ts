/** The latest progress of a run, for other processes: what the progress line of `solve` shows, about once a second. */
import { join } from "node:path";
import { atLeast, type Checked, flag, integer, optional, record, text } from "@stickslip/core/schema";
import { type ProgressView, progressText } from "../output/progress.js";
import { simulationText } from "../output/simulation-progress.js";
import { type Fields, moment, numberOrNull, readRenewed } from "./check.js";
import { FILES } from "./files.js";

const word = text(10_000);
const real = atLeast(-Infinity);

const isProgress = record({
	problem: word,
	measure: word,
	tolerance: atLeast(0),
	first: optional(real),
	best: numberOrNull,
	iterations: integer(0),
	products: integer(0),
	error: numberOrNull,
	exact: flag,
	seconds: atLeast(0),
	method: word,
	rate: optional(real),
	decades: optional(real),
	/** Which of the line's inputs, from 0, and how many there are. */
	input: integer(0),
	inputs: integer(0),
	contacts: integer(0),
	/** Of a simulation. */
	simulation: optional(
		record({
			step: integer(0),
			steps: integer(0),
			time: atLeast(0),
			bodies: integer(0),
			iterations: integer(0),
			failedSteps: integer(0),
			left: optional(atLeast(0)),
		}),
	),
	updated: moment,
});

export type ProgressFile = Omit<Checked<typeof isProgress>, keyof ProgressView> & ProgressView;

export function readProgress(folder: string): ProgressFile | undefined {
	const fields = readRenewed(join(folder, FILES.progress));
	return fields === undefined ? undefined : progressIn(fields);
}

/** The line that the run's own terminal shows. */
export function progressFileText(file: ProgressFile, columns: number): string {
	const { simulation, problem: scene, contacts, seconds } = file;
	if (simulation === undefined) return progressText(file, columns);
	return simulationText({ scene, contacts, seconds, ...simulation }, columns);
}

/** Throws an InputError if it is not valid. */
export function progressIn(fields: Fields): ProgressFile {
	const { best, error, ...rest } = fields.take(isProgress);
	return { ...rest, best: best ?? Number.NaN, error: error ?? Number.NaN };
}
