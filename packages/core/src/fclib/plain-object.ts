/** One object of a plain HDF5 file: a header of version 1 with its messages, which make it a group or a dataset of numbers or of one string. */
import type { Hdf5Metadata } from "./module.js";
import { NotPlainError, type PlainBytes, type PlainView } from "./plain-bytes.js";
import { readEntries } from "./plain-group.js";

export interface PlainGroup {
	readonly kind: "group";
	/** Addresses of the objects in it, by name. */
	readonly entries: ReadonlyMap<string, number>;
	/** Whether its tree and its heap of names are there. */
	isAt(tree: number, heap: number): boolean;
}

export interface PlainDataset {
	readonly kind: "dataset";
	readonly metadata: Hdf5Metadata;
	/** Undefined where nothing was written. */
	readonly address: number | undefined;
	/** In bytes. */
	readonly length: number;
}

export type PlainObject = PlainGroup | PlainDataset;

const HEADER_BYTES = 16;
const PREFIX_BYTES = 8;
const CHUNK_BYTES_MAX = 2 ** 16;
const CHUNKS_MAX = 8;

const NIL = 0x00;
const SPACE = 0x01;
const TYPE = 0x03;
const LAYOUT = 0x08;
const CONTINUATION = 0x10;
const SYMBOLS = 0x11;
const FILL = 0x05;
/** When the object was changed. */
const TIME = 0x12;
/** "Constant", which for us it is; others change what a message means. */
const FLAGS = 1;

export function readObject(file: PlainBytes, address: number): PlainObject {
	const messages = readMessages(file, address);
	const { [SPACE]: space, [TYPE]: type, [LAYOUT]: layout, [SYMBOLS]: symbols } = messages;
	if (symbols !== undefined) {
		if (space !== undefined || type !== undefined || layout !== undefined) throw new NotPlainError("group");
		const [tree, heap] = [symbols.get64(0), symbols.get64(8)];
		return { kind: "group", entries: readEntries(file, tree, heap), isAt: (t, h) => t === tree && h === heap };
	}
	if (space === undefined || type === undefined || layout === undefined) throw new NotPlainError("dataset");
	if (messages[FILL] !== undefined) checkFill(messages[FILL]);
	const shape = shapeOf(space);
	const element = elementOf(type);
	const length = shape.reduce((product, side) => product * side, element.size);
	const metadata = {
		...element,
		vlen: false,
		littleEndian: true,
		total_size: length / element.size,
		shape,
		chunks: null,
	};
	return { kind: "dataset", metadata, address: addressOf(layout, length, file), length };
}

/** Those that are looked at, each at most once. */
function readMessages(file: PlainBytes, address: number): Partial<Record<number, PlainView>> {
	const header = file.view(address, HEADER_BYTES);
	header.expect8(0, 1);
	header.expect8(1, 0);
	const found: Partial<Record<number, PlainView>> = {};
	const chunks = [{ at: address + HEADER_BYTES, length: header.get32(8) }];
	let count = 0;
	for (let k = 0; k < chunks.length; k += 1) {
		const { at, length } = chunks[k]!;
		if (length > CHUNK_BYTES_MAX || k === CHUNKS_MAX) throw new NotPlainError("header");
		const chunk = file.view(at, length);
		for (let place = 0; place < length; count += 1) {
			const kind = chunk.get16(place);
			const message = chunk.part(place + PREFIX_BYTES, chunk.get16(place + 2));
			if ((chunk.get8(place + 4) & ~FLAGS) !== 0) throw new NotPlainError("flags");
			if (kind === CONTINUATION) chunks.push({ at: message.get64(0), length: message.get64(8) });
			else if (kind === TIME) message.expect8(0, 1);
			else if (kind !== NIL) {
				if (found[kind] !== undefined || ![SPACE, TYPE, FILL, LAYOUT, SYMBOLS].includes(kind))
					throw new NotPlainError("message");
				found[kind] = message;
			}
			place += PREFIX_BYTES + message.length;
		}
	}
	if (count !== header.get16(2)) throw new NotPlainError("header");
	return found;
}

/** Of a scalar it is empty. */
function shapeOf(space: PlainView): number[] {
	space.expect8(0, 1);
	const [rank, hasLargest] = [space.get8(1), space.get8(2)];
	if (rank > 2 || hasLargest > 1) throw new NotPlainError("space");
	const shape = Array.from({ length: rank }, (_, axis) => space.get64(8 + 8 * axis));
	// It does not grow.
	if (hasLargest === 1) for (const [axis, side] of shape.entries()) space.expect64(8 * (1 + rank + axis), side);
	return shape;
}

/** What unwritten elements would be, of which none is read: the usual zero, whose size is 0. */
function checkFill(fill: PlainView): void {
	fill.expect8(0, 2);
	if (![1, 2, 3].includes(fill.get8(1)) || fill.get8(2) > 2) throw new NotPlainError("fill");
	fill.expect8(3, 1);
	fill.expect32(4, 0);
}

/** 32-bit integers, 64-bit reals and strings: class and version, three bytes of bits, size, and for numbers where their bits are. */
function elementOf(type: PlainView): Pick<Hdf5Metadata, "type" | "size" | "signed"> {
	const size = type.get32(4);
	switch (type.get8(0)) {
		case 0x10:
			// Little-endian, signed, all of its bits.
			expectBytes(type, 1, [0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0]);
			return { type: 0, size, signed: true };
		case 0x11:
			// IEEE 754: the leading bit implied, the sign at 63; exponent of 11 bits at 52, mantissa of 52 at 0, bias 1023.
			expectBytes(type, 1, [0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0]);
			return { type: 1, size, signed: false };
		case 0x13:
			if (type.get8(1) > 2 || size === 0) throw new NotPlainError("string");
			expectBytes(type, 2, [0, 0]);
			return { type: 3, size, signed: false };
		default:
			throw new NotPlainError("type");
	}
}

function expectBytes(view: PlainView, at: number, bytes: readonly number[]): void {
	for (const [i, byte] of bytes.entries()) view.expect8(at + i, byte);
}

/** Of all elements, one after another. */
function addressOf(layout: PlainView, length: number, file: PlainBytes): number | undefined {
	layout.expect8(0, 3);
	layout.expect8(1, 1);
	layout.expect64(10, length);
	if (layout.isNowhere(2)) return undefined;
	const address = layout.get64(2);
	if (!file.holds(address, length)) throw new NotPlainError("out of bounds");
	return address;
}
