/** Laws as people write them: `cohesive:cohesion=0.01`, several joined by + where contacts have one of them each. */
import { InputError } from "../base/errors.js";
import { contradictionIn } from "./check-laws.js";
import { LAW_DOCS, type LawName, lawCode, lawNames, PARAMETERS } from "./laws.js";

/** A law with its numbers, PARAMETERS of them, mu (the first) left zero. */
export interface LawChoice {
	readonly code: number;
	readonly numbers: Float64Array;
}

const place = "law";

/** Throws an InputError of this source that names what is wrong, and what there is. */
export function parseLaws(text: string, source: string): readonly LawChoice[] {
	return text.split("+").map((one) => parseLaw(one, source));
}

function parseLaw(text: string, source: string): LawChoice {
	const [name = "", ...rest] = text.split(":");
	const doc = LAW_DOCS[name as LawName];
	if (doc === undefined || !Object.hasOwn(LAW_DOCS, name)) {
		throw new InputError(source, place, `"${name}" is not a law`, `use one of ${lawNames().join(", ")}`);
	}
	const known = doc.parameters.map((parameter) => parameter.name);
	const numbers = new Float64Array(PARAMETERS);
	for (const [i, parameter] of doc.parameters.entries()) numbers[1 + i] = parameter.default;
	for (const pair of rest.join(":").split(",")) {
		if (pair === "") continue;
		const [key = "", value = ""] = pair.split("=");
		const at = known.indexOf(key);
		const remedy =
			known.length === 0
				? `write ${name} alone: it has no parameters`
				: `write ${name}:${known[0]}=NUMBER; it has ${known.join(", ")}`;
		if (at < 0) throw new InputError(source, place, `${name} has no parameter "${key}"`, remedy);
		const number = numberOf(value);
		if (number === undefined) throw new InputError(source, place, `${key} is "${value}", which is no number`, remedy);
		numbers[1 + at] = number;
	}
	const wrong = contradictionIn(doc, (index) => numbers[1 + index]!);
	if (wrong) throw new InputError(source, place, `${wrong.parameter} of ${name} ${wrong.problem}`, wrong.remedy);
	return { code: lawCode(name as LawName), numbers };
}

/** Infinity too. */
function numberOf(text: string): number | undefined {
	const value = text.trim() === "" ? Number.NaN : Number(text);
	return Number.isNaN(value) ? undefined : value;
}
