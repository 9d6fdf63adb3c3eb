/**
 * Where an HDF5 file keeps the numbers of a dataset. HDF5 answers a read of numbers that the file does not have with fill values, and h5wasm does
 * not report it, so the layout message of the object's header is parsed here (HDF5 File Format Specification 3.0, sections IV.A.1 and IV.A.2).
 */

/** Reads bytes of the file; throws where the file ends before. */
export type ReadBytes = (at: number, length: number) => Uint8Array;

export interface DataStorage {
	readonly layout: "compact" | "contiguous" | "chunked" | "virtual";
	/** True if the numbers stand in other, raw files. */
	readonly isExternal: boolean;
	/** True if a place in the file was given to the data; compact data always has one. */
	readonly isAllocated: boolean;
	/**
	 * Number of chunks that are stored, if the index is a tree of version 1 (all files in the earliest formats, which are the default) or a fixed array
	 * (datasets of fixed size in the latest). The others are not counted.
	 */
	readonly chunks?: number;
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const SUPERBLOCK_BYTES = 48;
const FIRST_USER_BLOCK = 512;
const EXTERNAL_FILES = 0x07;
const LAYOUT = 0x08;
const CONTINUATION = 0x10;
const BLOCKS_MAX = 1024;
const BLOCK_BYTES_MAX = 2 ** 24;
const LAYOUTS = ["compact", "contiguous", "chunked", "virtual"] as const;
/** Bytes of index information by type of index, from type 1 on, in messages of version 4; a filtered single chunk has more. */
const INDEX_BYTES = [0, 0, 1, 5, 6];
const [SINGLE_CHUNK, FIXED_ARRAY] = [1, 3];
const CHECKSUM_BYTES = 4;

/** Thrown where the bytes do not follow the format. */
export class FormatError extends Error {
	override readonly name = "FormatError";
}

/** Sizes of addresses and lengths in a file, and the address from which others count. */
interface Format {
	readonly read: ReadBytes;
	readonly base: number;
	readonly addressBytes: number;
	readonly lengthBytes: number;
}

class Bytes {
	readonly #bytes: Uint8Array;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	get length(): number {
		return this.#bytes.length;
	}

