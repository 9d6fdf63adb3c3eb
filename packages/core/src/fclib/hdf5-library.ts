/** An HDF5 file read by HDF5 itself: numbers come through a small window of the library's memory, and every call's status is looked at. */
import { InputError } from "../base/errors.js";
import { type DataStorage, FormatError, storageAt } from "./data-storage.js";
import type { Hdf5Source } from "./hdf5-source.js";
import { calling, cause, type Hdf5Metadata, type Hdf5Module, isDamaged } from "./module.js";

const DAMAGED = "the file is damaged or was not written whole: fetch or write it again";
const COPY = "copy the numbers into one file";
const UNPACK = "rewrite it with `h5repack -f NONE`";
/** Deflate, shuffle and Fletcher's checksum, n-bit and scale-offset packing: h5wasm has no others. */
const FILTERS = [1, 2, 3, 5, 6];
const NAME_MAX = 60;

const ATTRIBUTE_BYTES_MAX = 2 ** 16;
const [INTEGER, FLOAT, STRING] = [0, 1, 3];

export class Hdf5Library implements Hdf5Source {
	readonly bytes: number;
	readonly #module: Hdf5Module;
	readonly #id: bigint;
	#window = 0;
	#windowBytes = 0;
	#open = true;
	readonly #path: string;
	readonly #storages = new Map<string, DataStorage>();

	/** `name` is what error lines call the file. */
	constructor(
		module: Hdf5Module,
		path: string,
		readonly name: string,
	) {
		this.#module = module;
		this.#path = path;
		try {
			this.bytes = module.FS.stat(path).size;
		} catch {
			throw new InputError(name, "", "does not exist", "check the name");
		}
		const opened = this.#calling("file", true, () => module.open(path, module.H5F_ACC_RDONLY, false, -1, -1));
		if (opened.value < 0n) {
			const why = cause(opened.complaint);
			throw new InputError(
				name,
				"file",
				`cannot be read as an HDF5 file (${why})`,
				"give a complete, readable FCLIB file",
			);
		}
		this.#id = opened.value;
	}

