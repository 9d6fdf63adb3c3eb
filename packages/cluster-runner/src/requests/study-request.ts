/** What a `study` is asked for, as data: of which kind, over what, and where cells are kept. */
import { MEASURES } from "@stickslip/core";
import {
	atLeast,
	type Checked,
	called,
	dictionary,
	either,
	exactly,
	flag,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { TRANSPORTS } from "../base/transports.js";
import { RANKS_MAX } from "../protocol/messages.js";
import type { ExecutionOptions } from "./solve-request.js";

export const SCORES = ["seconds", "products", "iterations"] as const;
export type Score = (typeof SCORES)[number];

export const JOBS_MAX = 1024;
const LIST_MAX = 100_000;
const SETTINGS_MAX = 1000;
export const ITERATIONS_MAX = 1e9;
export const REPEAT_MAX = 1000;
export const STEPS_MAX = 1e9;
export const PARTS_MAX = 100_000;

const word = text(10_000);
/** Of all kinds. */
const common = {
	/** One of so many parts, from 0. */
	part: optional(record({ index: integer(0, PARTS_MAX), of: integer(1, PARTS_MAX) })),
	/** Rebuilds the tables from existing cells, without measurements. */
	gathers: optional(flag),
	/** Cells that failed are measured again. */
	retriesFailed: optional(flag),
	/** A folder. */
	output: word,
};
/** A method with settings, under the name that tables give it. */
const variant = record({ name: word, method: word, set: dictionary(word, SETTINGS_MAX) });
export type MethodVariant = Checked<typeof variant>;

/** Of strong and weak scaling, and of sensitivity to the options of a method. */
const isTimedRequest = record({
	command: exactly("study"),
	kind: oneOf(["strong", "weak", "sensitivity"] as const),
	/** Files, globs, generated problems and scenes, as they were written. */
	sources: called("a list of problems and scenes", list(word, LIST_MAX)),
	ranks: called("a list of numbers of ranks", list(integer(1, RANKS_MAX), LIST_MAX)),
	transports: called("a list of transports", list(oneOf(TRANSPORTS), LIST_MAX)),
	variants: called("a list of methods with settings", list(variant, LIST_MAX)),
	measure: oneOf(MEASURES),
	tolerance: atLeast(0),
	/** Of a solve, or of a step. */
	timeLimit: optional(atLeast(0)),
	maxIterations: optional(integer(1, ITERATIONS_MAX)),
	rounds: integer(1, REPEAT_MAX),
	/** Of scenes: so many steps are left out, and so many measured. */
	skip: integer(0, STEPS_MAX),
	steps: integer(1, STEPS_MAX),
	...common,
});
export type TimedRequest = Checked<typeof isTimedRequest>;

const isProfileRequest = record({
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
	...common,
});
export type ProfileRequest = Checked<typeof isProfileRequest>;

export const isStudyRequest = either(isProfileRequest, isTimedRequest);
export type StudyRequest = ProfileRequest | TimedRequest;
export const STUDY_KINDS = ["strong", "weak", "profile", "sensitivity"] as const;
export type StudyKind = (typeof STUDY_KINDS)[number];

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

/** A generated problem or a scene with its options, e.g. incline:friction=0.3: a dot in a value does not make it a file. */
const GENERATED = /^[\w-]+(:[\w-]+=[^:/\\]*)*$/;

/** Names of files and patterns of them, without generated problems and scenes by name. */
export function studyFiles(study: StudyRequest): readonly string[] {
	if (study.kind === "profile") return study.files;
	return study.sources.filter((source) => /[./\\]/.test(source) && !GENERATED.test(source));
}
