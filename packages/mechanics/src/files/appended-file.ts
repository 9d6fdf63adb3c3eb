/**
 * An HDF5 file to which rows are appended, as HDF5's single writer beside many readers (SWMR): what is written is ordered in such a way that the file can be
 * read at whatever moment its writer is killed. All datasets are made when the file is; after that they only grow.
 */
import { InputError } from "@stickslip/core";
import { calling, cause, Hdf5Library } from "@stickslip/core/fclib";
import type { AppendModule } from "./module.js";
import { closedSuperblock } from "./superblock.js";

const TYPES = {
	int32: { type: 0, size: 4 },
	int64: { type: 0, size: 8 },
	float32: { type: 1, size: 4 },
	float64: { type: 1, size: 8 },
} as const;

type Values = Int32Array | BigInt64Array | Float32Array | Float64Array;

/** A dataset that grows: rows of so many numbers. */
export interface ColumnSpec {
	readonly type: keyof typeof TYPES;
	readonly width: number;
	/** Rows that are stored in one piece. */
	readonly chunk: number;
}

export type FileLayout = Readonly<Record<string, ColumnSpec>>;

/** What is written once, by its path: text or rows. */
export type ConstantDatasets = Readonly<Record<string, string | { readonly width: number; readonly values: Values }>>;

const PLAIN = { signed: true, vlen: false, littleEndian: true, total_size: 0, cset: 0 } as const;
const UNLIMITED = 18446744073709551615n;

export class AppendedFile {
	readonly #module: AppendModule;
	#path: string;
	readonly #layout: FileLayout;
	#id = -1n;
	#window = 0;
	#windowBytes = 0;
	/** By dataset. */
	readonly #rows = new Map<string, number>();

	private constructor(module: AppendModule, path: string, layout: FileLayout) {
		this.#module = module;
		this.#path = path;
		this.#layout = layout;
	}

	/**
	 * Replaces an existing file once the new one can be read: it is created under the name `temporary` in the same folder. A process that is killed
	 * meanwhile leaves the existing file as it is.
	 */
	static create(
		module: AppendModule,
		path: string,
		layout: FileLayout,
		constants: ConstantDatasets,
		temporary = path,
	): AppendedFile {
		const file = new AppendedFile(module, temporary, layout);
		file.#open(module.H5F_ACC_TRUNC);
		const groups = new Set<string>();
		for (const name of [...Object.keys(constants), ...Object.keys(layout)]) {
			const parts = name.split("/").slice(1, -1);
			for (let depth = 1; depth <= parts.length; depth += 1) groups.add(`/${parts.slice(0, depth).join("/")}`);
		}
		for (const group of groups) {
			file.#checked(group, () => module.create_group(file.#id, group, false));
		}
		for (const [name, value] of Object.entries(constants)) file.#constant(name, value);
		for (const [name, column] of Object.entries(layout)) {
			const { width, chunk } = column;
			const shape = (rows: number) => (width === 1 ? [BigInt(rows)] : [BigInt(rows), BigInt(width)]);
			const growing = { shape: shape(0), maxshape: [UNLIMITED, ...shape(0).slice(1)], chunks: shape(chunk) };
			file.#create(name, TYPES[column.type], growing, new Uint8Array(0));
			file.#rows.set(name, 0);
		}
		file.close();
		if (temporary !== path) module.FS.rename(temporary, path);
		file.#path = path;
		file.reopen();
		return file;
	}

	/** One that was made with the same layout. */
	static open(module: AppendModule, path: string, layout: FileLayout): AppendedFile {
		const file = new AppendedFile(module, path, layout);
		const reading = new Hdf5Library(module, path, path);
		try {
			for (const name of Object.keys(layout)) {
				if (reading.kind(name) !== "dataset") file.#fail(name, "is missing");
				file.#rows.set(name, reading.metadata(name).shape?.[0] ?? 0);
			}
		} finally {
			reading.close();
		}
		file.reopen();
		return file;
	}

	get isOpen(): boolean {
		return this.#id >= 0n;
	}

	rows(name: string): number {
		return this.#rows.get(name) ?? 0;
	}

	/** Returns the first of the new rows. */
	append(name: string, values: Values): number {
		const first = this.rows(name);
		const column = this.#layout[name];
		if (column === undefined) throw new Error(`there is no dataset ${name}`);
		const { width } = column;
		const rows = values.length / width;
		if (rows === 0) return first;
		const module = this.#module;
		const shape = (count: number) => (width === 1 ? [BigInt(count)] : [BigInt(count), BigInt(width)]);
		this.#checked(name, () => module.resize_dataset(this.#id, name, shape(first + rows)));
		const pointer = this.#copied(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
		const strides = width === 1 ? [1n] : [1n, 1n];
		const from = width === 1 ? [BigInt(first)] : [BigInt(first), 0n];
		this.#checked(name, () => module.set_dataset_data(this.#id, name, shape(rows), from, strides, BigInt(pointer)));
		this.#rows.set(name, first + rows);
		return first;
	}

