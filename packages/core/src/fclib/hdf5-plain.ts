/**
 * HDF5 files of the plain kind, read without HDF5: superblock 0, old-style groups in one node, contiguous little-endian numbers and strings of
 * fixed length, as libfclib and this program write them. To load and start the library takes longer than to read such a file. Whatever
 * is not exactly as it should be, or merely unusual, is NotPlainError, and the library's to read or to refuse.
 */
import type { Hdf5Source } from "./hdf5-source.js";
import type { Hdf5Metadata } from "./module.js";
import { NotPlainError, PlainBytes, type PlainSource } from "./plain-bytes.js";
import { type PlainObject, readObject } from "./plain-object.js";

export { NotPlainError, type PlainSource };

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Half of what a leaf and a node of a group's tree hold, where nobody asked for anything else: HDF5 refuses some others, and takes places for other sizes. */
const LEAF_HALF = 4;
const NODE_HALF = 16;
/** Up to the root's entry: versions, sizes of addresses and lengths (8), no flags, base 0, no free space, end, no driver. */
const SUPERBLOCK_BYTES = 96;

export class PlainHdf5 implements Hdf5Source {
	readonly bytes: number;
	readonly #file: PlainBytes;
	readonly #root: PlainObject;
	readonly #objects = new Map<string, PlainObject | undefined>();

	/** Throws NotPlainError, here and in every call. */
	constructor(source: PlainSource) {
		this.bytes = source.bytes;
		const whole = new PlainBytes(source, source.bytes);
		const start = whole.view(0, SUPERBLOCK_BYTES);
		for (const [at, byte] of SIGNATURE.entries()) start.expect8(at, byte);
		for (const at of [8, 9, 10, 11, 12, 15]) start.expect8(at, 0);
		for (const at of [13, 14]) start.expect8(at, 8);
		start.expect16(16, LEAF_HALF);
		start.expect16(18, NODE_HALF);
		start.expect32(20, 0);
		start.expect64(24, 0);
		start.expectNowhere(32);
		start.expectNowhere(48);
		start.expect64(56, 0);
		start.expect32(72, 1);
		start.expect32(76, 0);
		const end = start.get64(40);
		// Of a file that was cut off some of the data would still be there.
		if (end > source.bytes) throw new NotPlainError("cut off");
		this.#file = new PlainBytes(source, end);
		this.#root = readObject(this.#file, start.get64(64));
		if (this.#root.kind !== "group" || !this.#root.isAt(start.get64(80), start.get64(88)))
			throw new NotPlainError("root");
	}

	kind(path: string): "group" | "dataset" | undefined {
		return this.#find(path)?.kind;
	}

	metadata(path: string): Hdf5Metadata {
		return this.#dataset(path).metadata;
	}

	read(path: string, shape: readonly number[], first: number, count: number, target: Uint8Array): void {
		const { metadata, address, length } = this.#dataset(path);
		const [rows = 1] = shape;
		const rowBytes = shape.length === 0 ? length : length / rows;
		if (target.length !== count * rowBytes || (first + count) * rowBytes > length || metadata.size === 0)
			throw new NotPlainError("size");
		if (target.length === 0) return;
		if (address === undefined) throw new NotPlainError("unwritten");
		this.#file.fill(address + first * rowBytes, target);
	}

	/** The file is its opener's. */
	close(): void {}

	#dataset(path: string) {
		const object = this.#find(path);
		if (object?.kind !== "dataset") throw new NotPlainError(path);
		return object;
	}

	/** By its path from the root. */
	#find(path: string): PlainObject | undefined {
		if (this.#objects.has(path)) return this.#objects.get(path);
		const cut = path.lastIndexOf("/");
		const parent = cut <= 0 ? this.#root : this.#find(path.slice(0, cut));
		if (parent?.kind === "dataset") throw new NotPlainError(path);
		const address = parent?.entries.get(path.slice(cut + 1));
		const object = address === undefined ? undefined : readObject(this.#file, address);
		this.#objects.set(path, object);
		return object;
	}
}
