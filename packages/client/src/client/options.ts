/** What a solve of the service takes besides what one of a session takes, and what of it the client checks and sends. */
import {
	checkOptions,
	InputError,
	type Problem,
	type ProblemPart,
	type Results,
	type SessionSolveOptions,
	startOf,
	validateProblem,
} from "@stickslip/core";
import {
	checkCount,
	checkIndex,
	checkPartsOptions,
	PATTERN_OPTIONS,
	requireOptions,
	splitOptions,
	validatePart,
} from "@stickslip/core/parallel";
import { badInput } from "../base/service-error.js";

export interface ServiceSolveOptions extends Omit<SessionSolveOptions, "repeat"> {
	/**
	 * The request's id, for `fetch`: 1 to 64 characters A-Z a-z 0-9 . _ : -, used once. Default: one of the client's own. The service solves
	 * no id twice: under one that it knows the same answer is given again.
	 */
	readonly id?: string;
	/** Whether the service continues it when the client is gone, and keeps the answer for `fetch`. Default false. */
	readonly keep?: boolean;
}

/** Of a part: which of how many it is, and the name that they have in common, used once. */
export interface ServicePartOptions extends Omit<ServiceSolveOptions, "start" | "keys" | "series"> {
	readonly group: string;
	readonly index: number;
	readonly of: number;
}

const SENT = ["method", "tolerance", "measure", "maxIterations", "timeLimit", "history", "set", "worseStart"] as const;
/** All that a solve of the service takes. */
const USABLE = [...PATTERN_OPTIONS.filter((name) => name !== "repeat"), "id", "keep"];
const NAME = /^[A-Za-z0-9._:-]{1,64}$/;

function refuse(name: string, problem: string, remedy: string): never {
	throw new InputError("options", name, problem, remedy);
}

function checkOwnName(name: string, value: unknown): void {
	if (typeof value === "string" && NAME.test(value)) return;
	refuse(name, `${JSON.stringify(value)} is not a name`, "give 1 to 64 of the characters A-Z a-z 0-9 . _ : -");
}

/** That of a request, a pattern or a series. */
export function checkName(name: string, value: unknown): void {
	checked(() => checkOwnName(name, value));
}

/** What a check of core gives; its InputError becomes one of the service with the same words. */
export function checked<Result>(check: () => Result): Result {
	try {
		return check();
	} catch (error) {
		throw error instanceof InputError ? badInput(error) : error;
	}
}

export function checkProblem(problem: Problem): void {
	checked(() => validateProblem(problem));
}

export function checkPart(part: ProblemPart, { group, index, of, ...options }: ServicePartOptions): void {
	checked(() => {
		checkOwnName("group", group);
		checkIndex(index, checkCount(of));
		checkPartsOptions(withoutKeep(options));
		validatePart(part, index);
	});
	checkSolveOptions(options, part.contacts);
}

/** Which is that of a service. */
function withoutKeep({ keep: _keep, ...options }: Pick<ServiceSolveOptions, "keep">): object {
	return options;
}

export function checkSolveOptions(
	options: ServiceSolveOptions & { readonly results?: Results },
	contacts: number,
): void {
	checked(() => {
		requireOptions(options);
		const { id, keep, ...rest } = options;
		if ("repeat" in options) refuse("repeat", "is not for a service", "leave it out");
		checkOptions(splitOptions(rest, USABLE).options);
		const { series, keys } = options;
		if (id !== undefined) checkOwnName("id", id);
		if (series !== undefined) checkOwnName("series", series);
		if (keep !== undefined && typeof keep !== "boolean") refuse("keep", `is ${keep}`, "give true or false");
		if (keys !== undefined) checkKeys(keys, contacts);
	});
}

/** The service checks that each part occurs once. */
function checkKeys(keys: Float64Array, contacts: number): void {
	if (!(keys instanceof Float64Array)) {
		refuse("keys", "is not a Float64Array", "give the number of each contact in a Float64Array");
	}
	if (keys.length !== contacts) {
		refuse("keys", `has ${keys.length} numbers`, `give ${contacts}, one per contact`);
	}
	const at = keys.findIndex((key) => !(Number.isSafeInteger(key) && key >= 0));
	if (at >= 0) refuse(`keys[${at}]`, `${keys[at]} is not a whole number`, "give whole numbers from 0 to 2^53 - 1");
}

/** The reaction to start from; none for zero. */
export function reactionOf(problem: Problem, start: ServiceSolveOptions["start"]): Float64Array | undefined {
	return checked(() => startOf(problem, start)?.r);
}

/** The options that are the solver's own; undefined where there are none. */
export function sentOptions(options: ServiceSolveOptions): Readonly<Record<string, unknown>> | undefined {
	const given = SENT.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
	return given.length === 0 ? undefined : Object.fromEntries(given);
}
