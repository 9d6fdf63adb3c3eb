/**
 * Reads a capsule's JSON file: everything in it is checked before it is used, and told in one line where it is not right. The FCLIB file it names lies in the same
 * folder: a capsule that came from elsewhere leads to no other file of this machine.
 */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "@stickslip/core";
import { type Check, firstWrong, integer, oneOf, optional, text } from "../base/schema.js";
import { solverRules } from "../requests/stored.js";
import { CAPSULE, CAPSULE_FORMAT, type Capsule, type CapsuleOptions } from "./capsule.js";

/** A capsule that this program wrote has some tens of kilobytes. */
export const BYTES_MAX = 16 * 2 ** 20;
const TEXT_MAX = 100_000;
const remedy = "use a capsule written by `stickslip solve --capsule`";

/** What a replay needs of a capsule. */
export interface Replay {
	/** The FCLIB file. */
	readonly file: string;
	readonly options: CapsuleOptions;
	readonly status: Capsule["status"];
	readonly reason: string;
	/** Of the best iterate, where there was one. */
	readonly hash?: string;
}

/** Whether an input is a capsule rather than an FCLIB file: by its name, since what it holds is for its reader to judge. */
export function isCapsule(input: string): boolean {
	return /\.json$/i.test(input);
}

/** Throws an InputError for whatever is no sound capsule. */
export function readCapsule(path: string): Replay {
	const { file, ...rest } = parseCapsule(contents(path), path);
	const problem = join(dirname(path), file);
	const there = lstatSync(problem, { throwIfNoEntry: false });
	if (there?.isFile() !== true) {
		const lack = there === undefined ? "is not beside it" : "is not a regular file";
		throw new InputError(path, "file", `${file} ${lack}`, "keep the two files of a capsule together");
	}
	return { ...rest, file: problem };
}

function contents(path: string): string {
	const refuse = (what: string, how: string): never => {
		throw new InputError(path, "file", what, how);
	};
	try {
		const there = statSync(path);
		if (!there.isFile()) refuse("is not a regular file", remedy);
		if (there.size > BYTES_MAX) refuse(`has ${there.size} bytes, too many for a capsule`, remedy);
		return readFileSync(path, "utf8");
	} catch (error) {
		if (error instanceof InputError) throw error;
		const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
		return refuse(code === "ENOENT" ? "cannot be found" : `cannot be read (${code})`, "check the name");
	}
}

const { repeat: _repeat, ...capsuleRules } = solverRules;

/** A plain name: no folder, nothing hidden, nothing that a terminal takes for more than a name. */
const fileName: Check<string> = (value): value is string =>
	typeof value === "string" && /^[^/\\\p{Cc}\p{Cf}]{1,255}$/u.test(value) && !value.startsWith(".");

const statuses = ["solved", "stalled", "iteration-limit", "time-limit", "diverged", "cancelled", "failed"] as const;
const hashText: Check<string> = (value): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

type Fields = Readonly<Record<string, unknown>>;

/** What a replay needs of the text of a JSON file, without the folder that its FCLIB file is in. A capsule may say more, for people. */
export function parseCapsule(json: string, path: string): Replay {
	const fields = objectIn(json, path);
	const wrong = (place: string, problem: string, how = remedy): never => {
		throw new InputError(path, place, problem, how);
	};
	if (fields.stickslip !== CAPSULE) return wrong("stickslip", `is not "${CAPSULE}", so this is not a capsule`);
	const { format, file, options, status, reason, hash } = fields;
	if (!integer(1, Number.MAX_SAFE_INTEGER)(format)) return wrong("format", "is not a format number");
	if (format > CAPSULE_FORMAT) {
		return wrong("format", `is ${format} and this program knows ${CAPSULE_FORMAT}`, "update stickslip");
	}
	if (!fileName(file)) return wrong("file", "is not the name of a file in the same folder");
	if (!oneOf(statuses)(status)) return wrong("status", `is not one of ${statuses.join(", ")}`);
	if (!text(TEXT_MAX)(reason)) return wrong("reason", "is not text");
	if (!optional(hashText)(hash)) return wrong("hash", "is not SHA-256");
	if (!isObject(options)) return wrong("options", "are not an object");
	const wrongOption = firstWrong(options, capsuleRules);
	if (wrongOption !== undefined) return wrong(`options.${wrongOption.name}`, wrongOption.problem);
	return { file, options: options as CapsuleOptions, status, reason, ...(hash !== undefined && { hash }) };
}

function objectIn(json: string, path: string): Fields {
	const refuse = (problem: string): never => {
		throw new InputError(path, "file", problem, remedy);
	};
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		return refuse("is not JSON");
	}
	return isObject(value) ? value : refuse("is not a JSON object");
}

function isObject(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
