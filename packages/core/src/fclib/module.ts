/**
 * The part of h5wasm that is used here, as a structural type: `await ready` of "h5wasm" in a browser, of "h5wasm/node" in
 * Node.js. The library itself is never imported, so the same code reads in both.
 */
import { InputError } from "../base/errors.js";

export interface Hdf5Metadata {
	/** HDF5's class of type: 0 integer, 1 float, 3 string. */
	readonly type: number;
	/** Bytes per element. */
	readonly size: number;
	readonly signed: boolean;
	readonly vlen: boolean;
	readonly littleEndian: boolean;
	readonly total_size: number;
	/** Null for a dataset without a space, empty for a scalar. */
	readonly shape: readonly number[] | null;
	readonly chunks: readonly number[] | null;
	/** True if the file does not hold all of the numbers: reading them returns fill values. */
	readonly isUnwritten?: boolean;
}

export interface Hdf5WriteMetadata {
	type: number;
	size: number;
	signed: boolean;
	vlen: boolean;
	littleEndian: boolean;
	total_size: number;
	cset?: number;
	shape: bigint[];
	maxshape: null;
	chunks: null;
}

export interface Hdf5Stream {
	readonly fd: number;
}

/** The emscripten file system: the machine's own in Node.js, one in memory in a browser. */
export interface Hdf5FileSystem {
	stat(path: string): { size: number };
	open(path: string, flags: never, ...rest: never[]): unknown;
	write(stream: Hdf5Stream, buffer: ArrayBufferView, offset: number, length: number, ...rest: never[]): number;
	read(stream: never, buffer: ArrayBufferView, offset: number, length: number, position?: number): number;
	close(stream: never): void;
	unlink(path: string): void;
}

export interface Hdf5Module {
	readonly HEAPU8: Uint8Array;
	readonly FS: Hdf5FileSystem;
	readonly H5G_GROUP: number;
	readonly H5G_DATASET: number;
	/** Symbolic links: they are what `get_type` returns for those that lead nowhere. */
	readonly H5G_LINK: number;
	/** External links, and others that a user's code defines. */
	readonly H5G_UDLINK: number;
	readonly H5F_ACC_RDONLY: number;
	readonly H5F_ACC_TRUNC: number;
	readonly H5F_LIBVER_EARLIEST: number;
	readonly H5F_LIBVER_V18: number;
	_malloc(bytes: number): number;
	_free(pointer: number): void;
	open(path: string, mode: number, trackOrder: boolean, low: number, high: number): bigint;
	close_file(file: bigint): number;
	get_type(file: bigint, path: string): number;
	/** Null unless the path is a symbolic link. */
	get_symbolic_link(file: bigint, path: string): string | null;
	get_dataset_metadata(file: bigint, path: string): Hdf5Metadata;
	get_dataset_filters(file: bigint, path: string): { readonly id: number; readonly name: string }[];
	/** Address of the object's header. */
	create_object_reference(file: bigint, path: string): ArrayLike<number>;
	get_dataset_data(
		file: bigint,
		path: string,
		count: bigint[] | null,
		offset: bigint[] | null,
		strides: bigint[] | null,
		pointer: bigint,
	): number;
	set_dataset_data(
		file: bigint,
		path: string,
		count: bigint[] | null,
		offset: bigint[] | null,
		strides: bigint[] | null,
		pointer: bigint,
	): number;
	get_names(file: bigint, path: string, recursive: boolean): string[];
	get_attribute_names(file: bigint, path: string): string[];
	get_attribute_metadata(file: bigint, path: string, name: string): Hdf5Metadata;
	get_attribute_data(file: bigint, path: string, name: string, pointer: bigint): number;
	reclaim_vlen_memory(file: bigint, path: string, name: string, pointer: bigint): number;
	UTF8ToString(pointer: number, bytesMax?: number): string;
	create_group(file: bigint, path: string, trackOrder: boolean): number;
	create_dataset(file: bigint, path: string, pointer: bigint, metadata: never): number;
}

/** A call's answer, and what HDF5 printed on the way: nothing, when all went well. */
export interface Called<T> {
	readonly value: T;
	readonly complaint: string;
}

const COMPLAINT_CHARACTERS_MAX = 20_000;
const damaged = new WeakSet<Hdf5Module>();

/** True when the library crashed inside: its memory cannot be trusted any more, and a fresh module is needed. */
export function isDamaged(module: Hdf5Module): boolean {
	return damaged.has(module);
}

/**
 * Calls HDF5 with its standard error caught instead of shown, and with no other file opened than `call` itself asks for: links
 * to other files and datasets kept in them are refused, whatever a file says. A crash inside the library marks the module.
 */
export function calling<T>(module: Hdf5Module, mayOpen: boolean, call: () => T): Called<T> {
	if (damaged.has(module)) {
		throw new InputError(
			"hdf5",
			"module",
			"crashed while reading an earlier file",
			"load h5wasm again before reading other files",
		);
	}
	const { FS } = module;
	const { open, write } = FS;
	const decoder = new TextDecoder();
	let complaint = "";
	FS.write = (stream, buffer, offset, length, ...rest) => {
		if (stream.fd !== 2) return write.call(FS, stream, buffer, offset, length, ...rest);
		const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice();
		if (complaint.length < COMPLAINT_CHARACTERS_MAX) complaint += decoder.decode(bytes);
		return length;
	};
	// Under a name that is nowhere the library sees "no such file" and goes on with its own error.
	if (!mayOpen) FS.open = (_path, flags, ...rest) => open.call(FS, "/no-such-folder/refused", flags, ...rest);
	try {
		return { value: call(), complaint };
	} catch (error) {
		if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) damaged.add(module);
		else if (complaint !== "") throw new Error(cause(complaint));
		throw error;
	} finally {
		FS.write = write;
		FS.open = open;
	}
}

/** The innermost line of HDF5's stack of errors, without the place in its sources; followed by the system's message, if there is one. */
export function cause(complaint: string): string {
	const lines = [...complaint.matchAll(/#\d+: .*? in \w+\(\): (.*)/g)];
	const innermost = lines.at(-1)?.[1]?.trim() ?? "HDF5 gives no reason";
	const system = /error message = '([^']+)'/.exec(complaint)?.[1];
	return system === undefined ? innermost : `${innermost.replace(/:.*/, "")}: ${system}`;
}
