/**
 * An HDF5 file being written as libfclib writes one: superblock 0, old-style groups, contiguous little-endian datasets,
 * strings of fixed length with a zero at the end. Every call's status is looked at (a full disk must not pass for a file).
 */
import { InputError } from "../base/errors.js";
import { SLICE_BYTES } from "./hdf5-file.js";
import { calling, cause, type Hdf5Module, type Hdf5WriteMetadata } from "./module.js";

const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

/** What is written bit by bit: between two steps other things may be done. */
export type Steps = Generator<void, void, void>;

export class Hdf5Writer {
	readonly #module: Hdf5Module;
	readonly #name: string;
	readonly #id: bigint;
	readonly #window: number;

	constructor(module: Hdf5Module, path: string) {
		this.#module = module;
		this.#name = path;
		// From the oldest format on: HDF5 2 would begin with that of 1.8, which old readers of FCLIB files do not know.
		const { H5F_ACC_TRUNC: mode, H5F_LIBVER_EARLIEST: low, H5F_LIBVER_V18: high } = module;
		const { value, complaint } = calling(module, true, () => module.open(path, mode, false, low, high));
		if (value < 0n) this.#fail("file", complaint);
		this.#id = value;
		this.#window = module._malloc(SLICE_BYTES);
		if (this.#window === 0) this.#fail("file", "");
	}

	/** Closes the file; what was not written until now fails here. */
	close(): void {
		this.#module._free(this.#window);
		const { value, complaint } = calling(this.#module, false, () => this.#module.close_file(this.#id));
		if (value < 0 || complaint !== "") this.#fail("file", complaint);
	}

	group(path: string): void {
		const { value, complaint } = calling(this.#module, false, () => this.#module.create_group(this.#id, path, false));
		if (value < 0 || complaint !== "") this.#fail(path, complaint);
	}

	integer(path: string, value: number): void {
		for (const _ of this.numbers(path, Int32Array.of(value)));
	}

	/** One-dimensional, or of `width` columns; a slice at a step. */
	*numbers(path: string, values: Int32Array | Float64Array, width?: number): Steps {
		const rows = width === undefined ? values.length : values.length / width;
		const shape = width === undefined ? [rows] : [rows, width];
		const type = values instanceof Int32Array ? INTEGER : FLOAT;
		this.#create(path, type, values.BYTES_PER_ELEMENT, shape);
		const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
		const rowBytes = values.BYTES_PER_ELEMENT * (width ?? 1);
		const step = Math.floor(SLICE_BYTES / rowBytes);
		for (let first = 0; first < rows; first += step) {
			const count = Math.min(step, rows - first);
			const place = shape.map((_, axis) => (axis === 0 ? first : 0));
			const size = shape.map((side, axis) => (axis === 0 ? count : side));
			this.#write(path, bytes.subarray(first * rowBytes, (first + count) * rowBytes), size, place);
			yield;
		}
	}

	text(path: string, bytes: Uint8Array): void {
		this.#create(path, STRING, bytes.length + 1, []);
		const padded = new Uint8Array(bytes.length + 1);
		padded.set(bytes);
		this.#write(path, padded, [], []);
	}

	#create(path: string, type: number, size: number, shape: readonly number[]): void {
		const metadata: Hdf5WriteMetadata = {
			type,
			size,
			signed: true,
			vlen: false,
			littleEndian: true,
			total_size: 0,
			cset: 0,
			shape: shape.map(BigInt),
			maxshape: null,
			chunks: null,
		};
		// h5wasm creates and writes in one call, and needs all the data at once in its memory for it. Without data it creates,
		// fails to write and says so; the slices follow, each with a status. What went wrong in creating shows there.
		calling(this.#module, false, () => this.#module.create_dataset(this.#id, path, 0n, metadata as never));
	}

	#write(path: string, bytes: Uint8Array, count: readonly number[], offset: readonly number[]): void {
		this.#module.HEAPU8.set(bytes, this.#window);
		const whole = count.length === 0;
		const sizes = whole ? null : count.map(BigInt);
		const places = whole ? null : offset.map(BigInt);
		const strides = whole ? null : count.map(() => 1n);
		const pointer = BigInt(this.#window);
		const { value, complaint } = calling(this.#module, false, () =>
			this.#module.set_dataset_data(this.#id, path, sizes, places, strides, pointer),
		);
		if (value < 0) this.#fail(path, complaint);
	}

	#fail(place: string, complaint: string): never {
		const remedy = "check that the folder exists, may be written to and has room";
		throw new InputError(this.#name, place, `cannot be written (${cause(complaint)})`, remedy);
	}
}
