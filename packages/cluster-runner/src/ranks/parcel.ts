/**
 * Plain data with large arrays, in pieces that leave room for signs of life between them: a head with lengths, then the bytes in
 * order. The first bytes are the data itself (msgpack) with a note wherever a typed array stands; the arrays follow as they are, so
 * that a rank's rows are copied once, on arrival.
 */
import { assert } from "@stickslip/core/parallel";
import { PIECE_BYTES_MAX, pack, unpack } from "./frames.js";
import { ARRAYS_MAX, type ParcelHead, type Piece } from "./messages.js";
import { integer, oneOf, record } from "./schema.js";

type Numbers = Float64Array | Int32Array | Uint8Array;

const kinds = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
const kindNames = ["f64", "i32", "u8", "list", "number"] as const;
/** Lists of numbers of this length and above (histories) travel as arrays. */
const LIST_LENGTH_MIN = 64;

/** Stands for array `at`; a list is an array of doubles that becomes a plain list again, and a number is one that msgpack would change. */
const isNote = record({ array: oneOf(kindNames), at: integer(1, Number.MAX_SAFE_INTEGER) });

/** A message, and the bytes beside it where it is a piece. */
export interface Part {
	readonly message: ParcelHead | Piece;
	readonly bytes?: Uint8Array;
}

/** The messages of a parcel in order: its head, then pieces of at most so many bytes. */
export function* packParcel(id: number, value: unknown, pieceBytes = PIECE_BYTES_MAX): Generator<Part> {
	const all = flatten(value);
	// The other side would drop the message as one of a stranger, and wait.
	assert(all.length <= ARRAYS_MAX, `a parcel of ${all.length} arrays, and ${ARRAYS_MAX} are the most; join them`);
	yield { message: { kind: "parcel", id, lengths: all.map(({ length }) => length) } };
	for (const bytes of all) {
		for (let from = 0; from < bytes.length; from += pieceBytes) {
			yield { message: { kind: "piece", id }, bytes: bytes.subarray(from, from + pieceBytes) };
		}
	}
}

/** Plain data as bytes: first the data with its notes, then the arrays in the order of their notes. */
export function flatten(value: unknown): Uint8Array[] {
	const arrays: Uint8Array[] = [];
	const noted = note(value, arrays);
	return [pack(noted), ...arrays];
}

/** The data again. Throws an Error for what `flatten` did not make; each array needs a buffer of its own. */
export function unflatten(all: readonly Uint8Array[]): unknown {
	const [head] = all;
	if (head === undefined) throw new Error("a parcel is empty");
	return restore(unpack(head), all);
}

function note(value: unknown, arrays: Uint8Array[]): unknown {
	if (ArrayBuffer.isView(value)) {
		const kind = kindNames.find((name) => name !== "list" && name !== "number" && value instanceof kinds[name]);
		assert(kind !== undefined, "arrays in a parcel are of doubles, 32-bit integers or bytes");
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
		assert(typeof value !== "function", "a parcel is plain data");
		return value;
	}
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, note(each, arrays)]));
}

function noted(kind: (typeof kindNames)[number], values: ArrayBufferView, arrays: Uint8Array[]): unknown {
	arrays.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
	return { array: kind, at: arrays.length };
}

/** A parcel that is arriving. */
interface Arriving {
	readonly arrays: readonly Uint8Array[];
	/** Where the next piece goes. */
	array: number;
	offset: number;
}

/** Puts the parcels of one sender together. What makes no sense is thrown as an Error that says what, for the caller to name the sender. */
export class Parcels {
	readonly #bytesMax: number;
	readonly #arriving = new Map<number, Arriving>();

	/** All parcels that are arriving have at most so many bytes each. */
	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** Returns the value with the last piece of its parcel. */
	take(message: ParcelHead | Piece, bytes: Uint8Array | undefined): { readonly value: unknown } | undefined {
		if (message.kind === "parcel") return this.#head(message);
		if (bytes === undefined) throw new Error("a piece without its bytes");
		return this.#piece(message.id, bytes);
	}

	#head({ id, lengths }: ParcelHead): undefined {
		if (this.#arriving.has(id)) throw new Error(`parcel ${id} is sent twice at a time`);
		const bytes = lengths.reduce((sum, length) => sum + length, 0);
		if (bytes > this.#bytesMax)
			throw new Error(`parcel ${id} of ${bytes} bytes is above the limit of ${this.#bytesMax}`);
		if ((lengths[0] ?? 0) === 0) throw new Error(`parcel ${id} is empty`);
		this.#arriving.set(id, { arrays: lengths.map((length) => new Uint8Array(length)), array: 0, offset: 0 });
	}

	#piece(id: number, bytes: Uint8Array): { readonly value: unknown } | undefined {
		const parcel = this.#arriving.get(id);
		if (parcel === undefined) throw new Error(`a piece of a parcel ${id} that was not announced`);
		const into = parcel.arrays[parcel.array];
		if (into === undefined || bytes.length === 0 || parcel.offset + bytes.length > into.length) {
			throw new Error(`a piece of parcel ${id} that does not fit`);
		}
		into.set(bytes, parcel.offset);
		parcel.offset += bytes.length;
		while (parcel.array < parcel.arrays.length && parcel.offset === parcel.arrays[parcel.array]!.length) {
			parcel.array += 1;
			parcel.offset = 0;
		}
		if (parcel.array < parcel.arrays.length) return undefined;
		this.#arriving.delete(id);
		return { value: unflatten(parcel.arrays) };
	}
}

function restore(value: unknown, arrays: readonly Uint8Array[]): unknown {
	if (isNote(value)) return arrayOf(value.array, arrays[value.at]);
	if (Array.isArray(value)) return value.map((each) => restore(each, arrays));
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, restore(each, arrays)]));
}

function arrayOf(kind: (typeof kindNames)[number], bytes: Uint8Array | undefined): Numbers | number[] | number {
	if (bytes === undefined) throw new Error("a parcel names an array that it does not have");
	const Kind = kinds[kind === "list" || kind === "number" ? "f64" : kind];
	if (bytes.length % Kind.BYTES_PER_ELEMENT !== 0) throw new Error("an array of a parcel is cut off");
	const values = new Kind(bytes.buffer as ArrayBuffer, 0, bytes.length / Kind.BYTES_PER_ELEMENT);
	if (kind !== "number") return kind === "list" ? Array.from(values) : values;
	if (values.length !== 1) throw new Error("a number of a parcel is none");
	return values[0]!;
}
