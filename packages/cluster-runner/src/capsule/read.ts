/**
 * Reads the JSON file of a capsule. Everything in it is checked before it is used; an error is one line. Its FCLIB file must be in the
 * same folder, so that a capsule from elsewhere cannot name other files of this machine.
 */
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError, STATUSES } from "@stickslip/core";
import { anyObject, matching, oneOf, optional, record, text } from "@stickslip/core/schema";
import { missingFile } from "../base/errors.js";
import { fieldsOf, readSmall } from "../records/check.js";
import { solverOptions } from "../requests/solve-request.js";
import { CAPSULE, CAPSULE_FORMAT, type Capsule, type CapsuleOptions } from "./capsule.js";

/** The limit of a capsule's size: real ones have some tens of kilobytes. */
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
	/** Of the best iterate, if there was one. */
	readonly hash?: string;
}

/** Whether an input is a capsule rather than an FCLIB file: by its name; the reader checks its content. */
export function isCapsule(input: string): boolean {
	return /\.json$/i.test(input);
}

/** Throws an InputError for anything that is not a valid capsule. */
export function readCapsule(path: string): Replay {
	const json = readSmall(path, BYTES_MAX, remedy);
	if (json === undefined) throw missingFile(path);
	const { file, ...rest } = parseCapsule(json, path);
	const problem = join(dirname(path), file);
	const there = lstatSync(problem, { throwIfNoEntry: false });
	if (there?.isFile() !== true) {
		const lack = there === undefined ? "is not in the same folder" : "is not a regular file";
		throw new InputError(path, "file", `${file} ${lack}`, "keep the two files of a capsule together");
	}
	return { ...rest, file: problem };
}

/** A plain name: no folder, not hidden, no control characters. */
const fileName = matching(/^(?!\.)[^/\\\p{Cc}\p{Cf}]{1,255}$/u, "the name of a file in the same folder");

const { repeat: _repeat, ...optionsShape } = solverOptions;
const areOptions = record(optionsShape);

const isReplay = record({
	file: fileName,
	options: anyObject,
	status: oneOf([...STATUSES, "failed"]),
	reason: text(TEXT_MAX),
	hash: optional(matching(/^[0-9a-f]{64}$/, "SHA-256")),
});

/** What a replay needs of the text of a JSON file, without the folder that its FCLIB file is in. A capsule may say more, for people. */
export function parseCapsule(json: string, path: string): Replay {
	const whole = fieldsOf(path, json, remedy);
	if (whole.values.stickslip !== CAPSULE) whole.refuse("stickslip", `is not "${CAPSULE}", so this is not a capsule`);
	whole.requireFormat(CAPSULE_FORMAT);
	return { ...whole.take(isReplay), options: whole.all(areOptions, "options") };
}
