/**
 * Small JSON files that may have been changed, cut or replaced by anyone: read up to a limit of size and checked field by field. An error is one line that
 * names the file and the field.
 */
import { readFileSync, statSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { parseJson } from "@stickslip/core/json";
import {
	type Check,
	type Checked,
	called,
	firstWrong,
	integer,
	type RecordCheck,
	type RecordFields,
	record,
	type Wrong,
} from "@stickslip/core/schema";
import { codeOf, unreadable } from "../base/errors.js";
import { writeWhole, writeWholeBy } from "../files/write.js";

/** Far more than any file of a run, far less than memory. */
const JSON_BYTES_MAX = 2 ** 20;

/** Of a file in the folder of a run. */
const REMEDY = "it is damaged or was written by another program; remove the folder of this run if it is not needed";

/** The text of a regular file; undefined where there is none. */
export function readSmall(file: string, bytesMax = JSON_BYTES_MAX, remedy = REMEDY): string | undefined {
	try {
		const there = statSync(file, { throwIfNoEntry: false });
		if (there === undefined) return undefined;
		// Reading a named pipe would wait for ever.
		if (!there.isFile()) throw new InputError(file, "file", "is not a regular file", remedy);
		if (there.size > bytesMax) {
			throw new InputError(file, "file", `has ${there.size} bytes, and ${bytesMax} are the most`, remedy);
		}
		return readFileSync(file, "utf8");
	} catch (error) {
		if (error instanceof InputError) throw error;
		const code = codeOf(error);
		if (code === "ENOENT" || code === "ENOTDIR") return undefined;
		throw unreadable(file, error, "ask its owner for the permission");
	}
}

/** The object in a file; undefined where there is no such file. */
export function readFields(file: string, remedy = REMEDY): Fields | undefined {
	const text = readSmall(file, JSON_BYTES_MAX, remedy);
	return text === undefined ? undefined : fieldsOf(file, text, remedy);
}

/** For a file that is renewed without being synced: after a power failure it may be empty or full of zeros, and counts as missing. */
export function readRenewed(file: string): Fields | undefined {
	const text = readSmall(file);
	return text === undefined || isBlank(text) ? undefined : fieldsOf(file, text);
}

export function isBlank(text: string): boolean {
	return text.replaceAll("\0", "").trim() === "";
}

/** The object that a text is, `source` being what messages call it. */
export function fieldsOf(source: string, text: string, remedy = REMEDY): Fields {
	if (text.trim() === "") throw new InputError(source, "file", "is empty", remedy);
	const value = parseJson(text, source, { remedy });
	if (!isRecord(value)) throw new InputError(source, "file", "is not a JSON object", remedy);
	return new Fields(source, value, remedy);
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of one object. Errors are InputErrors that name the file and the field. */
export class Fields {
	constructor(
		readonly source: string,
		readonly values: JsonRecord,
		readonly remedy: string,
	) {}

	/** Only the known fields: a later version may have written more. */
	take<Shaped extends RecordFields>(check: RecordCheck<Shaped>): Checked<RecordCheck<Shaped>> {
		this.#refuse(firstWrong(this.values, check, true));
		const known = Object.entries(this.values).filter(([name]) => Object.hasOwn(check.shape, name));
		return Object.fromEntries(known) as Checked<RecordCheck<Shaped>>;
	}

	/** The whole object, or the record of this name in it: unknown fields are refused, since they would be dropped silently. */
	all<Shaped extends RecordFields>(check: RecordCheck<Shaped>, name = ""): Checked<RecordCheck<Shaped>> {
		const value = name === "" ? this.values : this.values[name];
		this.#refuse(firstWrong(value, check, false, name));
		return value as Checked<RecordCheck<Shaped>>;
	}

	/** Files of a later version may mean other things by the same names. */
	requireFormat(known: number): void {
		const { format } = this.take(record({ format: integer(1) }));
		if (format <= known) return;
		throw new InputError(this.source, "format", `${format} is newer than ${known}`, "use a newer stickslip");
	}

	refuse(name: string, problem: string): never {
		throw new InputError(this.source, name, problem, this.remedy);
	}

	#refuse(wrong: Wrong | undefined): void {
		if (wrong !== undefined) this.refuse(wrong.name, wrong.problem);
	}
}

/** A moment, as text in ISO 8601. */
export const moment: Check<string> = called(
	"a time",
	(value): value is string => typeof value === "string" && Number.isFinite(Date.parse(value)),
);

/** A number that JSON has no word for is null there. */
export const numberOrNull: Check<number | null> = called(
	"a number",
	(value): value is number | null => value === null || typeof value === "number",
);

/**
 * Replaces a small file: a reader sees it as it was before or as it is now. `isLasting` syncs it first; files that are replaced every second do without.
 */
export function replaceJson(file: string, value: object, isLasting = false): void {
	writeWhole(file, textOf(value), { isLasting });
}

/** The same without blocking this thread, for files that are replaced again and again. */
export async function replaceJsonLater(file: string, value: object): Promise<void> {
	await writeWholeBy(file, (open) => open.writeFile(textOf(value)), { isLasting: false });
}

function textOf(value: object): string {
	return `${JSON.stringify(value, undefined, "\t")}\n`;
}
