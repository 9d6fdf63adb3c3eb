/** MessagePack written from its specification, for tests that use the protocol without the client package. */

const utf8 = new TextEncoder();

/** The bytes of a value: maps in the order of their fields. */
export function pack(value: unknown): number[] {
	if (value === true) return [0xc3];
	if (value === false) return [0xc2];
	if (typeof value === "string") return packText(value);
	if (typeof value === "number") return packNumber(value);
	if (Array.isArray(value)) return [...header(value.length, 0x90, 0xdc), ...value.flatMap(pack)];
	const fields = Object.entries(value as object);
	return [...header(fields.length, 0x80, 0xde), ...fields.flatMap(([name, field]) => [...pack(name), ...pack(field)])];
}

/** Of lists and maps: up to 15 elements in one byte, up to 65,535 in three. */
function header(length: number, short: number, long: number): number[] {
	return length < 16 ? [short | length] : [long, length >> 8, length & 255];
}

function packText(text: string): number[] {
	const bytes = utf8.encode(text);
	const { length } = bytes;
	if (length < 32) return [0xa0 | length, ...bytes];
	return length < 256 ? [0xd9, length, ...bytes] : [0xda, length >> 8, length & 255, ...bytes];
}

function packNumber(value: number): number[] {
	if (Number.isInteger(value) && value >= 0 && value < 128) return [value];
	if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
		return [0xce, value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
	}
	if (Number.isInteger(value) && value < 0 && value >= -32) return [256 + value];
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setFloat64(0, value);
	return [0xcb, ...bytes];
}

/** A value and where the next one begins. */
type Read = [value: unknown, end: number];

/** The value that the bytes are, all of them. */
export function unpack(bytes: Uint8Array): unknown {
	const [value, end] = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
	if (end !== bytes.length) throw new Error(`${bytes.length - end} bytes behind the value`);
	return value;
}

function read(view: DataView, at: number): Read {
	const tag = view.getUint8(at);
	if (tag < 0x80) return [tag, at + 1];
	if (tag < 0x90) return readMap(view, at + 1, tag & 15);
	if (tag < 0xa0) return readList(view, at + 1, tag & 15);
	if (tag < 0xc0) return readText(view, at + 1, tag & 31);
	if (tag >= 0xe0) return [tag - 256, at + 1];
	switch (tag) {
		case 0xc2:
			return [false, at + 1];
		case 0xc3:
			return [true, at + 1];
		case 0xca:
			return [view.getFloat32(at + 1), at + 5];
		case 0xcb:
			return [view.getFloat64(at + 1), at + 9];
		case 0xcc:
			return [view.getUint8(at + 1), at + 2];
		case 0xcd:
			return [view.getUint16(at + 1), at + 3];
		case 0xce:
			return [view.getUint32(at + 1), at + 5];
		case 0xcf:
			return [Number(view.getBigUint64(at + 1)), at + 9];
		case 0xd0:
			return [view.getInt8(at + 1), at + 2];
		case 0xd1:
			return [view.getInt16(at + 1), at + 3];
		case 0xd2:
			return [view.getInt32(at + 1), at + 5];
		case 0xd9:
			return readText(view, at + 2, view.getUint8(at + 1));
		case 0xda:
			return readText(view, at + 3, view.getUint16(at + 1));
		case 0xdc:
			return readList(view, at + 3, view.getUint16(at + 1));
		case 0xde:
			return readMap(view, at + 3, view.getUint16(at + 1));
		default:
			throw new Error(`0x${tag.toString(16)} is not expected in a head`);
	}
}

function readText(view: DataView, at: number, length: number): Read {
	const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
	return [new TextDecoder("utf-8", { fatal: true }).decode(bytes), at + length];
}

function readList(view: DataView, at: number, length: number): Read {
	const list: unknown[] = [];
	let end = at;
	for (let k = 0; k < length; k += 1) {
		const [value, next] = read(view, end);
		list.push(value);
		end = next;
	}
	return [list, end];
}

function readMap(view: DataView, at: number, length: number): Read {
	const map: Record<string, unknown> = {};
	let end = at;
	for (let k = 0; k < length; k += 1) {
		const [name, behind] = read(view, end);
		const [value, next] = read(view, behind);
		map[String(name)] = value;
		end = next;
	}
	return [map, end];
}
