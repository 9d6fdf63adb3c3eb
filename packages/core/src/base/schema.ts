/**
 * Checks of data from outside: a check tests whether a value is of its type, with limits on every length, and tells in words what a value has to be.
 * Types follow from checks. Records have exactly their own fields, so that what is not looked at is not there.
 */
export interface Check<Value> {
	(value: unknown): value is Value;
	/** What a value has to be, for messages: "an integer from 1". */
	readonly wanted?: string;
	/** Limit on the characters of a text, or on the elements of a list. */
	readonly lengthMax?: number;
	/** What it means, where it is a field that people read. */
	readonly help?: string;
	/** Of the elements of a list. */
	readonly item?: Check<unknown>;
	/** Of the fields of a record. */
	readonly shape?: RecordFields;
}

export type Checked<Of> = Of extends Check<infer Value> ? Value : never;

type Predicate<Value> = (value: unknown) => value is Value;

/** A check with the words for what is wanted. */
export function called<Value>(wanted: string, check: Predicate<Value>): Check<Value> {
	return Object.assign((value: unknown): value is Value => check(value), { ...check, wanted });
}

/** A field with what it means. */
export function field<Of extends Check<unknown>>(check: Of, help: string): Of {
	return Object.assign((value: unknown) => check(value), { ...check, help }) as unknown as Of;
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Check<number> {
	const upTo = most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : "";
	return called(
		`an integer from ${least}${upTo}`,
		(value): value is number => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
	);
}

/** Any number, infinite ones and NaN too: errors may be that. */
export const anyNumber: Check<number> = called("a number", (value): value is number => typeof value === "number");

/** Any number but NaN, from the least on. */
export function atLeast(least: number): Check<number> {
	return called(`a number from ${least}`, (value): value is number => typeof value === "number" && value >= least);
}

export const flag: Check<boolean> = called("true or false", (value): value is boolean => typeof value === "boolean");

/** Text with a limit on its characters, which messages mention only if it is exceeded. */
export function text(lengthMax: number): Check<string> {
	const isText = (value: unknown): value is string => typeof value === "string" && value.length <= lengthMax;
	return Object.assign(isText, { wanted: "text", lengthMax });
}

export function matching(pattern: RegExp, wanted: string): Check<string> {
	return called(wanted, (value): value is string => typeof value === "string" && pattern.test(value));
}

export function exactly<const Value extends string>(wanted: Value): Check<Value> {
	return called(wanted, (value): value is Value => value === wanted);
}

export function oneOf<const Value extends string>(wanted: readonly Value[]): Check<Value> {
	return called(`one of ${wanted.join(", ")}`, (value): value is Value => wanted.some((each) => each === value));
}

export function list<Value>(of: Check<Value>, lengthMax: number): Check<readonly Value[]> {
	const isList = (value: unknown): value is readonly Value[] =>
		Array.isArray(value) && value.length <= lengthMax && value.every((each) => of(each));
	const each = of.wanted === undefined ? "" : `, each ${of.wanted}`;
	return Object.assign(isList, { wanted: `a list${each}`, item: of, lengthMax });
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** Of any buffer, also of one that is shared. */
type Kind<Values> = Values extends Float64Array ? Float64Array : Values extends Int32Array ? Int32Array : Uint8Array;

/** A typed array of one kind, with so many elements, or with any number of them. */
export function array<Values extends Numbers>(
	kind: new (length: number) => Values,
	length?: number,
): Check<Kind<Values>> {
	return (value): value is Kind<Values> => value instanceof kind && (length === undefined || value.length === length);
}

/** Any object that is neither a list nor an array. */
export const anyObject: Check<object> = called(
	"an object",
	(value): value is object =>
		typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value),
);

export interface OptionalCheck<Value> extends Check<Value | undefined> {
	readonly isOptional: true;
}

/** A field that may be missing. */
export function optional<Value>(of: Check<Value>): OptionalCheck<Value> {
	const check = (value: unknown): value is Value | undefined => value === undefined || of(value);
	return Object.assign(check, { ...of, isOptional: true } as const);
}

export type RecordFields = Readonly<Record<string, Check<unknown>>>;

/** The names of fields that may be missing. */
type Missing<Fields extends RecordFields> = {
	[Name in keyof Fields]: Fields[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Fields];

type Shaped<Fields extends RecordFields> = {
	readonly [Name in keyof Fields as Exclude<Name, Missing<Fields>>]: Checked<Fields[Name]>;
} & {
	readonly [Name in keyof Fields as Extract<Name, Missing<Fields>>]?: Exclude<Checked<Fields[Name]>, undefined>;
} extends infer All
	? { [Name in keyof All]: All[Name] }
	: never;

export interface RecordCheck<Fields extends RecordFields> extends Check<Shaped<Fields>> {
	readonly shape: Fields;
}

export function record<Fields extends RecordFields>(shape: Fields): RecordCheck<Fields> {
	const names = Object.keys(shape);
	const isRecord = (value: unknown): value is Shaped<Fields> => {
		if (!isPlain(value)) return false;
		return (
			Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
			names.every((name) => shape[name]!(Object.hasOwn(value, name) ? value[name] : undefined))
		);
	};
	return Object.assign(isRecord, { wanted: "an object", shape });
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A record with any names, of one kind of value. */
export function dictionary<Value>(of: Check<Value>, sizeMax: number): Check<Record<string, Value>> {
	return (value): value is Record<string, Value> => {
		if (!isPlain(value)) return false;
		const values = Object.values(value);
		return values.length <= sizeMax && values.every((each) => of(each));
	};
}

/** One of several records, told apart by all of their fields. */
export function either<Checks extends readonly Check<unknown>[]>(...checks: Checks): Check<Checked<Checks[number]>> {
	return (value): value is Checked<Checks[number]> => checks.some((check) => check(value));
}

/** A field that is wrong, from the outermost record on ("machine.cores"), and how. */
export interface Wrong {
	readonly name: string;
	readonly problem: string;
}

/** For a text or a list above its limit. */
function tooLong(value: unknown, { lengthMax }: Check<unknown>): string | undefined {
	if (lengthMax === undefined || !(typeof value === "string" || Array.isArray(value))) return undefined;
	if (value.length <= lengthMax) return undefined;
	return `has ${value.length} ${typeof value === "string" ? "characters" : "elements"}, and ${lengthMax} is the limit`;
}

/** The first field of a record that is wrong. `isOpen`: fields that are not known are left alone, here and in the records inside. */
export function firstWrong(value: unknown, check: Check<unknown>, isOpen = false, name = ""): Wrong | undefined {
	const { shape, item, wanted } = check;
	if (item !== undefined && Array.isArray(value) && isOpen) {
		return value.some((each) => firstWrong(each, item, true)) ? { name, problem: `is not ${wanted}` } : undefined;
	}
	if (shape === undefined || !isPlain(value)) {
		return check(value) ? undefined : { name, problem: tooLong(value, check) ?? `is not ${wanted ?? "valid"}` };
	}
	const place = name === "" ? "" : `${name}.`;
	for (const [own, each] of Object.entries(value)) {
		const known = Object.hasOwn(shape, own) ? shape[own] : undefined;
		if (known === undefined && isOpen) continue;
		if (known === undefined)
			return {
				name: `${place}${own.slice(0, 100)}`,
				problem: `unknown field (fields: ${Object.keys(shape).join(", ")})`,
			};
		const wrong = firstWrong(each, known, isOpen, `${place}${own}`);
		if (wrong !== undefined) return wrong;
	}
	const missing = Object.keys(shape).find((own) => !Object.hasOwn(value, own) && !shape[own]!(undefined));
	return missing === undefined ? undefined : { name: `${place}${missing}`, problem: "is missing" };
}
