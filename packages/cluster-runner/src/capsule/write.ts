/** Writes a capsule: the FCLIB file first, then the JSON that names it, so that a JSON file is never there without its problem. */
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError, type Problem, type Solution, type SolveOptions, version } from "@stickslip/core";
import { fclibSolution } from "@stickslip/core/fclib";
import { codeOf, codeOrText } from "../base/errors.js";
import { withoutUndefined } from "../base/without-undefined.js";
import type { Loaded } from "../files/load.js";
import { writeProblem } from "../files/save.js";
import { track, untrack } from "../files/unfinished.js";
import { writeWhole } from "../files/write.js";
import { fieldsOf, readSmall } from "../records/check.js";
import { machineFacts } from "../records/facts.js";
import { CAPSULE, CAPSULE_FORMAT, type Capsule, type CapsuleOptions, type Failure, type RunSetup } from "./capsule.js";
import { BYTES_MAX } from "./read.js";
import { historyOf, type Trace } from "./trace.js";

/** The limit of capsules of one problem and status in one folder. */
const CAPSULES_MAX = 10_000;

export interface CapsuleInput {
	/** Where capsules go; made if it is not there. */
	readonly folder: string;
	readonly loaded: Loaded;
	readonly options: SolveOptions;
	/** Its result: an unsolved solution, or a failure. */
	readonly ended: { readonly solution: Solution } | { readonly failure: Failure };
	/** The words of the command line. */
	readonly line: readonly string[];
	readonly ran?: RunSetup;
	/** The history of the solve, if the report has none. */
	readonly trace?: Trace;
	/** Write nothing if the folder has a capsule of this problem and ending already: a run that restarts fails many times. */
	readonly once?: boolean;
}

/** The path of the JSON file; undefined where `once` found one. Throws an InputError if it cannot be written, and then leaves nothing behind. */
export async function writeCapsule(input: CapsuleInput): Promise<string | undefined> {
	const { folder, loaded, ended } = input;
	const base = baseName(loaded.problem.name, "solution" in ended ? ended.solution.report.status : "failed");
	if (input.once === true && isKept(folder, base, loaded.problem.name)) return undefined;
	makeFolder(folder);
	const name = reserve(folder, base);
	const [problem, json] = [join(folder, `${name}.hdf5`), join(folder, `${name}.json`)];
	// Useless without its JSON file.
	track(problem);
	try {
		const whole = withStart(loaded.problem, input.options.start);
		const solution = "solution" in ended ? { solution: fclibSolution(whole, ended.solution) } : {};
		await writeProblem(problem, whole, { info: loaded.info, ...solution });
		const text = `${JSON.stringify(describeCapsule(input, `${name}.hdf5`), undefined, "\t")}\n`;
		writeWhole(json, text);
	} catch (error) {
		for (const path of [json, problem]) rmSync(path, { force: true });
		throw error;
	} finally {
		untrack(problem);
	}
	return json;
}

/** The JSON of a capsule whose FCLIB file has this name. */
function describeCapsule({ loaded, options, ended, line, ran, trace }: CapsuleInput, file: string): Capsule {
	const { problem } = loaded;
	const head = { stickslip: CAPSULE, format: CAPSULE_FORMAT, version, when: new Date().toISOString(), file } as const;
	const before = {
		...head,
		problem: problem.name,
		contacts: problem.contacts,
		line,
		options: recorded(options),
	};
	const traced = trace?.history ?? historyOf([]);
	if ("failure" in ended) {
		const { failure } = ended;
		const outcome = { status: "failed", reason: failure.reason, remedies: [], failure } as const;
		return { ...before, ran: ran ?? {}, ...outcome, history: traced, machine: machineFacts() };
	}
	const { report } = ended.solution;
	const { status, reason, remedies, iterations, products, hash, history } = report;
	return {
		...before,
		ran: { ranks: report.ranks, transport: report.transport, ...ran },
		...{ status, reason, remedies, iterations, products },
		energy: finite(report.energy),
		natural: finite(report.natural),
		merit: finite(report.merit),
		hash,
		history: history === undefined ? traced : historyOf(history),
		machine: machineFacts(),
	};
}

function finite(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}

/** A start given by the caller is in the file as its first guess. */
function recorded({ method, tolerance, measure, start, maxIterations, timeLimit, set }: SolveOptions): CapsuleOptions {
	const named = start === undefined || typeof start === "string" ? start : "guess";
	const iterations = maxIterations === undefined ? undefined : Math.min(maxIterations, Number.MAX_SAFE_INTEGER);
	return withoutUndefined({ method, tolerance, measure, start: named, maxIterations: iterations, timeLimit, set });
}

function withStart(problem: Problem, start: SolveOptions["start"]): Problem {
	if (start === undefined || typeof start === "string") return problem;
	return { ...problem, guesses: [{ r: start }, ...(problem.guesses ?? [])] };
}

/** Turns the name of a problem, e.g. a path, into a file name that every file system accepts. */
export function baseName(problem: string, status: string): string {
	const last = problem.split(/[/\\]/).at(-1) ?? "";
	const plain = last.replace(/\.(hdf5|h5|json)$/i, "").replaceAll(/[^A-Za-z0-9._-]+/g, "-");
	return `${plain.replace(/^[-.]+/, "").slice(0, 60) || "problem"}-${status}`;
}

/** Whether there is a capsule of this ending and problem: two problems may have the same last name. */
function isKept(folder: string, base: string, problem: string): boolean {
	for (let number = 1; number <= CAPSULES_MAX; number += 1) {
		const path = join(folder, `${nameOf(base, number)}.json`);
		if (!existsSync(path)) return false;
		try {
			if (fieldsOf(path, readSmall(path, BYTES_MAX) ?? "").values.problem === problem) return true;
		} catch {
			// It was changed, or is something else, e.g. a pipe: it does not count.
		}
	}
	return true;
}

function nameOf(base: string, number: number): string {
	return number === 1 ? base : `${base}-${number}`;
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		throw refusal(folder, "folder", `cannot be made (${codeOrText(error)})`);
	}
}

/** Reserves a free name with an empty file: another process that writes a capsule at the same time gets another name. */
function reserve(folder: string, base: string): string {
	for (let number = 1; number <= CAPSULES_MAX; number += 1) {
		const name = nameOf(base, number);
		if (existsSync(join(folder, `${name}.json`))) continue;
		try {
			closeSync(openSync(join(folder, `${name}.hdf5`), "wx"));
			return name;
		} catch (error) {
			if (codeOf(error) !== "EEXIST") throw refusal(folder, "folder", `cannot be written to (${codeOrText(error)})`);
		}
	}
	throw refusal(folder, "folder", `has ${CAPSULES_MAX} capsules of ${base} already`);
}

function refusal(source: string, place: string, problem: string): InputError {
	return new InputError(source, place, problem, "check that it is writable and has free space");
}
