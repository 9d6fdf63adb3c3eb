/**
 * Messages with large arrays, split into chunks so that heartbeats can be sent in between: a head with lengths, then the bytes in
 * order. The first bytes are the data itself (msgpack) with a reference in place of each typed array; the arrays follow unchanged, so
 * that a rank's rows are copied once, on arrival.
 */
import { assert } from "@stickslip/core/parallel";
import { integer, oneOf, record } from "@stickslip/core/schema";
import { CHUNK_BYTES_MAX, pack, unpack } from "./frames.js";
import { ARRAYS_MAX, type Chunk, type LargeMessageHead } from "./messages.js";

type Numbers = Float64Array | Int32Array | Uint8Array;

const kinds = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
const kindNames = ["f64", "i32", "u8", "list", "number"] as const;
/** Lists of numbers of this length and above (histories) travel as arrays. */
const LIST_LENGTH_MIN = 64;

/** A reference to array `at`; a list is an array of doubles that becomes a plain list again, and a number is one that msgpack would change. */
const isNote = record({ array: oneOf(kindNames), at: integer(1, Number.MAX_SAFE_INTEGER) });

/** A message, and the bytes beside it where it is a chunk. */
export interface MessagePart {
	readonly message: LargeMessageHead | Chunk;
	readonly bytes?: Uint8Array;
}

/** The messages of a large message in order: its head, then chunks of at most so many bytes. The head has the first chunk beside it. */
export function* packLargeMessage(id: number, value: unknown, chunkBytes = CHUNK_BYTES_MAX): Generator<MessagePart> {
	const all = flatten(value);
	// The other side would drop the message as a stranger's, and wait.
	assert(
		all.length <= ARRAYS_MAX,
		`a large message of ${all.length} arrays, and ${ARRAYS_MAX} are the most; join them`,
	);
	let message: MessagePart["message"] = { kind: "large-message", id, lengths: all.map(({ length }) => length) };
	for (const bytes of chunksOf(all, chunkBytes)) {
		yield { message, bytes };
		message = { kind: "chunk", id };
	}
}

/** The bytes of all arrays in chunks. An array that fills a chunk is not copied; small arrays are joined, since a message costs more than a copy. */
function* chunksOf(arrays: readonly Uint8Array[], chunkBytes: number): Generator<Uint8Array> {
	let parts: Uint8Array[] = [];
	let room = chunkBytes;
	for (const array of arrays) {
		for (let from = 0; from < array.length; ) {
			const part = array.subarray(from, from + room);
			parts.push(part);
			from += part.length;
			room -= part.length;
			if (room > 0) continue;
			yield joined(parts);
			parts = [];
			room = chunkBytes;
		}
	}
	if (parts.length > 0) yield joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const [first] = parts;
	if (parts.length === 1 && first !== undefined) return first;
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** Plain data as bytes: first the data with its notes, then the arrays in the order of their notes. */
export function flatten(value: unknown): Uint8Array[] {
	const arrays: Uint8Array[] = [];
	const noted = note(value, arrays);
	return [pack(noted), ...arrays];
}

/** The data again. Throws an Error if `flatten` did not make it; each array needs a buffer of its own. */
export function unflatten(all: readonly Uint8Array[]): unknown {
	const [head] = all;
	if (head === undefined) throw new Error("a large message is empty");
	return restore(unpack(head), all);
}

function note(value: unknown, arrays: Uint8Array[]): unknown {
	if (ArrayBuffer.isView(value)) {
		const kind = kindNames.find((name) => name !== "list" && name !== "number" && value instanceof kinds[name]);
		assert(kind !== undefined, "arrays in a large message are of doubles, 32-bit integers or bytes");
		return noted(kind, value, arrays);
	}
	if (Array.isArray(value)) {
		const isLong = value.length >= LIST_LENGTH_MIN && value.every((each) => typeof each === "number");
		if (isLong) return noted("list", Float64Array.from(value as number[]), arrays);
		return value.map((each) => note(each, arrays));
	}
	// msgpack writes it as an integer, which has no sign.
	if (Object.is(value, -0)) return noted("number", Float64Array.of(-0), arrays);
	if (typeof value !== "object" || value === null) {
		assert(typeof value !== "function", "a large message is plain data");
		return value;
	}
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, note(each, arrays)]));
}