	close(): void {
		if (!this.#open) return;
		this.#open = false;
		if (isDamaged(this.#module)) return;
		if (this.#window !== 0) this.#module._free(this.#window);
		calling(this.#module, false, () => this.#module.close_file(this.#id));
	}

	kind(path: string): "group" | "dataset" | undefined {
		const { value, complaint } = this.#calling(path, false, () => this.#module.get_type(this.#id, path));
		// h5wasm returns uninitialised memory if HDF5 fails.
		const isLink = complaint === "" && (value === this.#module.H5G_LINK || value === this.#module.H5G_UDLINK);
		if (isLink || this.#isSymbolicLink(path, complaint)) {
			this.#fail(path, "is a link out of this file, or to nothing", `${COPY}, without external links`);
		}
		if (complaint !== "") this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
		if (value === this.#module.H5G_GROUP) return "group";
		return value === this.#module.H5G_DATASET ? "dataset" : undefined;
	}

	/** Looked at where HDF5 cannot follow a path. */
	#isSymbolicLink(path: string, complaint: string): boolean {
		if (complaint === "") return false;
		const call = () => this.#module.get_symbolic_link(this.#id, path);
		const link = this.#calling(path, false, call);
		return link.complaint === "" && link.value !== null;
	}

	/** Throws for a dataset whose numbers are not in this file, or cannot be unpacked. */
	metadata(path: string): Hdf5Metadata {
		// Throws for links out of the file.
		if (!this.#storages.has(path)) this.kind(path);
		const { value, complaint } = this.#calling(path, false, () => this.#module.get_dataset_metadata(this.#id, path));
		if (complaint !== "") this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
		const { layout, isExternal, isAllocated, chunks } = this.#storage(path);
		if (layout === "virtual") this.#fail(path, "is a virtual dataset: its numbers are in other datasets", COPY);
		if (isExternal) this.#fail(path, "has its numbers in other files (external storage)", COPY);
		const isEmpty = value.total_size === 0 || value.shape === null;
		const isPart = chunks !== undefined && chunks < chunksOf(value);
		return !isEmpty && (!isAllocated || isPart) ? { ...value, isUnwritten: true } : value;
	}

	/** Throws unless all numbers of a dataset are in the file. */
	requireWritten(path: string, { isUnwritten }: Hdf5Metadata): void {
		if (isUnwritten) this.#fail(path, "was created, but its numbers were never written", DAMAGED);
	}

	#checkFilters(path: string): void {
		const { value, complaint } = this.#calling(path, false, () => this.#module.get_dataset_filters(this.#id, path));
		if (complaint !== "") this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
		const unknown = value.find(({ id }) => !FILTERS.includes(id));
		if (unknown === undefined) return;
		const name = unknown.name.replaceAll(/[^ -~]/g, "?").slice(0, NAME_MAX);
		this.#fail(path, `is packed with filter ${unknown.id} (${name}), which is unknown`, UNPACK);
	}

	#storage(path: string): DataStorage {
		const known = this.#storages.get(path);
		if (known !== undefined) return known;
		const call = () => this.#module.create_object_reference(this.#id, path);
		const { value, complaint } = this.#calling(path, false, call);
		if (complaint !== "") this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
		const { FS } = this.#module;
		const stream = FS.open(this.#path, "r" as never) as never;
		try {
			const read = (at: number, length: number) => {
				const bytes = new Uint8Array(length);
				if (at + length > this.bytes || FS.read(stream, bytes, 0, length, at) !== length) {
					throw new FormatError("ends early");
				}
				return bytes;
			};
			const storage = storageAt(read, this.bytes, Uint8Array.from(value));
			if (storage.layout === "chunked") this.#checkFilters(path);
			this.#storages.set(path, storage);
			return storage;
		} catch (error) {
			if (!(error instanceof FormatError)) throw error;
			return this.#fail(path, `has a header that cannot be read (${error.message})`, DAMAGED);
		} finally {
			FS.close(stream);
		}
	}

	read(path: string, shape: readonly number[], first: number, count: number, target: Uint8Array): void {
		const pointer = this.#slot(path, target.length);
		if (shape.length === 0) this.#read(path, null, null, pointer);
		else {
			const counts = shape.map((side, axis) => BigInt(axis === 0 ? count : side));
			const offsets = shape.map((_, axis) => BigInt(axis === 0 ? first : 0));
			this.#read(path, counts, offsets, pointer);
		}
		target.set(this.#module.HEAPU8.subarray(pointer, pointer + target.length));
	}

	/** Names in a group, in HDF5's order. */
	children(path: string): string[] {
		const { value, complaint } = this.#calling(path, false, () => this.#module.get_names(this.#id, path, false));
		if (complaint !== "") this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
		return [...value];
	}

	/** Attributes that are one text or numbers; what else there is, such as objects of Python, is left out. */
	attributes(path: string): Map<string, string | number[]> {
		// Throws for links out of the file.
		this.kind(path);
		const names = this.#calling(path, false, () => this.#module.get_attribute_names(this.#id, path));
		if (names.complaint !== "") this.#fail(path, `cannot be read (${cause(names.complaint)})`, DAMAGED);
		const found = new Map<string, string | number[]>();
		for (const name of names.value) {
			const value = this.#attribute(path, name);
			if (value !== undefined) found.set(name, value);
		}
		return found;
	}

	#attribute(path: string, name: string): string | number[] | undefined {
		const module = this.#module;
		const place = `${path}@${name}`;
		const type = this.#calling(place, false, () => module.get_attribute_metadata(this.#id, path, name)).value;
		const bytes = (type.shape ?? [0]).reduce((product, side) => product * side, type.size);
		if (!(bytes <= ATTRIBUTE_BYTES_MAX)) this.#fail(place, `claims ${bytes} bytes`, DAMAGED);
		if (bytes === 0) return undefined;
		const pointer = this.#slot(place, bytes);
		const call = () => module.get_attribute_data(this.#id, path, name, BigInt(pointer));
		const { value: status, complaint } = this.#calling(place, false, call);
		if (status < 0 || complaint !== "") this.#fail(place, `cannot be read (${cause(complaint)})`, DAMAGED);
		const data = module.HEAPU8.slice(pointer, pointer + bytes);
		if (type.type !== STRING || !type.vlen) return attributeValue(type, data);
		const text = module.UTF8ToString(new Uint32Array(data.buffer)[0] ?? 0, ATTRIBUTE_BYTES_MAX);
		this.#calling(place, false, () => module.reclaim_vlen_memory(this.#id, path, name, BigInt(pointer)));
		return text;
	}

	/** At least `bytes` in the library's memory, kept from call to call. */
	#slot(path: string, bytes: number): number {
		if (bytes <= this.#windowBytes) return this.#window;
		if (this.#window !== 0) this.#module._free(this.#window);
		const { value } = this.#calling(path, false, () => this.#module._malloc(bytes));
		this.#window = value;
		this.#windowBytes = value === 0 ? 0 : bytes;
		if (value === 0)
			this.#fail(path, `needs ${bytes} bytes of memory that are not available`, "use a machine with more memory");
		return value;
	}

	#read(path: string, count: bigint[] | null, offset: bigint[] | null, pointer: number): void {
		const strides = count === null ? null : count.map(() => 1n);
		const { value, complaint } = this.#calling(path, false, () =>
			this.#module.get_dataset_data(this.#id, path, count, offset, strides, BigInt(pointer)),
		);
		if (value < 0) this.#fail(path, `cannot be read (${cause(complaint)})`, DAMAGED);
	}

	#fail(place: string, problem: string, remedy: string): never {
		throw new InputError(this.name, place, problem, remedy);
	}

	#calling<T>(path: string, mayOpen: boolean, call: () => T): { value: T; complaint: string } {
		try {
			return calling(this.#module, mayOpen, call);
		} catch (error) {
			if (error instanceof InputError) throw error.from(this.name);
			const why = error instanceof Error ? error.message : String(error);
			// A call with wrong arguments is a mistake in this program, not in the file.
			if (error instanceof Error && error.name === "BindingError") throw error;
			throw new InputError(this.name, path, `cannot be read (${why})`, DAMAGED);
		}
	}
}

/** Chunks that cover a dataset. */
function chunksOf({ shape, chunks }: Hdf5Metadata): number {
	return (shape ?? []).reduce((count, side, axis) => count * Math.ceil(side / (chunks?.[axis] ?? side)), 1);
}

/** Text of fixed length, or numbers; undefined for other types. */
function attributeValue({ type, size, signed }: Hdf5Metadata, data: Uint8Array): string | number[] | undefined {
	const { buffer } = data;
	if (type === STRING) return new TextDecoder().decode(data).replace(/[\0 ]+$/, "");
	if (type === FLOAT) {
		if (size === 8) return [...new Float64Array(buffer as ArrayBuffer)];
		return size === 4 ? [...new Float32Array(buffer as ArrayBuffer)] : undefined;
	}
	if (type !== INTEGER) return undefined;
	if (size === 4) return [...(signed ? new Int32Array(buffer) : new Uint32Array(buffer))];
	return size === 8 ? [...new BigInt64Array(buffer as ArrayBuffer)].map(Number) : undefined;
}
