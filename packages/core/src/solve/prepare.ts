/** Before a solve is shared out: options are checked, the start is found, and what concerns the problem as a whole is decided. */
import { beginPhase } from "../base/setup-phase.js";
import { TINY_CONTACTS } from "../kernels/generated/tiny-places.js";
import { type MethodEntry, methodEntry } from "../methods/catalogue.js";
import { checkFit, checkOperator } from "../methods/check-fit.js";
import { type Options, resolve } from "../methods/options.js";
import { makePlan, type PatternPlan, type Plan } from "../outline/plan.js";
import type { AlreadyChecked } from "../problem/check.js";
import type { Pattern } from "../problem/pattern.js";
import type { Guess, Problem } from "../problem/problem.js";
import { type Checked, nameOf, validateProblem } from "../problem/validate.js";
import { type SystemOptions, systemDefaults } from "../system/system.js";
import { checkOptions, requireOptions } from "./check-options.js";
import type { RunOptions, SolveOptions } from "./options.js";
import { startOf } from "./start.js";
import { isPlain } from "./tiny.js";

export interface Prepared {
	readonly plan: Plan;
	/** The reaction to start from; zero where there is none. */
	readonly start?: Guess;
	/** What every rank needs of the options: plain data. */
	readonly options: RunOptions;
}

/** A problem and options that make sense, and what was found out on the way. */
export interface CheckedSolve {
	readonly problem: Problem;
	/** Whether nobody has looked yet whether the blocks of W are finite: whoever stores them does. */
	readonly storeChecksBlocks: boolean;
	readonly checked: Checked;
	readonly entry: MethodEntry;
	readonly settings: Options;
	/** What the method wants of the system. */
	readonly system: SystemOptions;
	/** The reaction to start from; zero where there is none. */
	readonly start?: Guess;
	readonly options: RunOptions;
	/** The whole check, where a kernel was to look at the numbers and has found anything out of the ordinary, or where it is not asked. */
	readonly again?: () => CheckedSolve;
}

/** What options say, whatever the problem is. */
function checkSettings(options: SolveOptions) {
	checkOptions(options);
	const { start: _start, signal: _signal, onProgress: _onProgress, keep: _keep, ...kept } = options;
	const entry = methodEntry(kept.method ?? "auto");
	const settings = resolve(entry.name, entry.options, kept.set);
	return { entry, settings, system: { ...systemDefaults, ...entry.system(settings) }, kept };
}

/** Throws an InputError for a problem or an option that makes no sense, and for nothing else. */
export function checkSolve(given: Problem, options: SolveOptions = {}, known: AlreadyChecked = {}): CheckedSolve {
	beginPhase("validate");
	const checked = validateProblem(given, undefined, known);
	const name = nameOf(given);
	const problem = name === given.name ? given : { ...given, name };
	requireOptions(options);
	const { start } = options;
	const { entry, settings, system, kept } = checkSettings(options);
	checkFit(entry, problem, settings);
	const guess = startOf(problem, start);
	return {
		problem,
		storeChecksBlocks: known.storeChecksBlocks === true,
		checked,
		entry,
		settings,
		system,
		options: kept,
		...(guess === undefined ? {} : { start: guess }),
	};
}

/**
 * The same for a solve that is not shared out, in which W is looked at as it is stored: it is the largest by far, and read once then.
 * Where there are bodies too W may not be stored at all. Of a few contacts a kernel looks at all numbers before it solves for them.
 */
export function checkAlone(given: Problem, options: SolveOptions = {}, pattern?: Pattern): CheckedSolve {
	const isObject = typeof given === "object" && given !== null;
	const storeChecksBlocks = isObject && given.W !== undefined && given.rigid === undefined;
	const again = () => checkSolve(given, options, { pattern, storeChecksBlocks });
	if (!isObject || !isForKernel(given, options)) return again();
	return { ...checkSolve(given, options, { pattern, kernelChecks: true }), again };
}

/** Whether it is worth trying to have a kernel look at it. */
function isForKernel({ contacts, W, rigid, global, equalities, laws }: Problem, options: SolveOptions): boolean {
	const isOfRows = W !== undefined && rigid === undefined && global === undefined;
	if (!isOfRows || equalities !== undefined || laws !== undefined || !(contacts > 0)) return false;
	return contacts <= TINY_CONTACTS && typeof options === "object" && options !== null && isPlain(options);
}

/** Decides what concerns a checked problem as a whole; what is wrong with W only where it is formed is an InputError. */
export function prepareChecked(
	{ problem, checked, entry, system, options, start }: CheckedSolve,
	known?: PatternPlan,
): Prepared {
	const plan = makePlan(problem, system, checked, known);
	checkOperator(entry, problem, plan.operator);
	return { plan, options, ...(start === undefined ? {} : { start }) };
}

/** For ranks, which read a W that is unread. Throws an InputError for a problem or an option that makes no sense, and for nothing else. */
export function prepare(given: Problem, options: SolveOptions = {}): Prepared {
	return prepareChecked(checkSolve(given, options, { readersCheckBlocks: true }));
}

/**
 * For ranks that have the numbers of their own contacts, and check them: of `problem` nothing is looked at but which contacts couple (W without
 * values, or bodies without frames and masses) and where they are.
 */
export function preparePattern(problem: Problem, options: RunOptions): Prepared {
	const { system, kept } = checkSettings(options);
	return {
		plan: makePlan(problem, system, { singular: [], diagonal: new Float64Array(0), isUnread: true }),
		options: kept,
	};
}
