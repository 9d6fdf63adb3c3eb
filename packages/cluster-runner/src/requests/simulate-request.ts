/** The request of a `simulate` as data: the scene with the changes of the line, and what is stored of the simulation. */
import { MEASURES, methods } from "@stickslip/core";
import {
	atLeast,
	type Checked,
	called,
	dictionary,
	either,
	exactly,
	flag,
	integer,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
// Not by the index, which loads what only simulations need.
import { SCHEME_NAMES } from "@stickslip/mechanics/scheme";
import { withoutUndefined } from "../base/without-undefined.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { type ExecutionOptions, ranksIn } from "./solve-request.js";

const STEPS_MAX = 2 ** 40;
const SETTINGS_MAX = 1000;
const CHECKPOINT_SECONDS_MAX = 604_800;
const ITERATIONS_MAX = Number.MAX_SAFE_INTEGER;
/** A solve that takes more iterations than this is unusual. */
const HARD_ITERATIONS = 100;

/** Far more than a step can be divided into with a gain. */
const SUBSTEPS_MAX = 1e6;
const DUMPS = ["every", "hard"] as const;
const ON_FAILURE = ["stop", "continue"] as const;

const word = text(10_000);
const file = called("the name of a file", word);
const amount = called("a number from 0", (value): value is number => Number.isFinite(value) && (value as number) >= 0);
const values = called("names with numbers or words", dictionary(either(atLeast(-Infinity), text(1000)), SETTINGS_MAX));

export const isSimulateRequest = record({
	command: exactly("simulate"),
	/** A name, or a file of JSON. */
	scene: word,
	/** Options of a scene by name. */
	options: values,
	step: optional(amount),
	/** Where it ends: at a time, or after so many steps. */
	until: optional(amount),
	steps: optional(integer(0, STEPS_MAX)),
	scheme: optional(oneOf(SCHEME_NAMES)),
	substeps: optional(integer(1, SUBSTEPS_MAX)),
	method: optional(word),
	tolerance: optional(amount),
	measure: optional(oneOf(MEASURES)),
	/** Options of the method. */
	set: optional(values),
	output: optional(file),
	/** Replace files of an earlier run. */
	overwrite: optional(flag),
	every: optional(integer(1, STEPS_MAX)),
	csv: optional(file),
	report: optional(file),
	picture: optional(file),
	/** Of the picture: seconds. */
	at: optional(amount),
	dump: optional(record({ which: oneOf(DUMPS), folder: word, iterations: integer(0) })),
	/** The folder of capsules. */
	capsule: optional(called("the name of a folder", word)),
	onFailure: oneOf(ON_FAILURE),
	json: flag,
	/** Seconds between checkpoints; 0 for none but on request. */
	checkpoint: optional(
		called(
			`a number of seconds, at most ${CHECKPOINT_SECONDS_MAX}`,
			(value): value is number => amount(value) && value <= CHECKPOINT_SECONDS_MAX,
		),
	),
});
export type SimulateRequest = Checked<typeof isSimulateRequest>;

/** True for a file; a name of a scene has neither a dot nor a slash. */
export function isSceneFile(scene: string): boolean {
	return /[./\\]/.test(scene);
}

/** A line, and its request. */
export interface SimulateCommandLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly simulate: SimulateRequest;
	readonly solve?: undefined;
	readonly serve?: undefined;
	readonly study?: undefined;
	readonly how: ExecutionOptions;
}

/** `runs`: the folder of runs, for a simulation that makes its own run. */
export function parseSimulate(
	args: Arguments,
): Omit<SimulateCommandLine, "line"> & { readonly runs: string | undefined } {
	const [scene, extra] = args.operands;
	if (scene === undefined) return args.refuse("SCENE", "is missing", "name a scene or a scene file");
	if (extra !== undefined) args.refuse(extra, "unknown argument", "simulate one scene at a time");
	const output = args.text("output");
	for (const [name, needed] of [
		["every", "output"],
		["at", "picture"],
		["dump-folder", "dump-problems"],
		["hard-iterations", "dump-problems"],
	] as const) {
		if (args.text(name) !== undefined && args.text(needed) === undefined)
			args.refuse(`--${name}`, `needs --${needed}`, `add --${needed}`);
	}
	const runs = args.text("runs");
	const checkpoint = checkpointOf(args);
	if (runs !== undefined && checkpoint === undefined) {
		args.refuse("--runs", "needs --checkpoint", "add --checkpoint SECONDS");
	}
	const simulate: SimulateRequest = {
		...{ command: "simulate", scene, options: sceneOptionsIn(args), json: args.flag("json") },
		onFailure: args.choice("on-failure", ON_FAILURE) ?? "stop",
		...withoutUndefined({
			step: args.real("step", "above 0", 0.001),
			...endIn(args),
			scheme: args.choice("scheme", SCHEME_NAMES),
			substeps: args.integer("substeps", 1, SUBSTEPS_MAX),
			method: args.choice("method", [...new Set(["auto", ...methods().map(({ name }) => name)])]),
			tolerance: args.real("tolerance", "above 0", 1e-2),
			measure: args.choice("measure", MEASURES),
			set: methodOptionsIn(args),
			output: output === undefined ? undefined : outputOf(output, scene, args),
			overwrite: args.flag("overwrite") || undefined,
			every: args.integer("every", 1, STEPS_MAX, 10),
			...{ csv: args.text("csv"), report: args.text("report"), picture: pictureFile(args, "picture") },
			at: args.real("at", "from 0", 1),
			dump: dumpIn(args),
			capsule: args.text("capsule"),
			checkpoint,
		}),
	};
	return { simulate, how: withoutUndefined(ranksIn(args)), runs };
}

