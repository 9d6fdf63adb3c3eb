/**
 * Checks of external data: a check tests whether a value is of its type, with limits on every length.
 * Records have exactly their own fields, so that what is not looked at is not there.
 */

export type Check<Value> = (value: unknown) => value is Value;
export type Checked<Of> = Of extends Check<infer Value> ? Value : never;

export function integer(least: number, most: number): Check<number> {
	return (value): value is number => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Any number, infinite ones and NaN too: errors may be that. */
export const anyNumber: Check<number> = (value): value is number => typeof value === "number";

export const flag: Check<boolean> = (value): value is boolean => typeof value === "boolean";

/** Text of at most so many characters. */
export function text(lengthMax: number): Check<string> {
	return (value): value is string => typeof value === "string" && value.length <= lengthMax;
}

export function exactly<const Value extends string>(wanted: Value): Check<Value> {
	return (value): value is Value => value === wanted;
}

export function oneOf<const Value extends string>(wanted: readonly Value[]): Check<Value> {
	return (value): value is Value => wanted.some((each) => each === value);
}

export function list<Value>(of: Check<Value>, lengthMax: number): Check<Value[]> {
	return (value): value is Value[] => Array.isArray(value) && value.length <= lengthMax && value.every(of);
}

/** A typed array of one kind, with so many elements, or with any number of them. */
export function array<Values extends ArrayBufferView & { readonly length: number }>(
	kind: new (length: number) => Values,
	length?: number,
): Check<Values> {
	return (value): value is Values => value instanceof kind && (length === undefined || value.length === length);
}

/** A field that may be missing. */
export function optional<Value>(of: Check<Value>): Check<Value | undefined> {
	return (value): value is Value | undefined => value === undefined || of(value);
}

type Shape = Readonly<Record<string, Check<unknown>>>;
type Shaped<Fields extends Shape> = { readonly [Name in keyof Fields]: Checked<Fields[Name]> };

export function record<Fields extends Shape>(fields: Fields): Check<Shaped<Fields>> {
	const names = Object.keys(fields);
	return (value): value is Shaped<Fields> => {
		if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
		const given = value as Readonly<Record<string, unknown>>;
		return (
			Object.keys(given).every((name) => Object.hasOwn(fields, name)) &&
			names.every((name) => fields[name]!(Object.hasOwn(given, name) ? given[name] : undefined))
		);
	};
}

/** A record with any names, of one kind of value. */
export function dictionary<Value>(of: Check<Value>, sizeMax: number): Check<Record<string, Value>> {
	return (value): value is Record<string, Value> => {
		if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
		const values = Object.values(value);
		return values.length <= sizeMax && values.every(of);
	};
}

/** One of several records, told apart by all of their fields. */
export function either<Checks extends readonly Check<unknown>[]>(...checks: Checks): Check<Checked<Checks[number]>> {
	return (value): value is Checked<Checks[number]> => checks.some((check) => check(value));
}

/** By the name of a field its check, and what the field has to be, for people. */
export type Rules<Name extends string = string> = Readonly<Record<Name, readonly [Check<unknown>, string]>>;

/** The first field that is wrong, and how; undefined where all are right. What is not looked at is not there here either. */
export function firstWrong<Name extends string>(
	value: Readonly<Record<string, unknown>>,
	rules: Rules<Name>,
	required: readonly Name[] = [],
): { readonly name: string; readonly problem: string } | undefined {
	for (const [name, each] of Object.entries(value)) {
		if (!Object.hasOwn(rules, name)) return { name: name.slice(0, 100), problem: "is not known here" };
		const [check, wanted] = rules[name as Name];
		if (!check(each)) return { name, problem: `is not ${wanted}` };
	}
	const missing = required.find((name) => !Object.hasOwn(value, name));
	return missing === undefined ? undefined : { name: missing, problem: "is missing" };
}