	/** Little-endian; undefined if all bits are set, the address of what is nowhere. */
	number(at: number, bytes: number): number | undefined {
		if (at + bytes > this.#bytes.length) throw new FormatError("ends early");
		let value = 0;
		let isNowhere = true;
		for (let k = bytes - 1; k >= 0; k -= 1) {
			const byte = this.#bytes[at + k]!;
			value = 256 * value + byte;
			if (byte !== 255) isNowhere = false;
		}
		return isNowhere ? undefined : value;
	}

	/** Value of a number that is no address, read in the same way. */
	count(at: number, bytes: number): number {
		return this.number(at, bytes) ?? 2 ** (8 * bytes) - 1;
	}

	has(word: string, at = 0): boolean {
		return [...word].every((letter, k) => this.#bytes[at + k] === letter.charCodeAt(0));
	}

	part(at: number, length: number): Bytes {
		if (at + length > this.#bytes.length) throw new FormatError("ends early");
		return new Bytes(this.#bytes.subarray(at, at + length));
	}
}

/** The storage of the dataset whose object header is at `address`. Throws FormatError. */
export function storageAt(read: ReadBytes, fileBytes: number, address: Uint8Array): DataStorage {
	const format = formatOf(read, fileBytes);
	const at = new Bytes(address).number(0, Math.min(address.length, format.addressBytes));
	if (at === undefined) throw new FormatError("no object header");
	let layout: Bytes | undefined;
	let isExternal = false;
	for (const { type, data } of messagesOf(format, at)) {
		if (type === EXTERNAL_FILES) isExternal = true;
		if (type === LAYOUT) layout ??= data;
	}
	if (layout === undefined) throw new FormatError("no layout");
	return { isExternal, ...parseLayout(format, layout) };
}

/** The superblock is at the beginning, or behind a block of the user's. */
function formatOf(read: ReadBytes, fileBytes: number): Format {
	let at = 0;
	while (at + SUPERBLOCK_BYTES <= fileBytes) {
		const bytes = read(at, SUPERBLOCK_BYTES);
		if (SIGNATURE.every((byte, k) => bytes[k] === byte)) return parseSuperblock(read, new Bytes(bytes));
		at = at === 0 ? FIRST_USER_BLOCK : 2 * at;
	}
	throw new FormatError("no superblock");
}

function parseSuperblock(read: ReadBytes, block: Bytes): Format {
	const version = block.count(8, 1);
	const [sizesAt, baseAt] = version < 2 ? [13, version === 0 ? 24 : 28] : [9, 12];
	const [addressBytes, lengthBytes] = [block.count(sizesAt, 1), block.count(sizesAt + 1, 1)];
	if (addressBytes > 8 || lengthBytes > 8) throw new FormatError("addresses above 64 bits");
	return { read, addressBytes, lengthBytes, base: block.count(baseAt, addressBytes) };
}

interface Message {
	readonly type: number;
	readonly data: Bytes;
}

/** All messages of an object header, in its blocks. */
function messagesOf(format: Format, at: number): Message[] {
	const isSecond = block(format, at, 4).has("OHDR");
	const first = isSecond ? secondHeader(format, at) : firstHeader(format, at);
	const { prefix, addressBytes, lengthBytes } = { ...format, prefix: first.prefix };
	const found: Message[] = [];
	const blocks = [first.messages];
	for (let k = 0; k < blocks.length; k += 1) {
		if (k === BLOCKS_MAX) throw new FormatError("too many blocks");
		const bytes = blocks[k]!;
		for (let place = 0; place + prefix <= bytes.length; ) {
			const [type, size] = isSecond
				? [bytes.count(place, 1), bytes.count(place + 1, 2)]
				: [bytes.count(place, 2), bytes.count(place + 2, 2)];
			const data = bytes.part(place + prefix, size);
			if (type === CONTINUATION) {
				const length = data.count(addressBytes, lengthBytes);
				const next = block(format, data.count(0, addressBytes), length);
				// Signature before, checksum behind.
				blocks.push(isSecond ? next.part(4, Math.max(0, length - 8)) : next);
			} else found.push({ type, data });
			place += prefix + size;
		}
	}
	return found;
}

interface Header {
	readonly messages: Bytes;
	/** Bytes before the data of each message. */
	readonly prefix: number;
}

function firstHeader(format: Format, at: number): Header {
	const head = block(format, at, 16);
	if (head.count(0, 1) !== 1) throw new FormatError("no object header");
	return { messages: block(format, at + 16, head.count(8, 4)), prefix: 8 };
}

function secondHeader(format: Format, at: number): Header {
	const flags = block(format, at, 6).count(5, 1);
	const sizeAt = 6 + ((flags & 0x20) === 0 ? 0 : 16) + ((flags & 0x10) === 0 ? 0 : 4);
	const sizeBytes = 2 ** (flags & 3);
	const length = block(format, at, sizeAt + sizeBytes).count(sizeAt, sizeBytes);
	return { messages: block(format, at + sizeAt + sizeBytes, length), prefix: (flags & 4) === 0 ? 4 : 6 };
}

function block({ read, base }: Format, address: number, length: number): Bytes {
	if (length > BLOCK_BYTES_MAX) throw new FormatError("too long");
	return new Bytes(read(base + address, length));
}

function parseLayout(format: Format, message: Bytes): Omit<DataStorage, "isExternal"> {
	const { addressBytes } = format;
	const version = message.count(0, 1);
	const layout = LAYOUTS[message.count(version < 3 ? 2 : 1, 1)];
	if (layout === undefined) throw new FormatError("unknown layout");
	if (layout === "compact" || layout === "virtual") return { layout, isAllocated: true };
	if (layout === "contiguous") {
		return { layout, isAllocated: message.number(version < 3 ? 8 : 2, addressBytes) !== undefined };
	}
	if (version > 3) return { layout, ...indexOf(format, message) };
	const dimensions = message.count(version < 3 ? 1 : 2, 1);
	const tree = message.number(version < 3 ? 8 : 3, addressBytes);
	return {
		layout,
		isAllocated: tree !== undefined,
		chunks: tree === undefined ? 0 : countChunks(format, tree, dimensions),
	};
}

/** The index of chunks of a layout message of version 4 or 5. */
function indexOf(format: Format, message: Bytes): Pick<DataStorage, "isAllocated" | "chunks"> {
	const { addressBytes, lengthBytes } = format;
	const [flags, dimensions, sideBytes] = [message.count(2, 1), message.count(3, 1), message.count(4, 1)];
	const typeAt = 5 + dimensions * sideBytes;
	const type = message.count(typeAt, 1);
	const bytes = INDEX_BYTES[type - 1];
	if (bytes === undefined) throw new FormatError("unknown index");
	const isFilteredChunk = type === SINGLE_CHUNK && (flags & 2) !== 0;
	const index = message.number(typeAt + 1 + (isFilteredChunk ? lengthBytes + 4 : bytes), addressBytes);
	if (index === undefined) return { isAllocated: false };
	return type === FIXED_ARRAY ? { isAllocated: true, chunks: countInArray(format, index) } : { isAllocated: true };
}

/** Chunks in a fixed array: elements of one block, or of its pages, which are there or not by a bit each. */
function countInArray(format: Format, at: number): number {
	const { addressBytes, lengthBytes } = format;
	const head = block(format, at, 8 + lengthBytes + addressBytes);
	if (!head.has("FAHD")) throw new FormatError("no fixed array");
	const [elementBytes, pageBits, elements] = [head.count(6, 1), head.count(7, 1), head.count(8, lengthBytes)];
	const data = head.number(8 + lengthBytes, addressBytes);
	if (data === undefined) return 0;
	const first = data + 6 + addressBytes;
	const count = (from: number, length: number): number => {
		const bytes = block(format, from, length * elementBytes);
		const stored = Array.from({ length }, (_, k) => bytes.number(k * elementBytes, addressBytes) !== undefined);
		return stored.filter((isStored) => isStored).length;
	};
	const perPage = 2 ** pageBits;
	if (elements <= perPage) return count(first, elements);
	const pages = Math.ceil(elements / perPage);
	const bits = block(format, first, Math.ceil(pages / 8));
	let chunks = 0;
	for (let page = 0; page < pages; page += 1) {
		// The first page has the highest bit.
		if ((bits.count(page >> 3, 1) & (128 >> (page & 7))) === 0) continue;
		const from = first + bits.length + CHECKSUM_BYTES + page * (perPage * elementBytes + CHECKSUM_BYTES);
		chunks += count(from, Math.min(perPage, elements - page * perPage));
	}
	return chunks;
}

/** Chunks in a tree of version 1, over its leaves. */
function countChunks(format: Format, root: number, dimensions: number): number {
	const { addressBytes } = format;
	const keyBytes = 8 + 8 * dimensions;
	const headBytes = 8 + 2 * addressBytes;
	let chunks = 0;
	const visited = new Set<number>();
	const visit = (at: number, levelMax: number): void => {
		if (visited.has(at)) throw new FormatError("cyclic tree");
		visited.add(at);
		const head = block(format, at, headBytes);
		const [level, count] = [head.count(5, 1), head.count(6, 2)];
		if (!head.has("TREE") || head.count(4, 1) !== 1 || level > levelMax) throw new FormatError("no tree of chunks");
		if (level === 0) {
			chunks += count;
			return;
		}
		const entries = block(format, at + headBytes, count * (keyBytes + addressBytes));
		for (let k = 0; k < count; k += 1) {
			visit(entries.count(k * (keyBytes + addressBytes) + keyBytes, addressBytes), level - 1);
		}
	};
	visit(root, 255);
	return chunks;
}