	/** Whatever was appended before is in the file before anything that is appended after. */
	flush(): void {
		this.#checked("file", () => this.#module.flush(this.#id) ?? 0);
	}

	/**
	 * Sets attributes of the root group, in place of those of these names, and leaves the file closed. A file that is appended to cannot get attributes, so it
	 * is opened for them alone: for the end of a run.
	 */
	setAttributes(attributes: Readonly<Record<string, Int32Array | Float64Array>>): void {
		this.close();
		this.#open(this.#module.H5F_ACC_RDWR);
		const there = new Set(this.#module.get_attribute_names(this.#id, "/"));
		for (const [name, values] of Object.entries(attributes)) {
			if (there.has(name)) this.#checked(name, () => this.#module.delete_attribute(this.#id, "/", name));
			const shape = values.length === 1 ? [] : [BigInt(values.length)];
			const metadata = { ...TYPES[typeOf(values)], ...PLAIN, maxshape: shape, chunks: null, shape };
			const pointer = this.#copied(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
			this.#checked(name, () => this.#module.create_attribute(this.#id, "/", name, BigInt(pointer), metadata as never));
		}
		this.close();
	}

	/** Other programs may open it as any file. */
	close(): void {
		if (!this.isOpen) return;
		const id = this.#id;
		this.#id = -1n;
		if (this.#window !== 0) this.#module._free(this.#window);
		this.#window = 0;
		this.#windowBytes = 0;
		this.#checked("file", () => this.#module.close_file(id));
	}

	reopen(): void {
		this.#open(this.#module.H5F_ACC_RDWR);
		this.#checked("file", () => this.#module.H5Fstart_swmr_write(this.#id));
	}

	#open(mode: number): void {
		const { H5F_LIBVER_V110: format } = this.#module;
		const { value, complaint } = calling(this.#module, true, () =>
			unmarked(this.#module, () => this.#module.open(this.#path, mode, false, format, format)),
		);
		if (value < 0n) this.#fail("file", `cannot be opened to be written (${cause(complaint)})`);
		this.#id = value;
	}

	#constant(name: string, value: ConstantDatasets[string]): void {
		if (typeof value === "string") {
			const bytes = new TextEncoder().encode(value);
			this.#create(name, { type: 3, size: Math.max(1, bytes.length) }, { shape: [] }, bytes);
			return;
		}
		const { width, values } = value;
		const rows = BigInt(values.length / width);
		const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
		const shape = width === 1 ? [rows] : [rows, BigInt(width)];
		this.#create(name, TYPES[typeOf(values)], { shape }, bytes);
	}

	#create(
		name: string,
		type: { readonly type: number; readonly size: number },
		space: { readonly shape: bigint[]; readonly maxshape?: bigint[]; readonly chunks?: bigint[] },
		bytes: Uint8Array,
	): void {
		const metadata = { ...type, ...PLAIN };
		const extent = { maxshape: space.maxshape ?? space.shape, chunks: space.chunks ?? null, shape: space.shape };
		const filters = { compression: 0, compression_opts: [], track_order: false };
		const pointer = this.#copied(bytes);
		this.#checked(name, () =>
			this.#module.create_dataset(this.#id, name, BigInt(pointer), { ...metadata, ...extent, ...filters } as never),
		);
	}

	/** Where they are in the library's memory. */
	#copied(bytes: Uint8Array): number {
		if (bytes.length > this.#windowBytes || this.#window === 0) {
			if (this.#window !== 0) this.#module._free(this.#window);
			this.#windowBytes = Math.max(2 ** 16, 2 * bytes.length);
			this.#window = this.#module._malloc(this.#windowBytes);
			if (this.#window === 0) this.#fail("file", `needs ${this.#windowBytes} bytes of memory that are not available`);
		}
		this.#module.HEAPU8.set(bytes, this.#window);
		return this.#window;
	}

	#checked(place: string, call: () => number): void {
		const { value, complaint } = calling(this.#module, false, () => unmarked(this.#module, call));
		if (value < 0 || complaint !== "") this.#fail(place, `cannot be written (${cause(complaint)})`);
	}

	#fail(place: string, problem: string): never {
		throw new InputError(this.#path, place, problem, "check that the folder may be written to and has room");
	}
}

/**
 * HDF5 marks a file as open for writing at each flush, and other programs refuse a marked file. A killed process must not leave the mark behind, so it is
 * never written.
 */
function unmarked<T>({ FS }: AppendModule, call: () => T): T {
	const { write } = FS;
	FS.write = (stream, buffer, offset, length, ...rest) => {
		const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
		const closed = closedSuperblock(bytes);
		if (closed === undefined) return write.call(FS, stream, buffer, offset, length, ...rest);
		const all = bytes.slice();
		all.set(closed);
		return write.call(FS, stream, all, 0, length, ...rest);
	};
	try {
		return call();
	} finally {
		FS.write = write;
	}
}

function typeOf(values: Values): keyof typeof TYPES {
	if (values instanceof Int32Array) return "int32";
	if (values instanceof Float32Array) return "float32";
	return values instanceof Float64Array ? "float64" : "int64";
}
