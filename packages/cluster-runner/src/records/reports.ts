/**
 * The reports of a run's finished problems, one per line. A run that is started again does not solve these problems again: it prints their reports from
 * here, as they were.
 */
import { appendFileSync, closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { InputError, type Report } from "@stickslip/core";
import { isReport } from "@stickslip/core/parallel";
import { firstWrong, integer } from "@stickslip/core/schema";
import { codeOf, codeOrText, jsonIn, unreadable } from "../base/errors.js";
import { syncFolder } from "../files/write.js";
import { isRecord } from "./check.js";
import { FILES } from "./files.js";

export interface Finished {
	/** Which of the line's inputs, from 0. */
	readonly input: number;
	readonly report: Report;
}

/** A larger file was not written by this program: it would be a million problems with their histories. */
const BYTES_MAX = 2 ** 30;
const NEWLINE = 10;

/** Errors that may pass, when space is freed. */
const FULL: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT"];
/** How long a full disk is retried: a solve may have taken days, and its report takes a moment. */
const FULL_MS_MAX = 5000;
const AGAIN_MS = 250;

/** Appends a report, and syncs it. Throws an InputError if that fails. */
export function addReport(folder: string, finished: Finished): void {
	const path = join(folder, FILES.reports);
	try {
		append(path, finished);
	} catch (error) {
		throw unwritable(path, error);
	}
}

/** The same, but waits for space if the disk is full. */
export async function keepReport(folder: string, finished: Finished): Promise<void> {
	const path = join(folder, FILES.reports);
	for (const end = performance.now() + FULL_MS_MAX; ; await pause(AGAIN_MS)) {
		try {
			append(path, finished);
			return;
		} catch (error) {
			if (!FULL.includes(codeOf(error)) || performance.now() > end) throw unwritable(path, error);
		}
	}
}

function unwritable(path: string, error: unknown): InputError {
	return new InputError(path, "file", `cannot be written (${codeOrText(error)})`, "free some space");
}

function append(path: string, { input, report }: Finished): void {
	const file = openSync(path, "a+");
	try {
		const isNew = fstatSync(file).size === 0;
		// A line that was cut by a crash or a full disk must not swallow this one.
		const begin = endsWhole(file) ? "" : "\n";
		appendFileSync(file, `${begin}${JSON.stringify({ input, ...report })}\n`);
		fsyncSync(file);
		if (isNew) syncFolder(dirname(path));
	} finally {
		closeSync(file);
	}
}

function endsWhole(file: number): boolean {
	const { size } = fstatSync(file);
	const last = Buffer.alloc(1);
	return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}

/** All complete reports, the last one of each input, by input. A line that is damaged counts as a problem not yet solved. */
export function readReports(folder: string): Finished[] {
	const found = new Map<number, Finished>();
	for (const line of linesIn(join(folder, FILES.reports))) {
		const finished = finishedIn(line);
		if (finished !== undefined) found.set(finished.input, finished);
	}
	return [...found.values()].sort((one, other) => one.input - other.input);
}

function linesIn(file: string): string[] {
	try {
		const there = statSync(file, { throwIfNoEntry: false });
		if (there?.isFile() !== true || there.size > BYTES_MAX) return [];
		return readFileSync(file, "utf8").split("\n");
	} catch (error) {
		throw unreadable(file, error, "ask its owner for the permission");
	}
}

const isInput = integer(0);

/** The report in a line; undefined for an incomplete line. */
export function finishedIn(line: string): Finished | undefined {
	const value = jsonIn(line);
	if (!isRecord(value)) return undefined;
	const { input, ...report } = value;
	// In JSON a number that is not finite is null.
	const numbered = nullsAsNaN(report);
	if (!isInput(input) || firstWrong(numbered, isReport, true) !== undefined) return undefined;
	return { input, report: numbered as Report };
}

/** A report's phases are the deepest of it: report, perRank, rank, phases. Deeper values are not reports, and would only fill the stack. */
const DEPTH_MAX = 5;

function nullsAsNaN(value: unknown, depth = 0): unknown {
	if (value === null) return Number.NaN;
	if (depth > DEPTH_MAX) return undefined;
	if (Array.isArray(value)) return value.map((entry) => nullsAsNaN(entry, depth + 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, nullsAsNaN(field, depth + 1)]));
}
