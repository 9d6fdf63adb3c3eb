/** Messages as frames, the same for every transport: the head as MessagePack, and each array as its bytes (docs/protocol.md). */
import { Packr, Unpackr } from "msgpackr";

export type NumberArray = Float64Array | Int32Array | Uint8Array;
export type NamedArrays = ReadonlyMap<string, NumberArray>;
type Head = Readonly<Record<string, unknown>>;

/** Frames of a message besides its head: an array may come in several. */
export const ARRAY_FRAMES_MAX = 4096;

const TYPES = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
type TypeName = keyof typeof TYPES;

const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: "number" });

/** Frames that cannot be a message of the protocol; the message says which part of them. */
export class FrameError extends Error {
	readonly field: string;

	constructor(field: string, problem: string) {
		super(`${field} ${problem}`);
		this.name = "FrameError";
		this.field = field;
	}
}

function typeOf(array: NumberArray): TypeName {
	if (array instanceof Float64Array) return "f64";
	return array instanceof Int32Array ? "i32" : "u8";
}

/** The frames of a message; arrays are not copied. Fields that are undefined are left out. An array of more than `pieceBytes` comes in pieces. */
export function toFrames(
	head: Head,
	arrays: NamedArrays = new Map(),
	pieceBytes = Number.POSITIVE_INFINITY,
): Uint8Array[] {
	const names: [string, string][] = [];
	const pieces: Uint8Array[] = [];
	const size = Math.max(pieceBytes, leastPiece(arrays));
	for (const [name, array] of arrays) {
		const { buffer, byteOffset, byteLength } = array;
		let from = 0;
		do {
			const length = Math.min(size, byteLength - from);
			names.push([name, typeOf(array)]);
			pieces.push(new Uint8Array(buffer, byteOffset + from, length));
			from += length;
		} while (from < byteLength);
	}
	const given = Object.entries(head).filter(([, value]) => value !== undefined);
	const whole = Object.fromEntries(names.length > 0 ? [...given, ["arrays", names]] : given);
	// msgpackr packs into memory that it uses again.
	return [Uint8Array.from(packr.pack(whole)), ...pieces];
}

/** Bytes of a piece with which no more frames come of arrays than a message may have: whole numbers. */
function leastPiece(arrays: NamedArrays): number {
	let bytes = 0;
	for (const { byteLength } of arrays.values()) bytes += byteLength;
	return 8 * (Math.floor(bytes / (8 * (ARRAY_FRAMES_MAX - arrays.size))) + 1);
}

/** The head of a message, whose fields are not checked yet. */
export function headOf(frames: readonly Uint8Array[]): Head {
	const [packed] = frames;
	if (packed === undefined) throw new FrameError("head", "is missing");
	const head = unpacked(packed);
	if (!isMap(head)) throw new FrameError("head", "is not a map");
	return head;
}

function unpacked(packed: Uint8Array): unknown {
	try {
		return unpackr.unpack(packed) as unknown;
	} catch {
		throw new FrameError("head", "is not MessagePack");
	}
}

function isMap(value: unknown): value is Head {
	return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The arrays of a message by name, as views of their frames where these begin at a whole number and hold the whole array, else as copies. */
export function arraysOf(
	names: readonly (readonly [string, string])[] | undefined,
	frames: readonly Uint8Array[],
): Map<string, NumberArray> {
	const arrays = new Map<string, NumberArray>();
	const listed = names ?? [];
	if (listed.length !== frames.length - 1) throw new FrameError("arrays", "does not name each frame once");
	for (let k = 0; k < listed.length; ) {
		const [name, type] = listed[k]!;
		if (!Object.hasOwn(TYPES, type))
			throw new FrameError(`arrays.${name}`, `is of the type "${type}", not f64, i32 or u8`);
		if (arrays.has(name)) throw new FrameError(`arrays.${name}`, "is there twice");
		const from = k;
		for (k += 1; k < listed.length && listed[k]![0] === name; k += 1) {
			if (listed[k]![1] !== type) throw new FrameError(`arrays.${name}`, "has pieces of several types");
		}
		const view = viewOf(TYPES[type as TypeName], joined(frames.slice(from + 1, k + 1)));
		if (view === undefined) throw new FrameError(`arrays.${name}`, `is not a whole number of ${type}`);
		arrays.set(name, view);
	}
	return arrays;
}

/** The pieces of an array as one. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
	if (pieces.length === 1) return pieces[0]!;
	const whole = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0));
	let at = 0;
	for (const piece of pieces) {
		whole.set(piece, at);
		at += piece.byteLength;
	}
	return whole;
}

function viewOf(Kind: (typeof TYPES)[TypeName], frame: Uint8Array): NumberArray | undefined {
	const size = Kind.BYTES_PER_ELEMENT;
	if (frame.byteLength % size !== 0) return undefined;
	const { buffer, byteOffset } = frame.byteOffset % size === 0 ? frame : Uint8Array.from(frame);
	return new Kind(buffer as ArrayBuffer, byteOffset, frame.byteLength / size);
}
