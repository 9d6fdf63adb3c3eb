/** Makes the request of a study of its line. */
import { cores } from "@stickslip/comm";
import { DEFAULT_TOLERANCES, MEASURES, type MeasureName, methods } from "@stickslip/core";
import { TRANSPORTS, type Transport } from "../base/transports.js";
import { withoutUndefined } from "../base/without-undefined.js";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { sweptVariants, variantsOf } from "./method-variants.js";
import {
	ITERATIONS_MAX,
	JOBS_MAX,
	type ProfileRequest,
	REPEAT_MAX,
	SCORES,
	STEPS_MAX,
	STUDY_KINDS,
	type StudyCommandLine,
	type StudyKind,
	type TimedRequest,
} from "./study-request.js";

/** Options that only some kinds have. */
const KINDS_OF: Readonly<Record<string, readonly StudyKind[]>> = {
	ranks: ["strong", "weak", "sensitivity"],
	transports: ["strong", "weak"],
	rounds: ["strong", "weak", "sensitivity"],
	skip: ["strong", "weak", "sensitivity"],
	steps: ["strong", "weak", "sensitivity"],
	method: ["sensitivity"],
	vary: ["sensitivity"],
	methods: ["strong", "weak", "profile"],
	score: ["profile"],
	repeat: ["profile"],
	jobs: ["profile"],
};
/** Seconds of a solve of a profile. */
const TIME_LIMIT = 10;
const ROUNDS = 3;
const STEPS = 20;

export function parseStudy(args: Arguments): Omit<StudyCommandLine, "line"> {
	const [kind, ...operands] = args.operands;
	const kinds = [...STUDY_KINDS, "calibrate", "predict"].join(", ");
	if (kind === undefined) return args.refuse("KIND", "is missing", `write study and one of ${kinds}`);
	if (!isKind(kind)) return args.refuse(kind, "is not a study", `choose among ${kinds}`);
	for (const [option, having] of Object.entries(KINDS_OF)) {
		if (args.text(option) === undefined || having.includes(kind)) continue;
		args.refuse(`--${option}`, `is no option of study ${kind}`, `leave it out; it belongs to ${having.join(", ")}`);
	}
	const output = args.text("output");
	if (output === undefined) return args.refuse("--output", "is missing", "add --output FOLDER");
	if (operands.length === 0) {
		if (kind === "profile") return args.refuse("FILE", "is missing", "name FCLIB files");
		return args.refuse("PROBLEM", "is missing", "name files, generated problems (spheres:1000) or scenes (drum)");
	}
	if (operands.includes("-")) return args.refuse("-", "cannot be solved many times", "name files");
	const study = kind === "profile" ? profileOf(args, operands, output) : timedOf(args, kind, operands, output);
	return { study, how: {} };
}

function isKind(word: string): word is StudyKind {
	return (STUDY_KINDS as readonly string[]).includes(word);
}

function profileOf(args: Arguments, files: readonly string[], output: string): ProfileRequest {
	const measure = args.choice("measure", MEASURES) ?? "natural";
	const all = methods().map(({ name }) => name);
	return {
		...{ command: "study", kind: "profile", files, output, measure },
		variants: variantsOf(args.command, args.text("methods") ?? all.join(",")),
		tolerances: tolerancesIn(args, DEFAULT_TOLERANCES[measure], "1e-4"),
		score: args.choice("score", SCORES) ?? "seconds",
		timeLimit: args.seconds("time-limit", "above 0", TIME_LIMIT) ?? TIME_LIMIT,
		repeat: args.integer("repeat", 1, REPEAT_MAX) ?? 1,
		...withoutUndefined({
			maxIterations: args.integer("max-iterations", 1, ITERATIONS_MAX),
			jobs: args.integer("jobs", 1, JOBS_MAX),
			...commonOf(args),
		}),
	};
}

