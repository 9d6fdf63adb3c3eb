/** What a run was asked for, in its folder: what it solves stays as it was, how it runs is replaced where it is resumed in another way. */
import { join } from "node:path";
import { InputError, MEASURES } from "@stickslip/core";
import { PARTITION_METHODS } from "@stickslip/partition";
import { type Check, exactly, flag, integer, list, oneOf, type Rules, text } from "../base/schema.js";
import { TRANSPORTS } from "../base/transports.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { isRecord, readFields, replaceJson } from "../records/check.js";
import { FILES } from "../records/files.js";
import {
	CHECKPOINT_SECONDS_MAX,
	type ExecutionOptions,
	ITERATIONS_MAX,
	REPEAT_MAX,
	type SolveLine,
	type SolveRequest,
	type SolverOptions,
	STARTS,
} from "./solve-request.js";

const TEXT_MAX = 10_000;
const INPUTS_MAX = 1_000_000;
const SETTINGS_MAX = 100;

/** From 0, infinity left out: what options may be is looked at again by the solve, which names its own limits. */
const amount: Check<number> = (value): value is number =>
	typeof value === "number" && Number.isFinite(value) && value >= 0;
const settings: Check<Record<string, string | number>> = (value): value is Record<string, string | number> =>
	isRecord(value) &&
	Object.keys(value).length <= SETTINGS_MAX &&
	Object.entries(value).every(
		([name, each]) =>
			/^[A-Za-z][\w-]{0,99}$/.test(name) && (typeof each === "number" ? Number.isFinite(each) : text(1000)(each)),
	);
const names = list(text(TEXT_MAX), INPUTS_MAX);
const inputs: Check<string[]> = (value): value is string[] => names(value) && value.length > 0;
const seconds: Check<number> = (value): value is number => amount(value) && value <= CHECKPOINT_SECONDS_MAX;
const ranks: Check<number | "auto"> = (value): value is number | "auto" =>
	value === "auto" || integer(1, RANKS_MAX)(value);

/** Strict: an option that is not known here would be left out in silence. */
export const solverRules = {
	method: [text(100), "the name of a method"],
	tolerance: [amount, "a number from 0"],
	measure: [oneOf(MEASURES), `one of ${MEASURES.join(", ")}`],
	start: [oneOf(STARTS), STARTS.join(" or ")],
	maxIterations: [integer(0, ITERATIONS_MAX), "an integer from 0"],
	timeLimit: [amount, "a number from 0"],
	repeat: [integer(1, REPEAT_MAX), `an integer from 1 to ${REPEAT_MAX}`],
	set: [settings, "names with numbers or words"],
} as const satisfies Rules<keyof SolverOptions>;

const anObject = [isRecord as Check<unknown>, "an object"] as const;

const requestRules: Rules<keyof SolveRequest> = {
	command: [exactly("solve"), "solve"],
	inputs: [inputs, "a list of files"],
	options: anObject,
	json: [flag, "true or false"],
	history: [flag, "true or false"],
	output: [text(TEXT_MAX), "the name of a file or folder"],
	report: [text(TEXT_MAX), "the name of a file"],
	capsule: [text(TEXT_MAX), "the name of a folder"],
	checkpoint: [seconds, `a number of seconds, at most ${CHECKPOINT_SECONDS_MAX}`],
};

const howRules: Rules<keyof ExecutionOptions> = {
	ranks: [ranks, `an integer from 1 to ${RANKS_MAX}, or auto`],
	transport: [oneOf(TRANSPORTS), `one of ${TRANSPORTS.join(", ")}`],
	processes: [integer(1, RANKS_MAX), `an integer from 1 to ${RANKS_MAX}`],
	partition: [oneOf(PARTITION_METHODS), `one of ${PARTITION_METHODS.join(", ")}`],
};

type Stored = Omit<SolveLine, "line">;

export function writeRequest(folder: string, { solve, how }: Stored): void {
	replaceJson(join(folder, FILES.request), { solve, how }, true);
}

export function readRequest(folder: string): Stored {
	const fields = readFields(join(folder, FILES.request));
	if (fields === undefined) {
		const problem = "is missing, as in runs of earlier versions";
		throw new InputError(folder, FILES.request, problem, "solve it again; stickslip status shows its line");
	}
	fields.require({ solve: anObject, how: anObject });
	const [solve, how] = [fields.fields("solve"), fields.fields("how")];
	solve.require(requestRules, ["command", "inputs", "options", "json", "history"]);
	solve.fields("options").require(solverRules);
	how.require(howRules);
	return { solve: solve.values as unknown as SolveRequest, how: how.values };
}
