/** The messages between clients and the service (docs/protocol.md): each described once, as what checks it on arrival, and its type follows. */
import {
	anyNumber,
	anyObject,
	atLeast,
	type Check,
	type Checked,
	called,
	exactly,
	firstWrong,
	flag,
	integer,
	list,
	matching,
	oneOf,
	optional,
	type RecordCheck,
	type RecordFields,
	record,
	text,
} from "@stickslip/core/schema";
import { ARRAY_FRAMES_MAX } from "./frames.js";

export const VERSION = 1;

const LINE_MAX = 10_000;
const IDS_MAX = 10_000;
const PARTS_MAX = 65_536;

const line = text(LINE_MAX);
const id = matching(/^[A-Za-z0-9._:-]{1,64}$/, "1 to 64 of the characters A-Z a-z 0-9 . _ : -");
const count = integer(0, 2 ** 31 - 1);
const seconds = atLeast(0);

/** The names of a message's arrays, in the order of their frames. */
const isArrayName: Check<readonly [string, string]> = called(
	"a pair [name, type]",
	(value): value is readonly [string, string] =>
		Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "string"),
);
const arrays = optional(list(isArrayName, ARRAY_FRAMES_MAX));

export const ERROR_CODES = [
	"bad-message",
	"unsupported-version",
	"unauthorized",
	"bad-input",
	"unknown-pattern",
	"other-pattern",
	"too-large",
	"too-many",
	"deadline",
	"cancelled",
	"incomplete",
	"rank-lost",
	"unknown-request",
	"draining",
	"internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const part = record({ group: id, index: integer(0, PARTS_MAX - 1), of: integer(1, PARTS_MAX) });
export type Part = Checked<typeof part>;

/** What clients send, by type. */
export const clientMessages = {
	/** Any version, so that another one is answered by name. */
	hello: record({ type: exactly("hello"), version: integer(0), client: line, token: optional(line) }),
	prepare: record({ type: exactly("prepare"), id, pattern: id, contacts: count, arrays }),
	release: record({ type: exactly("release"), id, pattern: id }),
	solve: record({
		type: exactly("solve"),
		id,
		contacts: count,
		name: optional(line),
		pattern: optional(id),
		options: optional(anyObject),
		progress: optional(flag),
		keep: optional(flag),
		deadline: optional(seconds),
		series: optional(id),
		part: optional(part),
		arrays,
	}),
	cancel: record({ type: exactly("cancel"), id }),
	fetch: record({ type: exactly("fetch"), id }),
	forget: record({ type: exactly("forget"), ids: list(id, IDS_MAX) }),
	ping: record({ type: exactly("ping") }),
	pong: record({ type: exactly("pong") }),
} as const;

const limits = record({ requests: integer(1), bytes: integer(1), seconds, message: integer(1) });
export type Limits = Checked<typeof limits>;

/** What the service sends, by type. */
export const serviceMessages = {
	welcome: record({
		type: exactly("welcome"),
		version: integer(1),
		server: line,
		name: line,
		ranks: integer(1),
		limits,
		kept: record({ seconds, bytes: integer(0) }),
	}),
	prepared: record({ type: exactly("prepared"), id, pattern: id }),
	released: record({ type: exactly("released"), id, pattern: id }),
	progress: record({
		type: exactly("progress"),
		id,
		iterations: integer(0),
		products: integer(0),
		error: anyNumber,
		exact: flag,
		seconds,
		method: line,
	}),
	result: record({ type: exactly("result"), id, report: anyObject, arrays }),
	error: record({
		type: exactly("error"),
		id: optional(id),
		code: oneOf(ERROR_CODES),
		field: line,
		message: line,
		remedy: line,
		versions: optional(list(integer(0), IDS_MAX)),
	}),
	ping: record({ type: exactly("ping") }),
	pong: record({ type: exactly("pong") }),
	bye: record({ type: exactly("bye"), reason: line }),
} as const;

type Table = Readonly<Record<string, RecordCheck<RecordFields>>>;
type MessageOf<Of extends Table> = { [Type in keyof Of]: Checked<Of[Type]> }[keyof Of];

export type ClientMessage = MessageOf<typeof clientMessages>;
export type ServiceMessage = MessageOf<typeof serviceMessages>;
export type SolveMessage = Checked<typeof clientMessages.solve>;
export type PrepareMessage = Checked<typeof clientMessages.prepare>;
export type ResultMessage = Checked<typeof serviceMessages.result>;
export type ErrorMessage = Checked<typeof serviceMessages.error>;
export type WelcomeMessage = Checked<typeof serviceMessages.welcome>;

/** Why a head is not a message of the table: the field, and what it has to be. */
export interface HeadFault {
	readonly field: string;
	readonly message: string;
}

/** A head as a message of the table, or what is wrong with it. */
export function checkHead<Of extends Table>(table: Of, head: unknown): MessageOf<Of> | { readonly fault: HeadFault } {
	const refuse = (field: string, message: string) => ({ fault: { field, message } });
	if (!anyObject(head)) return refuse("head", "is not a map");
	const fields = head as Readonly<Record<string, unknown>>;
	const { type } = fields;
	if (typeof type !== "string" || !Object.hasOwn(table, type)) {
		return refuse("type", `is not one of ${Object.keys(table).join(", ")}`);
	}
	const check = table[type]!;
	if (check(head)) return head as MessageOf<Of>;
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(check.shape, name));
	if (unknown !== undefined) return refuse(unknown.slice(0, 64), `is not a field of ${type}`);
	for (const [name, isField] of Object.entries(check.shape)) {
		const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (isField(value)) continue;
		if (value === undefined) return refuse(name, "is missing");
		// Of a record the field inside it.
		const wrong = firstWrong(value, isField, false, name);
		return refuse(wrong?.name ?? name, wrong?.problem ?? "is not what it has to be");
	}
	return refuse("head", `is not a ${type} message`);
}