function endIn(args: Arguments): Pick<SimulateRequest, "until" | "steps"> {
	const until = args.real("until", "from 0", 2);
	const steps = args.integer("steps", 0, STEPS_MAX, 1000);
	if (until !== undefined && steps !== undefined)
		args.refuse("--steps", "cannot be combined with --until", "give one of them");
	return withoutUndefined({ until, steps });
}

/** In a folder under the name of the scene. */
function outputOf(output: string, scene: string, args: Arguments): string {
	if (output === "-") args.refuse("--output", "standard output takes the summary", "name a file");
	if (!/[/\\]$/.test(output)) return output;
	const name = scene.replace(/^.*[/\\]/, "").replace(/\.json$/i, "");
	return `${output}${name}.h5`;
}

/** The file of a picture, which is always SVG: a name with another ending would mislead. */
export function pictureFile(args: Arguments, option: string): string | undefined {
	const path = args.text(option);
	if (path === undefined || /\.svg$/i.test(path)) return path;
	return args.refuse(`--${option}`, `${path} is not the name of an SVG file`, "give a name that ends in .svg");
}

function dumpIn(args: Arguments): SimulateRequest["dump"] {
	const text = args.text("dump-problems");
	if (text === undefined) return undefined;
	const which = DUMPS.find((each) => each === text.toLowerCase());
	if (which === undefined) return args.refuse("--dump-problems", `there is no "${text}"`, "give every or hard");
	const iterations = args.integer("hard-iterations", 0, ITERATIONS_MAX, HARD_ITERATIONS) ?? HARD_ITERATIONS;
	return { which, folder: args.text("dump-folder") ?? "problems", iterations };
}

function checkpointOf(args: Arguments): number | undefined {
	const checkpoint = args.real("checkpoint", "from 0", 60);
	if (checkpoint === undefined || checkpoint <= CHECKPOINT_SECONDS_MAX) return checkpoint;
	return args.refuse("--checkpoint", `${checkpoint} seconds are more than a week`, "give less");
}

/** Names of scenes' options that are options of the command as well. */
const SHORTHANDS: readonly string[] = ["bodies", "kind", "shape", "seed"];

/** The option of the command that sets an option of a scene. */
export function nameOfSceneOption(name: string): string {
	return SHORTHANDS.includes(name) ? `--${name}` : `--set ${name}`;
}

function sceneOptionsIn(args: Arguments): Record<string, string | number> {
	const given: Record<string, string | number> = {};
	for (const name of SHORTHANDS) {
		const value = args.text(name);
		if (value !== undefined) given[name] = asNumber(value) ?? value;
	}
	for (const [name, value] of pairsIn(args, "set")) {
		if (Object.hasOwn(given, name)) args.refuse("--set", `${name} is given twice`, "give it once");
		given[name] = value;
	}
	return given;
}

function methodOptionsIn(args: Arguments): Record<string, string | number> | undefined {
	const pairs = pairsIn(args, "method-set");
	return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** `name=value`: a number where it reads as one, otherwise a word. */
function pairsIn(args: Arguments, option: string): [string, string | number][] {
	return args.texts(option).map((each) => {
		const [, name, value] = /^([A-Za-z][\w-]*)=(.+)$/.exec(each) ?? [];
		if (name === undefined || value === undefined)
			return args.refuse(
				`--${option}`,
				`"${each}" is not of the form name=value`,
				`write e.g. --${option} friction=0.5`,
			);
		return [name, asNumber(value) ?? value];
	});
}
