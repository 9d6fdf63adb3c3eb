/**
 * Small JSON files that anybody may have changed, cut or put there: read within a limit of size and checked field by field. What is wrong becomes one
 * line that names the file and the field.
 */
import { readFileSync, statSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { firstWrong, type Rules } from "../base/schema.js";
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
		throw new InputError(file, "file", `cannot be read (${code ?? String(error)})`, "ask its owner for the permission");
	}
}

/** The object in a file; undefined where there is no such file. */
export function readFields(file: string, remedy = REMEDY): Fields | undefined {
	const text = readSmall(file, JSON_BYTES_MAX, remedy);
	return text === undefined ? undefined : fieldsOf(file, text, remedy);
}

/** Of a file that is renewed without being brought to disk: where the power fails it may be left empty, or full of zeros, and is as good as not there. */
export function readRenewed(file: string): Fields | undefined {
	const text = readSmall(file);
	return text === undefined || isBlank(text) ? undefined : fieldsOf(file, text);
}

export function isBlank(text: string): boolean {
	return text.replaceAll("\0", "").trim() === "";
}

/** The object that a text is, `source` being what messages call it. */
export function fieldsOf(source: string, text: string, remedy = REMEDY): Fields {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new InputError(source, "file", text.trim() === "" ? "is empty" : "is not JSON", remedy);
	}
	if (!isRecord(value)) throw new InputError(source, "file", "is not a JSON object", remedy);
	return new Fields(source, value, remedy);
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of one object, each checked as it is read. */
export class Fields {
	constructor(
		readonly source: string,
		readonly values: JsonRecord,
		readonly remedy: string,
		/** Where the object is inside the file: empty, or "machine.". */
		readonly place = "",
	) {}

	has(name: string): boolean {
		return Object.hasOwn(this.values, name);
	}

	/** A name with characters that no terminal obeys. */
	text(name: string, lengthMax = 10_000): string {
		const value = this.#value(name);
		if (typeof value !== "string" || value.length > lengthMax) this.refuse(name, "is not text");
		return value;
	}

	texts(name: string): readonly string[] {
		const value = this.#value(name);
		const isTexts = (list: unknown): list is string[] =>
			Array.isArray(list) && list.every((entry) => typeof entry === "string");
		if (!isTexts(value)) this.refuse(name, "is not a list of texts");
		return value;
	}

	choice<Name extends string>(name: string, names: readonly Name[]): Name {
		const value = this.#value(name);
		const found = names.find((candidate) => candidate === value);
		return found ?? this.refuse(name, `is not one of ${names.join(", ")}`);
	}

	/** A finite number. */
	real(name: string, least = -Infinity): number {
		const value = this.#value(name);
		if (typeof value !== "number" || !(value >= least)) this.refuse(name, "is not a valid number");
		return value;
	}

	integer(name: string, least = 0): number {
		const value = this.real(name, least);
		return Number.isSafeInteger(value) ? value : this.refuse(name, "is not an integer");
	}

	/** A number that JSON has no word for is null there. */
	number(name: string): number {
		const value = this.#value(name);
		if (value === null) return Number.NaN;
		return typeof value === "number" ? value : this.refuse(name, "is not a number");
	}

	flag(name: string): boolean {
		const value = this.#value(name);
		return typeof value === "boolean" ? value : this.refuse(name, "is neither true nor false");
	}

	/** A moment, as text in ISO 8601. */
	moment(name: string): string {
		const value = this.text(name);
		return Number.isFinite(Date.parse(value)) ? value : this.refuse(name, "is not a time");
	}

	fields(name: string): Fields {
		const value = this.#value(name);
		if (!isRecord(value)) this.refuse(name, "is not an object");
		return new Fields(this.source, value, this.remedy, `${this.place}${name}.`);
	}

	/** Of these names only. */
	only(names: readonly string[]): Fields {
		const values = Object.fromEntries(Object.entries(this.values).filter(([name]) => names.includes(name)));
		return new Fields(this.source, values, this.remedy, this.place);
	}

	/** What `read` makes of a field, undefined where it is not there. */
	optional<Value>(name: string, read: (name: string) => Value): Value | undefined {
		return this.has(name) ? read(name) : undefined;
	}

	/** Refuses the first field that is wrong, is not known, or is missing and required. */
	require<Name extends string>(rules: Rules<Name>, required: readonly Name[] = []): void {
		const wrong = firstWrong(this.values, rules, required);
		if (wrong !== undefined) this.refuse(wrong.name, wrong.problem);
	}

	/** Files of a later version may mean other things by the same names. */
	requireFormat(known: number): void {
		const format = this.integer("format", 1);
		if (format <= known) return;
		throw new InputError(this.source, "format", `${format} is newer than ${known}`, "use a newer stickslip");
	}

	refuse(name: string, problem: string): never {
		throw new InputError(this.source, `${this.place}${name}`, problem, this.remedy);
	}

	#value(name: string): unknown {
		return this.has(name) ? this.values[name] : this.refuse(name, "is missing");
	}
}

/**
 * Replaces a small file: a reader sees it as it was before or as it is now. `isLasting` brings it to disk first, which what is replaced every second
 * does without.
 */
export function replaceJson(file: string, value: object, isLasting = false): void {
	writeWhole(file, textOf(value), { isLasting });
}

/** The same without blocking this thread, for what is replaced again and again. */
export async function replaceJsonLater(file: string, value: object): Promise<void> {
	await writeWholeBy(file, (open) => open.writeFile(textOf(value)), { isLasting: false });
}

function textOf(value: object): string {
	return `${JSON.stringify(value, undefined, "\t")}\n`;
}

export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
