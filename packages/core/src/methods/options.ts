/** The documentation and the checking of options: plain data beside each method, read by `methods`, help texts and errors. */
import { InputError } from "../base/errors.js";

export type OptionValue = string | number;

export interface OptionDoc {
	readonly name: string;
	readonly what: string;
	readonly default: OptionValue;
	/** For people: "> 0", "none | min | mean | max". */
	readonly range: string;
	readonly allows: (value: OptionValue) => boolean;
}

export type Options = Readonly<Record<string, OptionValue>>;

function isNumber(value: OptionValue): value is number {
	return typeof value === "number" && Number.isFinite(value);
}

export function notNegative(name: string, what: string, value: OptionValue, also: readonly string[] = []): OptionDoc {
	const range = ["≥ 0", ...also].join(" | ");
	const allows = (given: OptionValue) => also.includes(String(given)) || (isNumber(given) && given >= 0);
	return { name, what, default: value, range, allows };
}

export function positive(name: string, what: string, value: OptionValue, also: readonly string[] = []): OptionDoc {
	const range = ["> 0", ...also].join(" | ");
	const allows = (given: OptionValue) => also.includes(String(given)) || (isNumber(given) && given > 0);
	return { name, what, default: value, range, allows };
}

export function between(name: string, what: string, value: number, low: number, high: number): OptionDoc {
	const allows = (given: OptionValue) => isNumber(given) && given > low && given < high;
	return { name, what, default: value, range: `between ${low} and ${high}`, allows };
}

/** A share of a whole: the whole itself is allowed. */
export function share(name: string, what: string, value: number): OptionDoc {
	return {
		name,
		what,
		default: value,
		range: "> 0 and ≤ 1",
		allows: (given) => isNumber(given) && given > 0 && given <= 1,
	};
}

export function integer(
	name: string,
	what: string,
	value: OptionValue,
	low: number,
	high: number,
	also: readonly string[] = [],
): OptionDoc {
	const range = [`integer ${low} to ${high}`, ...also].join(" | ");
	const allows = (given: OptionValue) =>
		also.includes(String(given)) || (isNumber(given) && Number.isInteger(given) && given >= low && given <= high);
	return { name, what, default: value, range, allows };
}

export function oneOf(name: string, what: string, value: string, values: readonly string[]): OptionDoc {
	return { name, what, default: value, range: values.join(" | "), allows: (given) => values.includes(String(given)) };
}

/** Numbers may come as text from a command line. */
function parse(value: OptionValue): OptionValue {
	if (typeof value !== "string" || value.trim() === "") return value;
	const number = Number(value);
	return Number.isNaN(number) ? value : number;
}

/** Defaults with what was given on top; unknown names and values out of range are errors. */
export function resolve(method: string, docs: readonly OptionDoc[], given: Options | undefined): Options {
	const values: Record<string, OptionValue> = {};
	for (const doc of docs) values[doc.name] = doc.default;
	for (const [name, raw] of Object.entries(given ?? {})) {
		const doc = docs.find((one) => one.name === name);
		if (doc === undefined) {
			const known = docs.map((one) => one.name).join(", ");
			throw new InputError("options", name, `is not an option of ${method}`, `use one of ${known}`);
		}
		const value = parse(raw);
		if (!doc.allows(value)) throw new InputError("options", name, `${raw} is out of range`, `give ${doc.range}`);
		values[name] = value;
	}
	return values;
}
