/** Scene files: JSON with comments in, JSON out. All mistakes in one are reported at once, each with its path, line and column. */
import { InputError } from "@stickslip/core";
import { parseJson, placesInJson } from "@stickslip/core/json";
import type { z } from "zod";
import type { SceneDescription } from "./description.js";
import { MISTAKES_MAX, type Mistake, MistakeList, SceneError } from "./mistakes.js";
import { buildScene, type Scene } from "./scene.js";
import { sceneFile } from "./schema.js";

/** The scene of a file; `source` is what messages call it. Throws a SceneError. */
export function readScene(json: string, source: string): Scene {
	return locating(json, source, () => buildScene(parseScene(json, source), source));
}

/** Adds lines and columns of a scene file to the mistakes that are found in it. */
export function locating<Value>(json: string, source: string, make: () => Value): Value {
	try {
		return make();
	} catch (error) {
		if (!(error instanceof SceneError) || error.mistakes.some(({ at }) => at !== undefined)) throw error;
		const paths = error.mistakes.slice(0, MISTAKES_MAX).map(({ path }) => path);
		const places = placesInJson(json, paths);
		throw new SceneError(
			source,
			error.mistakes.map((mistake) => {
				const at = places.get(mistake.path);
				return at === undefined ? mistake : { ...mistake, at };
			}),
		);
	}
}

/** What a file says, as far as it can be seen without building it. Throws a SceneError. */
export function parseScene(json: string, source: string): SceneDescription {
	const mistakes = new MistakeList();
	const checked = sceneFile.safeParse(jsonValue(json, source), { reportInput: true, error: fieldsOf });
	for (const issue of checked.error?.issues ?? []) mistakes.all.push(...mistakesOf(issue));
	locating(json, source, () => mistakes.refuse(source));
	return checked.data!;
}

/** One list per line of numbers, so that files can be read and compared. */
export function writeScene(description: SceneDescription): string {
	return `${print(description, "")}\n`;
}

function jsonValue(json: string, source: string): unknown {
	try {
		return parseJson(json, source, { comments: true });
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const { place, problem, remedy } = error;
		throw new SceneError(source, [{ path: "", at: place, problem, remedy }]);
	}
}

type Issue = z.core.$ZodIssue;

/** Remedy for an unknown field: the fields that its object may have. */
const fieldsOf: z.core.$ZodErrorMap = ({ code, inst }) => {
	if (code !== "unrecognized_keys") return undefined;
	const { shape = {} } = (inst as z.ZodObject)._zod.def;
	return `fields are ${Object.keys(shape).join(", ")}`;
};

/** Remedy from the schema where it has one of its own. */
function remedyOf({ message }: Issue, general: string): string {
	return message.startsWith("expected ") ? message.replace("expected", "give") : general;
}

function mistakesOf(issue: Issue): Mistake[] {
	const path = pathOf(issue.path);
	switch (issue.code) {
		case "unrecognized_keys":
			return issue.keys.map((key) => ({
				path: path === "" ? key : `${path}.${key}`,
				problem: "unknown field",
				remedy: issue.message,
			}));
		case "invalid_type":
			return [
				{
					path,
					problem: issue.input === undefined ? "is missing" : `is ${shown(issue.input)}`,
					remedy: remedyOf(issue, `give ${article(issue.expected)}`),
				},
			];
		case "invalid_value":
			return [{ path, problem: `is ${shown(issue.input)}`, remedy: `give ${issue.values.map(String).join(" or ")}` }];
		case "too_small":
		case "too_big":
			return [{ path, problem: `is ${shown(issue.input)}`, remedy: remedyOf(issue, remedyOfSize(issue)) }];
		case "invalid_union":
			return [{ path, ...unionMistake(issue) }];
		default:
			return [{ path, problem: issue.message, remedy: "correct it" }];
	}
}

/** Where one field tells kinds apart, the path is its own. */
function unionMistake(issue: Extract<Issue, { code: "invalid_union" }>): Pick<Mistake, "problem" | "remedy"> {
	const { options, discriminator, input } = issue as { options?: readonly unknown[] } & typeof issue;
	if (options === undefined || discriminator === undefined) {
		return { problem: `is ${shown(input)}`, remedy: issue.message.replace(/^expected/, "give") };
	}
	const kind = (input as Readonly<Record<string, unknown>>)[discriminator];
	const problem = kind === undefined ? "is missing" : `is ${shown(kind)}`;
	return { problem, remedy: `give ${options.map(String).join(" or ")}` };
}

function remedyOfSize(issue: Extract<Issue, { code: "too_small" | "too_big" }>): string {
	const limit = issue.code === "too_small" ? issue.minimum : issue.maximum;
	const side = issue.code === "too_small" ? "at least" : "at most";
	if (issue.origin === "array") return `give ${side} ${limit} elements`;
	if (issue.origin === "string") return `give ${side} ${limit} characters`;
	if (issue.inclusive === false) return `give a number ${issue.code === "too_small" ? "above" : "below"} ${limit}`;
	return `give a number of ${side} ${limit}`;
}

/** In the words of JSON. */
function article(expected: string): string {
	if (expected === "array" || expected === "tuple") return "a list";
	if (expected === "record" || expected === "object") return "an object";
	if (expected === "int") return "an integer";
	return expected === "boolean" ? "true or false" : `a ${expected}`;
}

const SHOWN_MAX = 60;

function shown(value: unknown): string {
	const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "missing");
	return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}...`;
}

/** Path in the form bodies[0].mass. */
export function pathOf(path: readonly PropertyKey[]): string {
	let text = "";
	for (const part of path) {
		if (typeof part === "number") text += `[${part}]`;
		else text += text === "" ? String(part) : `.${String(part)}`;
	}
	return text;
}

/** Objects and lists of objects over several lines; what fits in a line stays on it. */
function print(value: unknown, indent: string): string {
	const flat = JSON.stringify(value);
	if (typeof value !== "object" || value === null || flat.length + indent.length <= 140) return spaced(value);
	const inner = `${indent}\t`;
	if (Array.isArray(value)) return `[\n${value.map((each) => inner + print(each, inner)).join(",\n")}\n${indent}]`;
	const fields = Object.entries(value).filter(([, each]) => each !== undefined);
	const lines = fields.map(([key, each]) => `${inner}${JSON.stringify(key)}: ${print(each, inner)}`);
	return `{\n${lines.join(",\n")}\n${indent}}`;
}

function spaced(value: unknown): string {
	// JSON.stringify forgets the sign of zero.
	if (Object.is(value, -0)) return "-0";
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
	const fields = Object.entries(value).filter(([, each]) => each !== undefined);
	if (fields.length === 0) return "{}";
	return `{ ${fields.map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`).join(", ")} }`;
}