function timedOf(
	args: Arguments,
	kind: TimedRequest["kind"],
	sources: readonly string[],
	output: string,
): TimedRequest {
	const measure: MeasureName = args.choice("measure", MEASURES) ?? "energy";
	const [tolerance, ...more] = tolerancesIn(args, DEFAULT_TOLERANCES[measure], String(DEFAULT_TOLERANCES[measure]));
	if (more.length > 0)
		args.refuse("--tolerances", `study ${kind} takes a single tolerance`, "give one, or run a study for each");
	const variants =
		kind === "sensitivity"
			? sweptVariants(args.command, args.text("method") ?? "pqn", args.texts("vary"))
			: variantsOf(args.command, args.text("methods") ?? "auto");
	return {
		...{ command: "study", kind, sources, output, measure, tolerance: tolerance!, variants },
		ranks: ranksIn(args, kind),
		transports: transportsIn(args),
		rounds: args.integer("rounds", 1, REPEAT_MAX) ?? (kind === "sensitivity" ? 1 : ROUNDS),
		skip: args.integer("skip", 0, STEPS_MAX, 100) ?? 0,
		steps: args.integer("steps", 1, STEPS_MAX, 100) ?? STEPS,
		...withoutUndefined({
			timeLimit: args.seconds("time-limit", "above 0", 60),
			maxIterations: args.integer("max-iterations", 1, ITERATIONS_MAX, 100),
			...commonOf(args),
		}),
	};
}

/** Each number once, in ascending order. Default 1 and powers of two up to the cores of this machine; of a sensitivity 1. */
function ranksIn(args: Arguments, kind: TimedRequest["kind"]): number[] {
	const text = args.text("ranks");
	const most = kind === "sensitivity" ? 1 : cores().length;
	if (text === undefined) return [1, 2, 4, 8, 16, 32, 64, 128].filter((ranks) => ranks === 1 || ranks <= most);
	const values = text.split(",").map((each) => {
		const value = asNumber(each.trim());
		if (value !== undefined && Number.isInteger(value) && value >= 1 && value <= RANKS_MAX) return value;
		return args.refuse("--ranks", `"${each}" is not an integer from 1 to ${RANKS_MAX}`, "write e.g. 1,2,4");
	});
	const ranks = [...new Set(values)].sort((a, b) => a - b);
	if (kind === "sensitivity" && ranks.length > 1)
		args.refuse("--ranks", "study sensitivity takes a single number of ranks", "give one");
	return ranks;
}

function transportsIn(args: Arguments): Transport[] {
	const names = (args.text("transports") ?? "threads").split(",").map((name) => name.trim());
	const found = names.map((name) => {
		const transport = TRANSPORTS.find((each) => each === name);
		return transport ?? args.refuse("--transports", `there is no "${name}"`, `choose among ${TRANSPORTS.join(", ")}`);
	});
	return [...new Set(found)];
}

/** Options of all kinds. */
function commonOf(args: Arguments) {
	const part = partIn(args);
	const gathers = args.flag("gather") || undefined;
	if (gathers && part !== undefined) args.refuse("--gather", "cannot be combined with --part", "leave out one of them");
	return { part, gathers, retriesFailed: args.flag("retry") || undefined };
}

/** `2/8`: the part numbered 2, from 0, of 8. */
function partIn(args: Arguments): TimedRequest["part"] {
	const text = args.text("part");
	if (text === undefined) return undefined;
	const [, index = "", of = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
	const part = { index: Number(index), of: Number(of) };
	if (of !== "" && part.index < part.of) return part;
	return args.refuse("--part", `"${text}" is not a part of several`, "write e.g. 0/4 for the first of four");
}

function tolerancesIn(args: Arguments, example: number, normal: string): number[] {
	const texts = (args.text("tolerances") ?? normal).split(",");
	const values = texts.map((each) => {
		const value = asNumber(each.trim());
		if (value !== undefined && value > 0) return value;
		return args.refuse("--tolerances", `"${each}" is not a number above 0`, `write e.g. ${example}`);
	});
	return [...new Set(values)];
}
