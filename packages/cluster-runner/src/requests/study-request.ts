/** What a `study` is asked for, as data: problems, methods with settings, tolerances, and where cells are kept. */
import { DEFAULT_TOLERANCES, MEASURES, methods } from "@stickslip/core";
import {
	atLeast,
	type Checked,
	called,
	dictionary,
	exactly,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { withoutUndefined } from "../base/without-undefined.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { variantsOf } from "./method-variants.js";
import type { ExecutionOptions } from "./solve-request.js";

export const SCORES = ["seconds", "products", "iterations"] as const;
export type Score = (typeof SCORES)[number];

const JOBS_MAX = 1024;
const LIST_MAX = 100_000;
const SETTINGS_MAX = 1000;
const ITERATIONS_MAX = 1e9;
const REPEAT_MAX = 1000;

const word = text(10_000);
/** A method with settings, under the name that tables give it. */
const variant = record({ name: word, method: word, set: dictionary(word, SETTINGS_MAX) });
export type MethodVariant = Checked<typeof variant>;

export const isStudyRequest = record({
	command: exactly("study"),
	kind: exactly("profile"),
	/** Files and globs, as they were written. */
	files: called("a list of files", list(word, LIST_MAX)),
	variants: called("a list of methods with settings", list(variant, LIST_MAX)),
	tolerances: called("a list of numbers", list(atLeast(0), LIST_MAX)),
	measure: oneOf(MEASURES),
	score: oneOf(SCORES),
	/** Seconds of a solve. */
	timeLimit: atLeast(0),
	maxIterations: optional(integer(1, ITERATIONS_MAX)),
	repeat: integer(1, REPEAT_MAX),
	/** Solves at once. */
	jobs: optional(integer(1, JOBS_MAX)),
	/** A folder. */
	output: word,
});
export type StudyRequest = Checked<typeof isStudyRequest>;

/** A line, and its request. */
export interface StudyCommandLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly study: StudyRequest;
	readonly solve?: undefined;
	readonly serve?: undefined;
	readonly simulate?: undefined;
	readonly how: ExecutionOptions;
}

export function parseStudy(args: Arguments): Omit<StudyCommandLine, "line"> {
	const [kind, ...files] = args.operands;
	if (kind !== "profile") {
		const problem = kind === undefined ? "is missing" : "is not a study";
		return args.refuse(kind ?? "KIND", problem, "write: study profile FILE...");
	}
	const output = args.text("output");
	if (output === undefined) return args.refuse("--output", "is missing", "add --output FOLDER");
	if (files.length === 0) return args.refuse("FILE", "is missing", "name FCLIB files");
	if (files.includes("-")) return args.refuse("-", "cannot be solved many times", "name files");
	const measure = args.choice("measure", MEASURES) ?? "natural";
	const all = methods().map(({ name }) => name);
	const study: StudyRequest = {
		...{ command: "study", kind, files, output, measure },
		variants: variantsOf(args.command, args.text("methods") ?? all.join(",")),
		tolerances: tolerancesIn(args, DEFAULT_TOLERANCES[measure]),
		score: args.choice("score", SCORES) ?? "seconds",
		timeLimit: args.seconds("time-limit", "above 0", 10) ?? 10,
		repeat: args.integer("repeat", 1, REPEAT_MAX) ?? 1,
		...withoutUndefined({
			maxIterations: args.integer("max-iterations", 1, ITERATIONS_MAX),
			jobs: args.integer("jobs", 1, JOBS_MAX),
		}),
	};
	return { study, how: {} };
}

function tolerancesIn(args: Arguments, example: number): number[] {
	const texts = (args.text("tolerances") ?? "1e-4").split(",");
	const values = texts.map((each) => {
		const value = asNumber(each.trim());
		if (value !== undefined && value > 0) return value;
		return args.refuse("--tolerances", `"${each}" is not a number above 0`, `write e.g. ${example}`);
	});
	return [...new Set(values)];
}
