/** The constants of a machine as `study calibrate` measures them, in a JSON file. */
import { readFileSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { parseJson } from "@stickslip/core/json";
import {
	atLeast,
	type Check,
	type Checked,
	dictionary,
	firstWrong,
	integer,
	list,
	oneOf,
	record,
	text,
} from "@stickslip/core/schema";
import { unreadable } from "../base/errors.js";
import { isLineCosts } from "./line-costs.js";
import { isMeasuredLine } from "./line-fit.js";

const LIST_MAX = 10_000;
const LINES_MAX = 100;
const word = text(10_000);
const seconds = atLeast(0);

/** What one rank takes for each kind of work, on average, in a share of so many contacts among others. */
const isWorkPoint = record({
	contacts: integer(1),
	/** Blocks of W of the share's rows; 0 where W has no rows. */
	blocks: integer(0),
	product: seconds,
	sweep: seconds,
	triangle: seconds,
	local: seconds,
});
export type WorkPoint = Checked<typeof isWorkPoint>;

const isWorkTable = record({
	method: word,
	operator: word,
	/** Steps of a sweep. */
	steps: integer(0),
	points: list(isWorkPoint, LIST_MAX),
});
export type WorkTable = Checked<typeof isWorkTable>;

const isMachine = record({
	kind: oneOf(["machine"]),
	version: word,
	date: word,
	node: word,
	processor: word,
	cores: integer(1),
	memoryGiB: atLeast(0),
	work: list(isWorkTable, LIST_MAX),
	/** How many times longer a method's work on so many contacts takes where all cores are at work. */
	together: list(record({ method: word, contacts: integer(1), ratio: atLeast(0.1) }), LIST_MAX),
	/** By transport: the constants, and what was measured that they are made of. */
	lines: dictionary(isLineCosts, LINES_MAX),
	measured: dictionary(isMeasuredLine, LINES_MAX),
});
export type Machine = Checked<typeof isMachine>;

/** Throws an InputError where the file cannot be read or is none of these. */
export function readMachine(path: string): Machine {
	return readChecked(path, isMachine, "measure one: stickslip study calibrate --output FILE");
}

/** A JSON file of a known form. */
function readChecked<Value>(path: string, check: Check<Value>, remedy: string): Value {
	let read: string;
	try {
		read = readFileSync(path, "utf8");
	} catch (error) {
		throw unreadable(path, error, remedy);
	}
	const value = parseJson(read, path, { remedy });
	if (check(value)) return value;
	const { name, problem } = firstWrong(value, check) ?? { name: "", problem: "is of another form" };
	throw new InputError(path, name === "" ? "file" : name, problem, remedy);
}

/** Between points of a table in the logarithm of x; beyond its ends the value of the end. `ys` are positive. */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
	const at = xs.findIndex((each) => each >= x);
	if (at < 0) return ys[ys.length - 1]!;
	if (at === 0) return ys[0]!;
	const part = Math.log(x / xs[at - 1]!) / Math.log(xs[at]! / xs[at - 1]!);
	return ys[at - 1]! + part * (ys[at]! - ys[at - 1]!);
}