function noted(kind: (typeof kindNames)[number], values: ArrayBufferView, arrays: Uint8Array[]): unknown {
	arrays.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
	return { array: kind, at: arrays.length };
}

/** A large message that is arriving. */
interface Arriving {
	readonly arrays: readonly Uint8Array[];
	/** Where the next chunk goes. */
	array: number;
	offset: number;
}

/** A complete one, and its size in bytes. */
interface LargeMessage {
	readonly value: unknown;
	readonly bytes: number;
}

/** Assembles the large messages of one sender. Throws an Error for invalid ones; the caller adds the sender. */
export class LargeMessages {
	readonly #bytesMax: number;
	readonly #arriving = new Map<number, Arriving>();

	/** All large messages that are arriving have at most so many bytes each. */
	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** Returns the value with the last chunk of its large message. */
	take(message: LargeMessageHead | Chunk, bytes: Uint8Array | undefined): LargeMessage | undefined {
		if (message.kind === "large-message") this.#head(message);
		if (bytes === undefined || bytes.length === 0) throw new Error("a chunk without its bytes");
		return this.#chunk(message.id, bytes);
	}

	#head({ id, lengths }: LargeMessageHead): void {
		if (this.#arriving.has(id)) throw new Error(`large message ${id} is sent twice at a time`);
		const bytes = lengths.reduce((sum, length) => sum + length, 0);
		if (bytes > this.#bytesMax)
			throw new Error(`large message ${id} of ${bytes} bytes is above the limit of ${this.#bytesMax}`);
		if ((lengths[0] ?? 0) === 0) throw new Error(`large message ${id} is empty`);
		this.#arriving.set(id, { arrays: lengths.map((length) => new Uint8Array(length)), array: 0, offset: 0 });
	}

	#chunk(id: number, bytes: Uint8Array): LargeMessage | undefined {
		const head = this.#arriving.get(id);
		if (head === undefined) throw new Error(`a chunk of a large message ${id} that was not announced`);
		for (let from = 0; from < bytes.length; ) {
			const into = head.arrays[head.array];
			if (into === undefined) throw new Error(`a chunk of large message ${id} that does not fit`);
			const part = bytes.subarray(from, from + into.length - head.offset);
			into.set(part, head.offset);
			from += part.length;
			head.offset += part.length;
			if (head.offset < into.length) continue;
			head.array += 1;
			head.offset = 0;
		}
		while (head.array < head.arrays.length && head.arrays[head.array]!.length === 0) head.array += 1;
		if (head.array < head.arrays.length) return undefined;
		this.#arriving.delete(id);
		const length = head.arrays.reduce((sum, array) => sum + array.length, 0);
		return { value: unflatten(head.arrays), bytes: length };
	}
}

function restore(value: unknown, arrays: readonly Uint8Array[]): unknown {
	if (isNote(value)) return arrayOf(value.array, arrays[value.at]);
	if (Array.isArray(value)) return value.map((each) => restore(each, arrays));
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, restore(each, arrays)]));
}

function arrayOf(kind: (typeof kindNames)[number], bytes: Uint8Array | undefined): Numbers | number[] | number {
	if (bytes === undefined) throw new Error("a large message names an array that it does not have");
	const Kind = kinds[kind === "list" || kind === "number" ? "f64" : kind];
	if (bytes.length % Kind.BYTES_PER_ELEMENT !== 0) throw new Error("an array of a large message is truncated");
	const values = new Kind(bytes.buffer as ArrayBuffer, 0, bytes.length / Kind.BYTES_PER_ELEMENT);
	if (kind !== "number") return kind === "list" ? Array.from(values) : values;
	if (values.length !== 1) throw new Error("a number of a large message is none");
	return values[0]!;
}
